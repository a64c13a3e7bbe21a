package sparselin

import (
	"fmt"

	"sparselin.org/sparselin/bindings/go/internal/slc"
)

// What models and predictors have in common.

func (h *handle) predict(indices []uint32, values []float64) (float64, error) {
	return see(h, func(p uintptr, f *slc.Failure) float64 { return slc.Predict(p, indices, values, f) })
}

func (h *handle) probability(score float64) (float64, error) {
	return see(h, func(p uintptr, f *slc.Failure) float64 { return slc.Model_probability(p, score, f) })
}

// Both is a score and its probability.
type both struct{ score, probability float64 }

func (h *handle) predictProbability(indices []uint32, values []float64) (b both, err error) {
	if b.score, err = h.predict(indices, values); err == nil {
		b.probability, err = h.probability(b.score)
	}
	return b, err
}

// place returns scores, or a new slice if that is nil, with a place for each row.
func place(scores []float64, rows uint64) ([]float64, error) {
	if scores == nil {
		return make([]float64, rows), nil
	}
	if uint64(len(scores)) != rows {
		return nil, failed(ErrInvalidArgument, fmt.Sprintf("scores has %d entries, but rows %d", len(scores), rows), nil)
	}
	return scores, nil
}

func (h *handle) predictCSR(rows CSR, scores []float64) ([]float64, error) {
	count := uint64(rows.Rows())
	scores, err := place(scores, count)
	if err != nil {
		return nil, err
	}
	_, err = see(h, func(p uintptr, f *slc.Failure) int32 {
		return slc.Model_predict_csr(p, rows.pointers(), rows.Indices, rows.Values, 0, count, scores, f)
	})
	if err != nil {
		return nil, err
	}
	return scores, nil
}

func (h *handle) predictDataset(data *Dataset, scores []float64) ([]float64, error) {
	d, err := data.acquire()
	if err != nil {
		return nil, err
	}
	defer d.release()
	count, err := see(h, func(_ uintptr, f *slc.Failure) uint64 { return slc.Dataset_rows(d.p, f) })
	if err != nil {
		return nil, err
	}
	if scores, err = place(scores, count); err != nil {
		return nil, err
	}
	if _, err = see(h, func(p uintptr, f *slc.Failure) int32 { return slc.Model_predict_dataset(p, d.p, scores, f) }); err != nil {
		return nil, err
	}
	return scores, nil
}

// probabilities turns the scores of rows into probabilities, if there are any for this loss.
func (h *handle) probabilities(score func() ([]float64, error)) ([]float64, error) {
	if err := h.turn(nil); err != nil {
		return nil, err
	}
	scores, err := score()
	if err == nil {
		err = h.turn(scores)
	}
	return scores, err
}

func (h *handle) probabilitiesCSR(rows CSR, probabilities []float64) ([]float64, error) {
	return h.probabilities(func() ([]float64, error) { return h.scoresCSR(rows, probabilities) })
}

func (h *handle) probabilitiesDataset(data *Dataset, probabilities []float64) ([]float64, error) {
	return h.probabilities(func() ([]float64, error) { return h.scoresDataset(data, probabilities) })
}

func (h *handle) describe(what string) (string, error) {
	return see(h, func(p uintptr, f *slc.Failure) string {
		return fmt.Sprintf("sparselin.%s(loss %s, steps %d, dimension %d)", what, slc.Model_option(p, "loss", f), slc.Model_steps(p, f), slc.Model_dimension(p, f))
	})
}

func (h *handle) label(score float64) (float64, error) {
	return see(h, func(p uintptr, f *slc.Failure) float64 { return slc.Model_label(p, score, f) })
}

func (h *handle) labels() ([2]float64, error) {
	return see(h, func(p uintptr, f *slc.Failure) [2]float64 {
		return [2]float64{slc.Model_smaller_label(p, f), slc.Model_larger_label(p, f)}
	})
}

// Predict returns the score of an example. Nil values are all ones; an index never seen in training contributes 0.
func (m *Model) Predict(indices []uint32, values []float64) (float64, error) {
	return with(m, func(h *handle) (float64, error) { return h.predict(indices, values) })
}

// PredictProbability returns the score of an example and the probability of the larger label. The loss must give it, as log does.
func (m *Model) PredictProbability(indices []uint32, values []float64) (score, probability float64, err error) {
	b, err := with(m, func(h *handle) (both, error) { return h.predictProbability(indices, values) })
	return b.score, b.probability, err
}

// PredictCSR returns the scores of all rows, in scores if that is not nil (it must have a place for each) and else in a new slice.
func (m *Model) PredictCSR(rows CSR, scores []float64) ([]float64, error) {
	return with(m, func(h *handle) ([]float64, error) { return h.predictCSR(rows, scores) })
}

// PredictDataset returns the scores of all rows of the data, in scores as PredictCSR does.
func (m *Model) PredictDataset(data *Dataset, scores []float64) ([]float64, error) {
	return with(m, func(h *handle) ([]float64, error) { return h.predictDataset(data, scores) })
}

// ProbabilitiesCSR returns the probabilities of all rows, where ScoresCSR returns the scores: one for each class, or that of the
// larger of two labels. The loss must give them, as log does.
func (m *Model) ProbabilitiesCSR(rows CSR, probabilities []float64) ([]float64, error) {
	return with(m, func(h *handle) ([]float64, error) { return h.probabilitiesCSR(rows, probabilities) })
}

// ProbabilitiesDataset returns the probabilities of all rows of the data, as ProbabilitiesCSR does. The loss must give them, as log does.
func (m *Model) ProbabilitiesDataset(data *Dataset, probabilities []float64) ([]float64, error) {
	return with(m, func(h *handle) ([]float64, error) { return h.probabilitiesDataset(data, probabilities) })
}

// Probability returns the probability of the larger label, given a score. The loss must give it, as log does.
func (m *Model) Probability(score float64) (float64, error) {
	return with(m, func(h *handle) (float64, error) { return h.probability(score) })
}

// Label returns the label that a score stands for: the larger if score > 0, else the smaller.
func (m *Model) Label(score float64) (float64, error) {
	return with(m, func(h *handle) (float64, error) { return h.label(score) })
}

// Labels returns the pair of labels, of which Fit says what it is.
func (m *Model) Labels() (smaller, larger float64, err error) {
	pair, err := with(m, (*handle).labels)
	return pair[0], pair[1], err
}

// Evaluate returns a figure of merit on data, every row counted with its weight: loss, objective, error_rate, f1,
// macro_f1, mcc, auc, average_precision, log_loss, brier, calibration_error, rmse, mae or r2. Models of several classes have loss, objective,
// error_rate, macro_f1, mcc and log_loss.
func (m *Model) Evaluate(data *Dataset, metric string) (float64, error) {
	if err := checkText("metric", metric, ErrInvalidArgument); err != nil {
		return 0, err
	}
	d, err := data.acquire()
	if err != nil {
		return 0, err
	}
	defer d.release()
	return look(m, func(p uintptr, f *slc.Failure) float64 { return slc.Model_evaluate(p, d.p, metric, f) })
}
