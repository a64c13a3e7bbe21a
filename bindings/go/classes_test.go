package sparselin

import (
	"context"
	"errors"
	"math"
	"os"
	"reflect"
	"testing"
)

// Feature k says that a row is of class k.
func threeKinds(t testing.TB, labels ...float64) *Dataset {
	t.Helper()
	var x CSR
	var all []float64
	x.Pointers = []int64{0}
	for i := 0; i < 60; i++ {
		x.Indices = append(x.Indices, uint32(i%3), 9)
		x.Pointers = append(x.Pointers, int64(len(x.Indices)))
		all = append(all, labels[i%3])
	}
	data, err := NewDataset(x, all, nil)
	ok(t, err)
	return data
}

func TestSeveralClasses(t *testing.T) {
	data := threeKinds(t, 7, -2, 4)
	defer data.Close()
	m := newModel(t)
	defer m.Close()
	if classes, err := m.Classes(); err != nil || classes != 1 {
		t.Error(classes, err)
	}
	ok(t, m.Fit(context.Background(), data, nil))
	labels, err := m.ClassLabels()
	ok(t, err)
	if classes, err := m.Classes(); err != nil || classes != 3 || !reflect.DeepEqual(labels, []float64{-2, 4, 7}) {
		t.Error(classes, err, labels)
	}
	p, err := m.Predictor()
	ok(t, err)

	scores, err := m.Scores([]uint32{0, 9}, nil)
	ok(t, err)
	probabilities, err := m.Probabilities(scores)
	ok(t, err)
	sum := math.Exp(scores[0]) + math.Exp(scores[1]) + math.Exp(scores[2])
	for k := range scores {
		bias, err := m.ClassBias(uint64(k))
		ok(t, err)
		indices, weights, err := m.ClassWeights(uint64(k))
		ok(t, err)
		at := bias
		for i, index := range indices {
			if w, err := m.ClassWeight(uint64(k), index); err != nil || w != weights[i] {
				t.Error(w, weights[i], err)
			}
			if index == 0 || index == 9 {
				at += weights[i]
			}
		}
		if math.Abs(at-scores[k]) > 1e-12 || math.Abs(probabilities[k]-math.Exp(scores[k])/sum) > 1e-12 {
			t.Errorf("class %d: score %v, not %v; probability %v", k, scores[k], at, probabilities[k])
		}
	}
	if predicted, err := m.PredictedLabels(scores); err != nil || !reflect.DeepEqual(predicted, []float64{7}) {
		t.Error(predicted, err)
	}

	// Batches are row by row what one row is, of a model and of its predictor.
	x := CSR{Pointers: []int64{0, 2, 2, 3}, Indices: []uint32{0, 9, 1}}
	room := make([]float64, 9)
	batch, err := m.ScoresCSR(x, room)
	ok(t, err)
	if &batch[0] != &room[0] || !reflect.DeepEqual(batch[:3], scores) {
		t.Error(batch, scores)
	}
	again, err := p.ScoresCSR(x, nil)
	ok(t, err)
	of, err := m.ProbabilitiesCSR(x, nil)
	ok(t, err)
	same, err := p.Probabilities(batch)
	ok(t, err)
	if !reflect.DeepEqual(again, batch) || !reflect.DeepEqual(of, same) || !reflect.DeepEqual(of[:3], probabilities) {
		t.Error(again, batch, of, same)
	}
	all, err := m.ScoresDataset(data, nil)
	ok(t, err)
	fromPredictor, err := p.ScoresDataset(data, nil)
	ok(t, err)
	if len(all) != 180 || !reflect.DeepEqual(all[:3], scores) || !reflect.DeepEqual(all, fromPredictor) {
		t.Error(len(all), all[:3], scores)
	}
	predicted, err := p.PredictedLabels(all)
	ok(t, err)
	if len(predicted) != 60 || predicted[0] != 7 || predicted[1] != -2 || predicted[2] != 4 {
		t.Error(predicted)
	}
	of, err = p.ProbabilitiesDataset(data, nil)
	ok(t, err)
	if len(of) != 180 || !reflect.DeepEqual(of[:3], probabilities) {
		t.Error(of)
	}
	labels, err = p.ClassLabels()
	ok(t, err)
	single, err := p.Scores([]uint32{0, 9}, nil)
	ok(t, err)
	if classes, err := p.Classes(); err != nil || classes != 3 || len(labels) != 3 || !reflect.DeepEqual(single, scores) {
		t.Error(classes, err, labels, single)
	}

	counts, err := m.Confusion(data)
	ok(t, err)
	if !reflect.DeepEqual(counts, [][]float64{{20, 0, 0}, {0, 20, 0}, {0, 0, 20}}) {
		t.Error(counts)
	}
	turned, err := data.WithLabels(append([]float64{4}, laterLabels(t, data)...), nil)
	ok(t, err)
	defer turned.Close()
	if counts, err = m.Confusion(turned); err != nil || counts[1][2] != 1 || counts[2][1] != 0 || counts[2][2] != 19 {
		t.Error(counts, err)
	}
	if f1, err := m.Evaluate(data, "macro_f1"); err != nil || f1 != 1 {
		t.Error(f1, err)
	}
}

