package sparselin

import (
	"context"
	"errors"
	"math"
	"os"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
)

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// fails checks the status of an error, and that its text says something.
func fails(t testing.TB, err error, status Status, text string) {
	t.Helper()
	var e *Error
	if !errors.Is(err, status) || !errors.As(err, &e) || e.Status != status || !strings.Contains(err.Error(), text) {
		t.Errorf("%v is not %v with %q", err, status, text)
	}
	if strings.Contains(err.Error(), "sl_") {
		t.Errorf("%v names a function of C", err)
	}
	for other := ErrInvalidArgument; other <= ErrInternal; other++ {
		if other != status && errors.Is(err, other) {
			t.Errorf("%v is %v too", err, other)
		}
	}
}

func newModel(t testing.TB, options ...Option) *Model {
	t.Helper()
	m, err := New(options...)
	ok(t, err)
	return m
}

var (
	good = []uint32{3, 17}
	bad  = []uint32{5, 17}
)

func trained(t testing.TB, options ...Option) *Model {
	m := newModel(t, options...)
	for i := 0; i < 20; i++ {
		ok(t, m.Feed(good, nil, +1))
		ok(t, m.Feed(bad, []float64{1, 0.5}, -1))
	}
	return m
}

func TestLearnsAndLooksInside(t *testing.T) {
	m := trained(t, With("l2", 1e-3), With("seed", 7), With("bias", true), With("loss", "log"))
	defer m.Close()
	score, err := m.Predict(good, nil)
	ok(t, err)
	if score <= 0 {
		t.Errorf("score %v", score)
	}
	p, err := m.Probability(score)
	ok(t, err)
	if math.Abs(p-1/(1+math.Exp(-score))) > 1e-15 {
		t.Errorf("probability %v of score %v", p, score)
	}
	label, err := m.Label(-score)
	ok(t, err)
	smaller, larger, err := m.Labels()
	ok(t, err)
	if label != -1 || smaller != -1 || larger != 1 {
		t.Errorf("labels %v, %v, %v", label, smaller, larger)
	}
	indices, weights, err := m.Weights()
	ok(t, err)
	if !reflect.DeepEqual(indices, []uint32{3, 5, 17}) {
		t.Errorf("indices %v", indices)
	}
	for i, index := range indices {
		if w, err := m.Weight(index); err != nil || w != weights[i] || w == 0 {
			t.Errorf("weight %d: %v, %v, %v", index, w, weights[i], err)
		}
	}
	steps, err := m.Steps()
	ok(t, err)
	dimension, err := m.Dimension()
	ok(t, err)
	memory, err := m.Memory()
	ok(t, err)
	loss, err := m.MeanLoss()
	ok(t, err)
	l2, err := m.Option("l2")
	ok(t, err)
	if steps != 40 || dimension != 18 || memory == 0 || loss <= 0 || l2 != "0.001" {
		t.Error(steps, dimension, memory, loss, l2)
	}
}

func TestFailures(t *testing.T) {
	_, err := New(With("los", "log"))
	fails(t, err, ErrInvalidOption, "loss")
	_, err = New(With("l1", "1\x002"))
	fails(t, err, ErrInvalidOption, "NUL")
	_, err = New(With("l1", -1))
	fails(t, err, ErrInvalidOption, "l1")

	m := newModel(t)
	defer m.Close()
	fails(t, m.Feed(good, []float64{1}, 1), ErrInvalidArgument, "values")
	fails(t, m.Feed(good, []float64{}, 1), ErrInvalidArgument, "values")
	fails(t, m.Feed(good, []float64{1, math.NaN()}, 1), ErrInvalidData, "nan")
	fails(t, m.Feed(good, nil, 7), ErrInvalidData, "7")
	_, err = m.Probability(math.Inf(-1))
	ok(t, err)
	_, err = m.MeanLoss()
	fails(t, err, ErrState, "")
	_, err = m.Option("no\x00")
	fails(t, err, ErrInvalidOption, "NUL")

	x := CSR{Pointers: []int64{0, 1, 2}, Indices: []uint32{1, 2}, Values: []float64{1, math.Inf(1)}}
	done, err := m.FeedCSR(x, []float64{1, -1}, nil)
	fails(t, err, ErrInvalidData, "row 1: ")
	var e *Error
	if errors.As(err, &e); e.Row != 1 {
		t.Errorf("row %d", e.Row)
	}
	if errors.As(m.Feed(good, nil, 7), &e); e.Row != -1 {
		t.Errorf("an example is row %d", e.Row)
	}
	if errors.As(closed("model"), &e); e.Row != -1 {
		t.Errorf("a closed model is row %d", e.Row)
	}
	if done != 1 {
		t.Errorf("%d rows", done)
	}
	for _, pointers := range [][]int64{nil, {}, {0, 3}, {-1, 1}, {2, 1}, {0, math.MaxInt64}} {
		x := CSR{pointers, []uint32{1, 2}, nil}
		_, err = m.FeedCSR(x, make([]float64, x.Rows()), nil)
		fails(t, err, ErrInvalidArgument, "")
		_, err = m.PredictCSR(x, nil)
		fails(t, err, ErrInvalidArgument, "")
		_, err = NewDataset(x, make([]float64, x.Rows()), nil)
		fails(t, err, ErrInvalidArgument, "")
	}
	x = CSR{[]int64{0, 1}, []uint32{1}, nil}
	for _, labels := range [][]float64{nil, {}, {1, 1}} {
		_, err = m.FeedCSR(x, labels, nil)
		fails(t, err, ErrInvalidArgument, "labels")
	}
	_, err = m.PredictCSR(x, []float64{})
	fails(t, err, ErrInvalidArgument, "scores")

	diverging := newModel(t, With("loss", "squared"), With("schedule", "constant"), With("eta0", 1e200), With("l2", 0), With("average", "none"))
	defer diverging.Close()
	for err = nil; err == nil; {
		err = diverging.Feed(good, []float64{1e10, 1}, 1e100)
	}
	fails(t, err, ErrDiverged, "eta0")
}

