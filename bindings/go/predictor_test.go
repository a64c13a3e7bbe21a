package sparselin

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"testing"
)

// batches is what models and predictors do for many rows.
type batches interface {
	Predict(indices []uint32, values []float64) (float64, error)
	PredictProbability(indices []uint32, values []float64) (score, probability float64, err error)
	PredictCSR(rows CSR, scores []float64) ([]float64, error)
	PredictDataset(data *Dataset, scores []float64) ([]float64, error)
	ProbabilitiesCSR(rows CSR, probabilities []float64) ([]float64, error)
	ProbabilitiesDataset(data *Dataset, probabilities []float64) ([]float64, error)
	Probability(score float64) (float64, error)
	Label(score float64) (float64, error)
	Labels() (smaller, larger float64, err error)
	Memory() (uint64, error)
}

func TestPredictingInBatches(t *testing.T) {
	m := trained(t)
	defer m.Close()
	p, err := m.Predictor()
	ok(t, err)
	x := CSR{Pointers: []int64{0, 2, 4, 5, 5}, Indices: []uint32{3, 17, 5, 17, 99}}
	data, err := NewDataset(x, make([]float64, 4), nil)
	ok(t, err)
	defer data.Close()
	for name, who := range map[string]batches{"model": m, "predictor": p} {
		var scores, probabilities []float64
		for r := 0; r < x.Rows(); r++ {
			row := x.Indices[x.Pointers[r]:x.Pointers[r+1]]
			score, probability, err := who.PredictProbability(row, nil)
			ok(t, err)
			alone, err := m.Predict(row, nil)
			ok(t, err)
			same, err := who.Probability(score)
			ok(t, err)
			if score != alone || probability != same || math.Abs(probability-1/(1+math.Exp(-score))) > 1e-15 {
				t.Error(name, r, score, alone, probability, same)
			}
			scores, probabilities = append(scores, score), append(probabilities, probability)
		}
		for i, call := range []struct {
			predict func([]float64) ([]float64, error)
			want    []float64
		}{
			{func(s []float64) ([]float64, error) { return who.PredictCSR(x, s) }, scores},
			{func(s []float64) ([]float64, error) { return who.PredictDataset(data, s) }, scores},
			{func(s []float64) ([]float64, error) { return who.ProbabilitiesCSR(x, s) }, probabilities},
			{func(s []float64) ([]float64, error) { return who.ProbabilitiesDataset(data, s) }, probabilities},
		} {
			fresh, err := call.predict(nil)
			ok(t, err)
			mine := make([]float64, 4)
			given, err := call.predict(mine)
			ok(t, err)
			if !reflect.DeepEqual(fresh, call.want) || !reflect.DeepEqual(mine, call.want) || &given[0] != &mine[0] {
				t.Error(name, i, fresh, mine, call.want)
			}
			for _, length := range []int{0, 3, 5} {
				_, err = call.predict(make([]float64, length))
				fails(t, err, ErrInvalidArgument, "but rows 4")
			}
		}
		label, err := who.Label(scores[1])
		ok(t, err)
		smaller, larger, err := who.Labels()
		ok(t, err)
		if label != -1 || smaller != -1 || larger != 1 {
			t.Error(name, label, smaller, larger)
		}
	}

	hinge := trained(t, With("loss", "hinge"))
	defer hinge.Close()
	untouched := []float64{7, 7, 7, 7}
	_, err = hinge.ProbabilitiesCSR(x, untouched)
	fails(t, err, ErrState, "hinge")
	_, err = hinge.ProbabilitiesDataset(data, untouched)
	fails(t, err, ErrState, "hinge")
	_, _, err = hinge.PredictProbability(good, nil)
	fails(t, err, ErrState, "hinge")
	if !reflect.DeepEqual(untouched, []float64{7, 7, 7, 7}) {
		t.Error(untouched)
	}
}

// CSR{} is a batch like others, of no rows.
func TestNoRows(t *testing.T) {
	m := trained(t)
	defer m.Close()
	p, err := m.Predictor()
	ok(t, err)
	for _, x := range []CSR{{}, {Pointers: []int64{0}}, {Pointers: []int64{}, Indices: []uint32{}, Values: []float64{}}} {
		for _, labels := range [][]float64{nil, {}} {
			done, err := m.FeedCSR(x, labels, labels)
			ok(t, err)
			data, err := NewDataset(x, labels, labels)
			ok(t, err)
			rows, err := data.Rows()
			ok(t, err)
			if done != 0 || rows != 0 {
				t.Error(done, rows)
			}
			for _, who := range []batches{m, p} {
				for _, call := range []func() ([]float64, error){
					func() ([]float64, error) { return who.PredictCSR(x, labels) },
					func() ([]float64, error) { return who.ProbabilitiesCSR(x, labels) },
					func() ([]float64, error) { return who.PredictDataset(data, labels) },
					func() ([]float64, error) { return who.ProbabilitiesDataset(data, labels) },
				} {
					if scores, err := call(); err != nil || len(scores) != 0 {
						t.Error(scores, err)
					}
				}
			}
			ok(t, data.Close())
		}
		_, err = m.FeedCSR(x, []float64{1}, nil)
		fails(t, err, ErrInvalidArgument, "labels")
	}
}

