package sparselin

import (
	"context"
	"fmt"
	"strings"

	"sparselin.org/sparselin/bindings/go/internal/slc"
)

// A SearchPlan says which models a search fits and how it judges them. The zero SearchPlan judges the model of all defaults in five folds.
type SearchPlan struct {
	// Options are what all models have in common. Where neither they nor the grid name preset, average, sparse_average or center, and there
	// is a grid, it has sparse_average=true besides: else averages keep weights from becoming 0.
	Options []Option
	// Grid has values by option, "l1=0,1e-6,1e-5 l2=0,1e-6": every combination is a model, of which the last option's values change fastest.
	Grid string
	// One of these three: cross-validation in so many folds, 5 if none is given; about this share of the rows held out; or rows that judge
	// models of all of the data. Which rows are held out is fixed by the option seed, and every fold has its share of every label.
	Folds   uint32
	Holdout float64
	Test    *Dataset
	// Metric is as Model.Evaluate takes it; "" is that of the loss.
	Metric string
	// Threads fit a model each: so many, or one if it is 0. Any number gives the same bits.
	Threads uint32
}

// A SearchModel is a model of a search, and how it did.
type SearchModel struct {
	Settings      string    // what the grid has for it, "l1=0 l2=1e-06 sparse_average=true"
	Options       []Option  // all that were given: New(found.Options...), fitted to all of the data, is this model
	Mean          float64   // of the metric over the folds
	StandardError float64   // of that mean, 0 where there is one value only
	Nonzeros      float64   // weights that are not 0, the mean over the folds
	Values        []float64 // the metric in each fold
}

// A SearchResult is what a search found.
type SearchResult struct {
	Metric         string
	LargerIsBetter bool
	Models         []SearchModel // in the grid's order
	Best           *SearchModel  // of Models
	Sparsest       *SearchModel  // of those whose mean is within one standard error of the best's
	Splits         []uint32      // the fold of each row, 0 if it is held out; none where there was a test set
}

// Search fits the models of a grid of options, and judges each by rows that it did not learn. Progress and the context are as those of
// Model.Fit: rows are those of all fits together, and Epoch counts the fits that are complete.
func Search(ctx context.Context, data *Dataset, plan SearchPlan, progress func(Progress)) (*SearchResult, error) {
	if err := checkText("grid", plan.Grid, ErrInvalidArgument); err != nil {
		return nil, err
	}
	if err := checkText("metric", plan.Metric, ErrInvalidArgument); err != nil {
		return nil, err
	}
	d, err := data.acquire()
	if err != nil {
		return nil, err
	}
	defer d.release()
	var test uintptr
	if plan.Test != nil {
		t, err := plan.Test.acquire()
		if err != nil {
			return nil, err
		}
		defer t.release()
		test = t.p
	}
	if plan.Folds == 0 && plan.Holdout == 0 && plan.Test == nil {
		plan.Folds = 5
	}
	if plan.Threads == 0 {
		plan.Threads = 1
	}
	var found *SearchResult
	err = withOptions(plan.Options, func(options uintptr) error {
		f := new(slc.Failure)
		var search uintptr
		err := watched(ctx, progress, f, func(call uintptr) {
			search = slc.Search_run(options, plan.Grid, d.p, test, plan.Folds, plan.Holdout, plan.Metric, plan.Threads, call, f)
		})
		if err != nil {
			return err
		}
		defer slc.Search_free(search)
		found = foundBy(search, plan.Options, f)
		return taken(f)
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

func foundBy(search uintptr, common []Option, f *slc.Failure) *SearchResult {
	var shape [5]uint64
	for what := range shape {
		shape[what] = slc.Search_shape(search, int32(what), f)
	}
	found := &SearchResult{
		Metric:         slc.Search_metric(search, f),
		LargerIsBetter: shape[4] != 0,
		Models:         make([]SearchModel, shape[0]),
		Splits:         make([]uint32, slc.Search_splits(search, nil, f)),
	}
	if len(found.Models) == 0 { // what was asked for could not be had, which f says
		return found
	}
	slc.Search_splits(search, found.Splits, f)
	for i := range found.Models {
		m := &found.Models[i]
		m.Settings = slc.Search_settings(search, uint64(i), f)
		m.Options = append(m.Options, common...)
		for _, setting := range strings.Fields(m.Settings) {
			name, value, _ := strings.Cut(setting, "=")
			m.Options = append(m.Options, With(name, value))
		}
		var figures [3]float64
		slc.Search_model(search, uint64(i), figures[:], f)
		m.Mean, m.StandardError, m.Nonzeros = figures[0], figures[1], figures[2]
		m.Values = make([]float64, shape[1])
		slc.Search_values(search, uint64(i), m.Values, f)
	}
	found.Best, found.Sparsest = &found.Models[shape[2]], &found.Models[shape[3]]
	return found
}

// CalibrationBin is of rows of a share of the weight, whose probabilities are next to each other.
type CalibrationBin struct {
	Predicted float64 // mean probability
	Observed  float64 // share of the larger label
	Chance    float64 // standard deviation that this share has where the probabilities are right
}

// Calibration says how far probabilities are from frequencies: rows in ascending order of the probability of the larger label fill bins of
// equal weight. Labels are -1 (or 0) and 1; nil weights are all ones.
func Calibration(probabilities, labels, weights []float64, bins int) ([]CalibrationBin, error) {
	if bins < 1 || bins > 1<<20 {
		return nil, failed(ErrInvalidArgument, fmt.Sprintf("bins is %d, but must be from 1 to 1048576", bins), nil)
	}
	predicted, observed, chance := make([]float64, bins), make([]float64, bins), make([]float64, bins)
	f := new(slc.Failure)
	slc.Calibration(probabilities, labels, weights, predicted, observed, chance, f)
	if err := taken(f); err != nil {
		return nil, err
	}
	found := make([]CalibrationBin, bins)
	for k := range found {
		found[k] = CalibrationBin{predicted[k], observed[k], chance[k]}
	}
	return found, nil
}

// EvaluateScores returns a figure of merit of scores from anywhere, without a model: those of Model.Evaluate but loss and objective. Nil
// weights are all ones.
//
// Labels are -1 (or 0) and 1, one for each score: the larger is predicted above 0, and its probability is 1 / (1 + exp(-score)), so that the
// score of a probability p is log(p / (1 - p)). Where there are K times as many scores as labels, from K = 3 on, row by row, labels are 0 to
// K-1, the largest score is predicted, and the score of a probability p is log(p). Of rmse, mae and r2 labels are any numbers.
func EvaluateScores(metric string, scores, labels, weights []float64) (float64, error) {
	if err := checkText("metric", metric, ErrInvalidArgument); err != nil {
		return 0, err
	}
	f := new(slc.Failure)
	value := slc.Evaluate_scores(metric, scores, labels, weights, f)
	if err := taken(f); err != nil {
		return 0, err
	}
	return value, nil
}