// The labels of the rows but the first.
func laterLabels(t testing.TB, data *Dataset) (labels []float64) {
	for r := uint64(1); r < 60; r++ {
		row, err := data.Row(r)
		ok(t, err)
		labels = append(labels, row.Label)
	}
	return labels
}

func TestSetLabels(t *testing.T) {
	m := newModel(t)
	defer m.Close()
	fails(t, m.SetLabels(nil), ErrInvalidArgument, "")
	fails(t, m.SetLabels([]float64{1}), ErrInvalidArgument, "")
	fails(t, m.SetLabels([]float64{1, 2.5, 1}), ErrInvalidData, "1")
	fails(t, m.SetLabels([]float64{1, math.NaN()}), ErrInvalidData, "nan")
	ok(t, m.SetLabels([]float64{3, 1, 2.5}))
	fails(t, m.SetLabels([]float64{3, 1, 2.5}), ErrState, "")
	labels, err := m.ClassLabels()
	ok(t, err)
	if !reflect.DeepEqual(labels, []float64{1, 2.5, 3}) {
		t.Error(labels)
	}
	ok(t, m.Feed(good, nil, 2.5))
	fails(t, m.Feed(good, nil, 2), ErrInvalidData, "2")
}

// Models of one score are served, too.
func TestClassesOfOneScore(t *testing.T) {
	m := trained(t)
	defer m.Close()
	want, err := m.Predict(good, nil)
	ok(t, err)
	scores, err := m.Scores(good, nil)
	ok(t, err)
	probability, err := m.Probability(want)
	ok(t, err)
	probabilities, err := m.Probabilities(scores)
	ok(t, err)
	labels, err := m.PredictedLabels(append(scores, -1))
	ok(t, err)
	pair, err := m.ClassLabels()
	ok(t, err)
	if !reflect.DeepEqual(scores, []float64{want}) || !reflect.DeepEqual(probabilities, []float64{probability}) ||
		!reflect.DeepEqual(labels, []float64{1, -1}) || !reflect.DeepEqual(pair, []float64{-1, 1}) {
		t.Error(scores, want, probabilities, probability, labels, pair)
	}
}