func TestObserveDataset(t *testing.T) {
	data := someData(t, 100)
	defer data.Close()
	all, single := newModel(t, With("center", true)), newModel(t, With("center", true))
	defer all.Close()
	defer single.Close()
	done, err := all.ObserveDataset(data)
	ok(t, err)
	if done != 100 {
		t.Error(done)
	}
	for r := uint64(0); r < 100; r++ {
		row, err := data.Row(r)
		ok(t, err)
		ok(t, single.Observe(row.Indices, row.Values, row.Weight))
	}
	got, err := all.MarshalBinary()
	ok(t, err)
	if want, err := single.MarshalBinary(); err != nil || !bytes.Equal(got, want) {
		t.Error("row by row the bits are others", err)
	}
	ok(t, all.Feed(good, nil, 1))
	done, err = all.ObserveDataset(data)
	fails(t, err, ErrState, "")
	if done != 0 {
		t.Error(done)
	}
}

// What a fit and feeding make of labels 0 and 1, as the documentation of Fit says.
func TestLabelsZeroAndOne(t *testing.T) {
	data, err := NewDataset(CSR{[]int64{0, 1, 2}, []uint32{3, 5}, nil}, []float64{0, 1}, nil)
	ok(t, err)
	defer data.Close()
	fitted, fed := newModel(t, With("sampling", "sequential"), With("scale", "none")), newModel(t, With("scale", "none"))
	defer fitted.Close()
	defer fed.Close()
	ok(t, fitted.Fit(context.Background(), data, nil))
	_, err = fed.FeedDataset(data)
	ok(t, err)
	for m, want := range map[*Model][2]float64{fitted: {0, 1}, fed: {-1, 1}} {
		smaller, larger, err := m.Labels()
		ok(t, err)
		if smaller != want[0] || larger != want[1] {
			t.Error(smaller, larger, want)
		}
	}
	score, err := fitted.Predict([]uint32{3}, nil)
	ok(t, err)
	if same, err := fed.Predict([]uint32{3}, nil); err != nil || same != score {
		t.Error(score, same, err)
	}
}

func TestPredictorStaysAsItWas(t *testing.T) {
	m := trained(t)
	defer m.Close()
	want, err := m.Predict(good, nil)
	ok(t, err)
	p, err := m.Predictor()
	ok(t, err)
	path := filepath.Join(t.TempDir(), "model")
	ok(t, m.Save(path))
	loaded, err := LoadPredictor(path)
	ok(t, err)
	file, err := os.Open(path)
	ok(t, err)
	defer file.Close()
	read, err := ReadPredictor(file)
	ok(t, err)
	for i := 0; i < 10; i++ {
		ok(t, m.Feed(good, nil, -1))
	}
	// Whoever holds the model does not matter.
	h, err := m.own()
	ok(t, err)
	for _, p := range []*Predictor{p, loaded, read} {
		if got, err := p.Predict(good, nil); err != nil || got != want {
			t.Error(got, want, err)
		}
	}
	m.release(h, uint64(h.bytes))
	var small bytes.Buffer
	kept, err := p.MarshalBinary()
	ok(t, err)
	_, err = loaded.MarshalBinary()
	ok(t, err)
	again, err := ReadModel(bytes.NewReader(kept))
	ok(t, err)
	defer again.Close()
	_, err = again.WritePredictorTo(&small)
	ok(t, err)
	if !bytes.Equal(small.Bytes(), kept) {
		t.Error("a predictor's bytes are not the predictor's")
	}
	for _, p := range []*Predictor{nil, new(Predictor)} {
		_, err = p.Predict(good, nil)
		fails(t, err, ErrInvalidArgument, "closed")
	}
}

// To be run with -race: predictors are swapped while others predict with the one before, which is garbage soon.
func TestPredictorIsSwapped(t *testing.T) {
	m := trained(t)
	defer m.Close()
	var current atomic.Pointer[Predictor]
	swap := func() {
		ok(t, m.Feed(good, nil, 1))
		p, err := m.Predictor()
		ok(t, err)
		current.Store(p)
	}
	swap()
	var wait sync.WaitGroup
	for g := 0; g < 4; g++ {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for i := 0; i < 2000; i++ {
				if score, err := current.Load().Predict(good, nil); err != nil || score <= 0 {
					t.Error(score, err)
				}
			}
		}()
	}
	for i := 0; i < 50; i++ {
		swap()
		runtime.GC()
	}
	wait.Wait()
}

// What nobody closes makes the collector run once there is much of it, although the collector, which sees little, has no reason to here.
func TestForgottenMemory(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.GC()
	x, labels := benchRows(1000)
	m := newModel(t)
	defer m.Close()
	_, err := m.FeedCSR(x, labels, nil)
	ok(t, err)
	for name, forget := range map[string]func(){
		"models": func() { ok(t, newModel(t).Feed(x.Indices[:1000], nil, 1)) },
		"clones": func() {
			_, err := m.Clone()
			ok(t, err)
		},
		"predictors": func() {
			_, err := m.Predictor()
			ok(t, err)
		},
		"data sets": func() {
			_, err := NewDataset(x, labels, nil)
			ok(t, err)
		},
	} {
		made, most, last := int64(0), int64(0), native.bytes.Load()
		for made < 2*leastLimit {
			forget()
			now := native.bytes.Load()
			if now > last {
				made += now - last
			}
			if last = now; now > most {
				most = now
			}
		}
		t.Logf("%s: %d MB of %d MB at a time", name, most>>20, made>>20)
		if most > 3*leastLimit/2 {
			t.Errorf("%s: %d MB are held", name, most>>20)
		}
	}
	runtime.GC()
}
