package sparselin

import "sparselin.org/sparselin/bindings/go/internal/slc"

// Predict returns the score of an example. Nil values are all ones; an index never seen in training contributes 0.
func (m *Model) Predict(indices []uint32, values []float64) (float64, error) {
	return look(m, func(p uintptr, f *slc.Failure) float64 { return slc.Predict(p, indices, values, f) })
}

// PredictCSR returns the scores of all rows, in scores if that is not nil (it must have a place for each) and else in a new slice.
func (m *Model) PredictCSR(rows CSR, scores []float64) ([]float64, error) {
	count := uint64(rows.Rows())
	if scores == nil {
		scores = make([]float64, count)
	}
	_, err := look(m, func(p uintptr, f *slc.Failure) int32 {
		return slc.Model_predict_csr(p, rows.Pointers, rows.Indices, rows.Values, 0, count, scores, f)
	})
	if err != nil {
		return nil, err
	}
	return scores, nil
}

// PredictDataset returns the scores of all rows of the data.
func (m *Model) PredictDataset(data *Dataset) ([]float64, error) {
	d, err := data.acquire()
	if err != nil {
		return nil, err
	}
	defer d.release()
	var f slc.Failure
	scores := make([]float64, slc.Dataset_rows(d.p, &f))
	if err := taken(&f); err != nil {
		return nil, err
	}
	_, err = look(m, func(p uintptr, f *slc.Failure) int32 { return slc.Model_predict_dataset(p, d.p, scores, f) })
	if err != nil {
		return nil, err
	}
	return scores, nil
}

// Probability returns the probability of the larger label, given a score. The loss must be log.
func (m *Model) Probability(score float64) (float64, error) {
	return look(m, func(p uintptr, f *slc.Failure) float64 { return slc.Model_probability(p, score, f) })
}

// Label returns the label that a score stands for: the larger if score > 0, else the smaller.
func (m *Model) Label(score float64) (float64, error) {
	return look(m, func(p uintptr, f *slc.Failure) float64 { return slc.Model_label(p, score, f) })
}

// Labels returns the pair of labels.
func (m *Model) Labels() (smaller, larger float64, err error) {
	pair, err := look(m, func(p uintptr, f *slc.Failure) [2]float64 {
		return [2]float64{slc.Model_smaller_label(p, f), slc.Model_larger_label(p, f)}
	})
	return pair[0], pair[1], err
}

// Evaluate returns a figure of merit on data, every row counted with its weight: loss, objective, error_rate, auc, log_loss,
// brier, calibration_error, rmse, mae or r2.
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
