package sparselin

import (
	"bytes"
	"errors"
	"math"
	"os"
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

func TestARoundCountsOnceWhatItBeganWith(t *testing.T) {
	begin := newModel(t, With("average", "none"))
	feed := func(m *Model, first, last int) {
		for r := first; r < last; r++ {
			ok(t, m.Feed([]uint32{uint32(r % 7), 9}, []float64{1, 0.5}, float64(1-2*(r%2))))
		}
	}
	for r := 0; r < 60; r++ {
		ok(t, begin.Observe([]uint32{uint32(r % 7), 9}, []float64{1, 0.5}, 1))
	}
	feed(begin, 0, 20)
	a, err := begin.Clone()
	ok(t, err)
	b, err := begin.Clone()
	ok(t, err)
	feed(a, 20, 40)
	feed(b, 40, 60)
	mean, err := MergeRound(begin, 1, a, b)
	ok(t, err)
	farther, err := MergeRound(begin, 2, a, b)
	ok(t, err)
	if steps, _ := mean.Steps(); steps != 60 {
		t.Error(steps)
	}
	went := 0
	for i := uint32(0); i < 12; i++ {
		of := func(m *Model) float64 {
			w, err := m.Weight(i)
			ok(t, err)
			return w
		}
		if math.Abs(of(mean)-(of(a)+of(b))/2) > 1e-12 {
			t.Error(i, of(mean), of(a), of(b))
		}
		if math.Abs(of(farther)-of(begin)) > math.Abs(of(mean)-of(begin))+1e-6 {
			went++
		}
	}
	if went == 0 {
		t.Error("no weight went farther than the mean")
	}
	_, err = MergeRound(begin, 2, a, begin)
	fails(t, err, ErrInvalidArgument, "number 1, of 20 steps, is no copy")
	if _, err = MergeRound(nil, 2, a, b); !errors.Is(err, os.ErrClosed) {
		t.Error(err)
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