func TestStatusNamesAreThoseOfC(t *testing.T) {
	if ErrDiverged.String() != "SL_ERROR_DIVERGED" || ErrInternal.String() != "SL_ERROR_INTERNAL" || ErrInvalidArgument.Error() != "sparselin: invalid argument" {
		t.Error(ErrDiverged, ErrInternal.String(), ErrInvalidArgument.Error())
	}
	if Status(12).String() != "SL_ERROR_UNKNOWN" {
		t.Error("a status is missing here: ", Status(12).String())
	}
	table := OptionTable()
	if len(table) < 20 || table[0].Name == "" || table[0].Kind == "" || table[0].Default == "" || table[0].Help == "" {
		t.Errorf("%+v", table)
	}
	if !strings.HasPrefix(Version(), "1.") {
		t.Error(Version())
	}
}

func TestClosed(t *testing.T) {
	m := trained(t)
	data := someData(t, 10)
	copied, err := m.Clone()
	ok(t, err)
	ok(t, m.Close())
	ok(t, m.Close())
	ok(t, copied.Feed(good, nil, 1))
	ok(t, copied.Close())
	for _, m := range []*Model{m, copied, new(Model), nil} {
		_, err = m.Predict(good, nil)
		fails(t, err, ErrInvalidArgument, "closed")
		if !errors.Is(err, os.ErrClosed) {
			t.Error(err)
		}
		fails(t, m.Feed(good, nil, 1), ErrInvalidArgument, "closed")
		fails(t, m.Fit(context.Background(), data, nil), ErrInvalidArgument, "closed")
		_, err = m.Clone()
		fails(t, err, ErrInvalidArgument, "closed")
		_, _, err = m.Weights()
		fails(t, err, ErrInvalidArgument, "closed")
		_, err = m.WriteTo(nil)
		fails(t, err, ErrInvalidArgument, "closed")
		ok(t, m.Close())
	}
	ok(t, data.Close())
	ok(t, data.Close())
	for _, d := range []*Dataset{data, new(Dataset), nil} {
		_, err = d.Rows()
		fails(t, err, ErrInvalidArgument, "closed")
		open := newModel(t)
		fails(t, open.Fit(context.Background(), d, nil), ErrInvalidArgument, "closed")
		ok(t, open.Close())
	}
}

func TestScoringInThreadsChangesNoBit(t *testing.T) {
	m := trained(t)
	data := someData(t, 20000)
	alone, err := m.PredictDataset(data, nil)
	ok(t, err)
	ok(t, m.SetThreads(3))
	scores, err := m.PredictDataset(data, nil)
	ok(t, err)
	if !reflect.DeepEqual(alone, scores) {
		t.Error("scores depend on the number of threads")
	}
	fails(t, m.SetThreads(1025), ErrInvalidArgument, "1025")
}

// Everything at once, with closing in the middle: to be run with -race.
func TestGoroutines(t *testing.T) {
	m := trained(t)
	ok(t, m.Finalize())
	data := someData(t, 100)
	var wait sync.WaitGroup
	for g := 0; g < 8; g++ {
		wait.Add(1)
		go func(g int) {
			defer wait.Done()
			for i := 0; i < 300; i++ {
				var err error
				switch {
				case g == 0 && i == 200:
					for err = m.Close(); errors.Is(err, ErrState); err = m.Close() { // while Fit runs
						runtime.Gosched()
					}
				case g == 1 && i == 250:
					err = data.Close()
				case g == 2:
					err = m.Feed(good, nil, 1)
				case g == 3:
					_, err = m.MarshalBinary()
				case g == 4:
					_, err = m.PredictDataset(data, nil)
				case g == 5 && i%10 == 0:
					err = m.Fit(context.Background(), data, nil)
				default:
					_, err = m.Predict(good, nil)
				}
				if err != nil && !errors.Is(err, os.ErrClosed) && !errors.Is(err, ErrState) {
					t.Error(err)
				}
			}
		}(g)
	}
	wait.Wait()
	fails(t, m.Feed(good, nil, 1), ErrInvalidArgument, "closed")
}

func TestFinalizedModelPredictsConcurrently(t *testing.T) {
	m := trained(t)
	defer m.Close()
	ok(t, m.Finalize())
	want, err := m.Predict(good, nil)
	ok(t, err)
	var wait sync.WaitGroup
	for g := 0; g < 4; g++ {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for i := 0; i < 1000; i++ {
				if got, err := m.Predict(good, nil); err != nil || got != want {
					t.Errorf("%v, %v", got, err)
				}
			}
		}()
	}
	wait.Wait()
}

// What is not closed is freed when it is garbage.
func TestFinalizersFree(t *testing.T) {
	indices := make([]uint32, 1<<17)
	for i := range indices {
		indices[i] = uint32(i)
	}
	before := residentBytes(t)
	for i := 0; i < 100; i++ {
		m := newModel(t, With("storage", "dense"))
		ok(t, m.Feed(indices, nil, 1))
		if i%10 == 0 {
			runtime.GC()
		}
	}
	if more := residentBytes(t) - before; more > 100<<20 {
		t.Errorf("%d MB are held", more>>20)
	}
}