func TestClassesRefuse(t *testing.T) {
	data := threeKinds(t, 0, 1, 2)
	defer data.Close()
	m := newModel(t, With("loss", "hinge"), With("classes", 3))
	ok(t, m.Fit(context.Background(), data, nil))
	p, err := m.Predictor()
	ok(t, err)
	_, err = m.Predict(good, nil)
	fails(t, err, ErrState, "use Scores")
	_, err = m.Bias()
	fails(t, err, ErrState, "use ClassBias")
	_, err = m.PredictCSR(CSR{}, nil)
	fails(t, err, ErrState, "use ScoresCSR")
	_, err = m.PredictDataset(data, nil)
	fails(t, err, ErrState, "use ScoresDataset")
	_, _, err = m.Labels()
	fails(t, err, ErrState, "use ClassLabels")
	_, err = m.Label(1)
	fails(t, err, ErrState, "use PredictedLabels")
	_, _, err = m.Weights()
	fails(t, err, ErrState, "use ClassWeights")
	_, err = m.Encoder()
	fails(t, err, ErrState, "SetEncoder gives it one")
	fails(t, m.Feed(good, nil, 3), ErrInvalidData, "(SetLabels)")
	_, err = New(With("hash_bits", 9))
	fails(t, err, ErrInvalidOption, "give it to NewEncoder")
	_, err = NewEncoder(With("classes", 3))
	fails(t, err, ErrInvalidOption, "give it to New")
	_, err = m.ClassBias(3)
	fails(t, err, ErrInvalidArgument, "3")
	_, err = m.ClassWeight(3, 0)
	fails(t, err, ErrInvalidArgument, "3")
	_, _, err = m.ClassWeights(3)
	fails(t, err, ErrInvalidArgument, "3")
	_, err = m.Scores(good, []float64{1})
	fails(t, err, ErrInvalidArgument, "values")
	_, err = m.Scores(good, []float64{1, math.Inf(1)})
	fails(t, err, ErrInvalidData, "inf")
	x := CSR{Pointers: []int64{0, 1, 2}, Indices: []uint32{1, 2}, Values: []float64{1, math.NaN()}}
	_, err = m.ScoresCSR(x, nil)
	fails(t, err, ErrInvalidData, "row 1: ")
	_, err = m.ScoresCSR(x, make([]float64, 5))
	fails(t, err, ErrInvalidArgument, "scores has 5 entries, but rows 2, of 3 each")
	_, err = m.ScoresCSR(CSR{Pointers: []int64{0, 3}, Indices: []uint32{1}}, nil)
	fails(t, err, ErrInvalidArgument, "pointer 1 is 3")
	_, err = m.ScoresDataset(data, make([]float64, 60))
	fails(t, err, ErrInvalidArgument, "scores has 60 entries")
	_, err = m.Probabilities([]float64{1, 2, 3})
	fails(t, err, ErrState, "loss")
	_, err = m.ProbabilitiesCSR(CSR{}, nil)
	fails(t, err, ErrState, "loss")
	_, err = m.PredictedLabels([]float64{1, 2, 3, 4})
	fails(t, err, ErrInvalidArgument, "4 entries")
	_, err = m.PredictedLabels([]float64{1, 2, math.NaN()})
	fails(t, err, ErrInvalidData, "row 0: ")
	if none, err := m.ScoresCSR(CSR{}, nil); err != nil || none == nil || len(none) != 0 {
		t.Error(none, err)
	}
	if none, err := m.PredictedLabels(nil); err != nil || len(none) != 0 {
		t.Error(none, err)
	}
	other := threeKinds(t, 0, 1, 5)
	defer other.Close()
	_, err = m.Confusion(other)
	fails(t, err, ErrInvalidData, "row 2: ")
	ok(t, other.Close())
	_, err = m.Confusion(other)
	fails(t, err, ErrInvalidArgument, "closed")
	_, err = p.ScoresDataset(other, nil)
	fails(t, err, ErrInvalidArgument, "closed")
	fresh := newModel(t)
	defer fresh.Close()
	_, err = fresh.ClassLabels()
	fails(t, err, ErrState, "")
	_, err = fresh.Confusion(data)
	fails(t, err, ErrState, "")

	ok(t, m.Close())
	for _, m := range []*Model{m, new(Model), nil} {
		_, e1 := m.Classes()
		_, e2 := m.ClassLabels()
		_, e3 := m.Scores(good, nil)
		_, e4 := m.ScoresCSR(x, nil)
		_, e5 := m.ScoresDataset(data, nil)
		_, e6 := m.Probabilities(nil)
		_, e7 := m.PredictedLabels(nil)
		_, e8 := m.ClassBias(0)
		_, _, e9 := m.ClassWeights(0)
		_, e10 := m.Confusion(data)
		for i, err := range []error{e1, e2, e3, e4, e5, e6, e7, e8, e9, e10, m.SetLabels([]float64{1, 2})} {
			fails(t, err, ErrInvalidArgument, "closed")
			if !errors.Is(err, os.ErrClosed) {
				t.Error(i, err)
			}
		}
	}
	for _, p := range []*Predictor{new(Predictor), nil} {
		_, err = p.Scores(good, nil)
		fails(t, err, ErrInvalidArgument, "closed")
		_, err = p.PredictedLabels(nil)
		fails(t, err, ErrInvalidArgument, "closed")
	}
}
