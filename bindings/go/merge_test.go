package sparselin

import (
	"bytes"
	"math"
	"sync"
	"testing"
)

func part(t *testing.T, rows int, label float64) *Model {
	t.Helper()
	m := newModel(t, With("average", "none"), With("scale", "none"))
	for r := 0; r < rows; r++ {
		ok(t, m.Feed([]uint32{uint32(r % 7), 9}, []float64{1, 0.5}, label*float64(1-2*(r%2))))
	}
	return m
}

func TestMergedWeightsAreTheMeanByShares(t *testing.T) {
	a, b := part(t, 10, 1), part(t, 30, -1)
	before, err := a.MarshalBinary()
	ok(t, err)
	merged, err := Merge(a, b)
	ok(t, err)
	if steps, _ := merged.Steps(); steps != 40 {
		t.Error(steps)
	}
	for i := uint32(0); i < 12; i++ {
		of := func(m *Model) float64 {
			w, err := m.Weight(i)
			ok(t, err)
			return w
		}
		if mean := 0.25*of(a) + 0.75*of(b); math.Abs(of(merged)-mean) > 1e-12 {
			t.Error(i, of(merged), mean)
		}
	}
	ok(t, merged.Feed([]uint32{1}, nil, 1))
	same, err := Merge(a)
	ok(t, err)
	for _, m := range []*Model{a, same} {
		if data, err := m.MarshalBinary(); err != nil || !bytes.Equal(before, data) {
			t.Error("not the same bytes: ", err)
		}
	}
	twice, err := Merge(a, a)
	ok(t, err)
	if steps, _ := twice.Steps(); steps != 20 {
		t.Error(steps)
	}
}

func TestWhatCannotBeMerged(t *testing.T) {
	a, b := part(t, 10, 1), part(t, 5, 1)
	_, err := Merge()
	fails(t, err, ErrInvalidArgument, "no model")
	_, err = Merge(a, newModel(t))
	fails(t, err, ErrInvalidArgument, "number 1 has the option average")
	_, err = Merge(newModel(t, With("average", "none"), With("scale", "none")), a)
	fails(t, err, ErrState, "trained")
	_, err = Merge(a, nil)
	fails(t, err, ErrInvalidArgument, "closed")
	ok(t, b.Close())
	_, err = Merge(a, b)
	fails(t, err, ErrInvalidArgument, "closed")
	ok(t, a.Feed(good, nil, 1)) // it is not locked any more
}

func TestStart(t *testing.T) {
	a := part(t, 10, 1)
	source, err := a.Predictor()
	ok(t, err)
	m := newModel(t, With("loss", "hinge"))
	ok(t, m.Start(source))
	want, _ := a.Weight(9)
	if got, _ := m.Weight(9); got != want || want == 0 {
		t.Error(got, want)
	}
	ok(t, m.Feed([]uint32{9}, nil, 1))
	fails(t, m.Start(source), ErrState, "steps")
	fails(t, newModel(t).Start(nil), ErrInvalidArgument, "closed")
	fails(t, newModel(t, With("loss", "squared")).Start(source), ErrInvalidArgument, "loss")
}

// Goroutines that merge in either order, while others train.
func TestMergesDoNotWaitInACircle(t *testing.T) {
	a, b := part(t, 10, 1), part(t, 10, 1)
	var all sync.WaitGroup
	for _, pair := range [][]*Model{{a, b}, {b, a}} {
		all.Add(2)
		go func(pair []*Model) {
			defer all.Done()
			for i := 0; i < 200; i++ {
				if m, err := Merge(pair...); err != nil || m.Close() != nil {
					t.Error(err)
				}
			}
		}(pair)
		go func(m *Model) {
			defer all.Done()
			for i := 0; i < 2000; i++ {
				if err := m.Feed(good, nil, 1); err != nil {
					t.Error(err)
				}
			}
		}(pair[0])
	}
	all.Wait()
}
