package sparselin

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"
)

// mail returns the training or the test mail of examples/data.
func mail(t testing.TB, part string) *Dataset {
	t.Helper()
	file, err := os.Open("../../examples/data/spam." + part + ".svm.gz")
	ok(t, err)
	defer file.Close()
	data, err := ReadDataset(file)
	ok(t, err)
	return data
}

// The lines are what `sparselin tune spam.train.svm.gz --folds 3 --grid l1=0,1e-5,1e-4 --grid l2=1e-6,1e-3` prints.
func TestSearchHasTheFiguresOfTheProgram(t *testing.T) {
	data := mail(t, "train")
	found, err := Search(context.Background(), data, SearchPlan{
		Grid: "l1=0,1e-5,1e-4 l2=1e-6,1e-3", Folds: 3, Threads: 2}, nil)
	ok(t, err)
	lines := []string{}
	for i := range found.Models {
		m := &found.Models[i]
		line := fmt.Sprintf("%.6g %.3g %.6g %s", m.Mean, m.StandardError, m.Nonzeros, m.Settings)
		if m == found.Best {
			line += " best"
		}
		if m == found.Sparsest {
			line += " sparsest"
		}
		lines = append(lines, line)
	}
	want := []string{
		"0.0602588 0.00258 13788.3 l1=0 l2=1e-06 sparse_average=true best",
		"0.0618974 0.00226 13788.3 l1=0 l2=0.001 sparse_average=true",
		"0.0605301 0.00253 12491.7 l1=1e-05 l2=1e-06 sparse_average=true sparsest",
		"0.0621961 0.00222 12575.3 l1=1e-05 l2=0.001 sparse_average=true",
		"0.0630352 0.00215 7840.67 l1=1e-04 l2=1e-06 sparse_average=true",
		"0.065005 0.00193 7901.67 l1=1e-04 l2=0.001 sparse_average=true",
	}
	if !reflect.DeepEqual(lines, want) || found.Metric != "log_loss" || found.LargerIsBetter || len(found.Splits) != 4821 {
		t.Errorf("%s of\n%s", found.Metric, strings.Join(lines, "\n"))
	}
}

func TestSearchByATestSet(t *testing.T) {
	data, test := mail(t, "train"), mail(t, "test")
	found, err := Search(context.Background(), data, SearchPlan{
		Options: []Option{With("l1", 1e-5), With("loss", "hinge")}, Grid: "epochs=1,2 l1=0,1e-4", Test: test, Metric: "auc"}, nil)
	ok(t, err)
	if !found.LargerIsBetter || len(found.Models) != 4 || len(found.Splits) != 0 {
		t.Errorf("%+v", found)
	}
	for _, given := range found.Models {
		m, err := New(given.Options...)
		ok(t, err)
		ok(t, m.Fit(context.Background(), data, nil))
		auc, err := m.Evaluate(test, "auc")
		ok(t, err)
		indices, _, err := m.Weights()
		ok(t, err)
		if auc != given.Mean || !reflect.DeepEqual(given.Values, []float64{auc}) || given.Nonzeros != float64(len(indices)) || given.Mean > found.Best.Mean {
			t.Errorf("%+v is %v by hand", given, auc)
		}
	}
}

func TestSearchTellsItsProgress(t *testing.T) {
	data := someData(t, 1000)
	plan := SearchPlan{Grid: "l2=0,1e-3", Holdout: 0.25}
	var last Progress
	found, err := Search(context.Background(), data, plan, func(p Progress) { last = p })
	ok(t, err)
	held := 0
	for _, split := range found.Splits {
		if split == 0 {
			held++
		}
	}
	if last.Epoch != 2 || last.Rows != last.RowsTotal || held != 250 || len(found.Best.Values) != 1 {
		t.Errorf("%+v, %d held out", last, held)
	}
	found, err = Search(context.Background(), data, SearchPlan{}, nil)
	ok(t, err)
	if len(found.Models) != 1 || found.Best != found.Sparsest || len(found.Best.Values) != 5 || found.Best.Settings != "" {
		t.Errorf("%+v", found)
	}
	ctx, cancel := context.WithCancel(context.Background())
	_, err = Search(ctx, data, plan, func(Progress) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	defer func() {
		if recover() != "mine" {
			t.Error("the panic was lost")
		}
	}()
	Search(context.Background(), data, plan, func(Progress) { panic("mine") })
}

func TestSearchRefuses(t *testing.T) {
	data := someData(t, 100)
	gone := someData(t, 10)
	ok(t, gone.Close())
	for _, c := range []struct {
		data *Dataset
		plan SearchPlan
		want Status
	}{
		{data, SearchPlan{Grid: "l1"}, ErrInvalidArgument},
		{data, SearchPlan{Grid: "l1=\x00"}, ErrInvalidArgument},
		{data, SearchPlan{Grid: "l1=-1"}, ErrInvalidOption},
		{data, SearchPlan{Options: []Option{With("leaf", 1)}}, ErrInvalidOption},
		{data, SearchPlan{Folds: 3, Holdout: 0.5}, ErrInvalidArgument},
		{data, SearchPlan{Metric: "accuracy"}, ErrInvalidArgument},
		{data, SearchPlan{Options: []Option{With("loss", "squared")}, Metric: "auc"}, ErrState},
		{data, SearchPlan{Threads: 4711}, ErrInvalidArgument},
		{gone, SearchPlan{}, ErrInvalidArgument},
		{nil, SearchPlan{}, ErrInvalidArgument},
		{data, SearchPlan{Test: gone}, ErrInvalidArgument},
	} {
		if found, err := Search(context.Background(), c.data, c.plan, nil); !errors.Is(err, c.want) || found != nil {
			t.Errorf("%+v: %v", c.plan, err)
		}
	}
}

func TestEvaluateScores(t *testing.T) {
	data, test := mail(t, "train"), mail(t, "test")
	m, err := New()
	ok(t, err)
	ok(t, m.Fit(context.Background(), data, nil))
	scores, err := m.PredictDataset(test, nil)
	ok(t, err)
	labels := make([]float64, len(scores))
	for r := range labels {
		row, err := test.Row(uint64(r))
		ok(t, err)
		labels[r] = row.Label
	}
	for _, metric := range []string{"error_rate", "auc", "log_loss", "mcc"} {
		want, err := m.Evaluate(test, metric)
		ok(t, err)
		if value, err := EvaluateScores(metric, scores, labels, nil); err != nil || value != want {
			t.Errorf("%s is %v (%v), of the model %v", metric, value, err, want)
		}
	}
	if value, err := EvaluateScores("error_rate", []float64{1, 2, 3, 3, 2, 1}, []float64{2, 1}, []float64{3, 1}); err != nil || value != 0.25 {
		t.Error(value, err)
	}
	bins, err := Calibration([]float64{0.25, 0.5, 0.5, 1}, []float64{0, 1, 0, 1}, nil, 2)
	ok(t, err)
	if want := (CalibrationBin{0.75, 0.75, math.Sqrt(0.25) / 2}); len(bins) != 2 || bins[1] != want {
		t.Error(bins)
	}
	for _, bins := range []int{-3, 0, 1<<20 + 1} {
		_, err = Calibration([]float64{0.5}, []float64{1}, nil, bins)
		fails(t, err, ErrInvalidArgument, fmt.Sprint("bins is ", bins))
	}
	_, err = Calibration([]float64{0.5, 2}, []float64{1, 1}, nil, 2)
	fails(t, err, ErrInvalidData, "row 1: the probability is 2")
	for _, c := range []struct {
		metric                  string
		scores, labels, weights []float64
		want                    Status
	}{
		{"auc", []float64{1, 2, 3, 4, 5}, []float64{1, -1}, nil, ErrInvalidArgument},
		{"auc", []float64{1, 2}, []float64{1, -1}, []float64{1}, ErrInvalidArgument},
		{"auc\x00", []float64{1, 2}, []float64{1, -1}, nil, ErrInvalidArgument},
		{"auc", nil, nil, nil, ErrInvalidData},
	} {
		if _, err := EvaluateScores(c.metric, c.scores, c.labels, c.weights); !errors.Is(err, c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
