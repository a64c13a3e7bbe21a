package sparselin

import (
	"fmt"

	"sparselin.org/sparselin/bindings/go/internal/slc"
)

// Models of several classes: a loss that tells labels apart, and three labels or more. Such a model has a bias, weights and a score for
// each class, and refuses the calls of one score, naming the one to use. What is here serves models of one score, too. Classes are numbered
// from 0 by ascending label.

// all scores so many rows, in scores if that is not nil and else in a new slice, with a place for each class of each row.
func (h *handle) all(rows uint64, scores []float64, call func(p uintptr, scores []float64, f *slc.Failure)) ([]float64, error) {
	classes, err := see(h, slc.Model_classes)
	if err != nil {
		return nil, err
	}
	if scores == nil {
		scores = make([]float64, rows*classes)
	}
	if uint64(len(scores)) != rows*classes {
		return nil, failed(ErrInvalidArgument, fmt.Sprintf("scores has %d entries, but rows %d, of %d each", len(scores), rows, classes), nil)
	}
	if _, err = see(h, func(p uintptr, f *slc.Failure) bool { call(p, scores, f); return true }); err != nil {
		return nil, err
	}
	return scores, nil
}

func (h *handle) scores(indices []uint32, values []float64) ([]float64, error) {
	return h.all(1, nil, func(p uintptr, scores []float64, f *slc.Failure) { slc.Model_scores(p, indices, values, scores, f) })
}

func (h *handle) scoresCSR(rows CSR, scores []float64) ([]float64, error) {
	return h.all(uint64(rows.Rows()), scores, func(p uintptr, scores []float64, f *slc.Failure) {
		slc.Model_scores_csr(p, rows.pointers(), rows.Indices, rows.Values, 0, uint64(rows.Rows()), scores, f)
	})
}

func (h *handle) scoresDataset(data *Dataset, scores []float64) ([]float64, error) {
	d, err := data.acquire()
	if err != nil {
		return nil, err
	}
	defer d.release()
	count, err := see(h, func(_ uintptr, f *slc.Failure) uint64 { return slc.Dataset_rows(d.p, f) })
	if err != nil {
		return nil, err
	}
	return h.all(count, scores, func(p uintptr, scores []float64, f *slc.Failure) { slc.Model_scores_dataset(p, d.p, scores, f) })
}

// rowsOf returns how many rows so many scores are.
func (h *handle) rowsOf(scores []float64) (uint64, error) {
	classes, err := see(h, slc.Model_classes)
	if err == nil && uint64(len(scores))%classes != 0 {
		err = failed(ErrInvalidArgument, fmt.Sprintf("scores has %d entries, which are no rows of %d classes", len(scores), classes), nil)
	}
	if err != nil {
		return 0, err
	}
	return uint64(len(scores)) / classes, nil
}

// turn makes scores probabilities, in place.
func (h *handle) turn(scores []float64) error {
	_, err := h.rowsOf(scores)
	if err == nil {
		_, err = see(h, func(p uintptr, f *slc.Failure) int32 { return slc.Model_probabilities(p, scores, scores, f) })
	}
	return err
}

func (h *handle) probabilitiesOf(scores []float64) ([]float64, error) {
	probabilities := append(make([]float64, 0, len(scores)), scores...)
	if err := h.turn(probabilities); err != nil {
		return nil, err
	}
	return probabilities, nil
}

func (h *handle) predictedLabels(scores []float64) ([]float64, error) {
	rows, err := h.rowsOf(scores)
	if err != nil {
		return nil, err
	}
	labels := make([]float64, rows)
	if _, err = see(h, func(p uintptr, f *slc.Failure) int32 { return slc.Model_predicted_labels(p, scores, labels, f) }); err != nil {
		return nil, err
	}
	return labels, nil
}

func (h *handle) classLabels() (labels []float64, err error) {
	_, err = see(h, func(p uintptr, f *slc.Failure) bool {
		count := slc.Model_class_labels(p, nil, f)
		labels = make([]float64, count)
		if f.Status() == 0 {
			slc.Model_class_labels(p, labels, f)
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	return labels, nil
}

// SetLabels fixes the labels of the classes, in any order: for streams, of which the caller alone knows all labels beforehand. Two are the pair
// of labels; three and more make it a model of so many classes. Without it Fit takes the labels of its data, where they are whole numbers, and
// feeding takes 0 to K-1 where the option classes is K.
func (m *Model) SetLabels(labels []float64) error {
	return m.change(func(p uintptr, f *slc.Failure) { slc.Model_set_labels(p, labels, f) })
}

// Classes returns how many scores a row has: the number of classes if there are three or more, and else 1.
func (m *Model) Classes() (uint64, error) { return look(m, slc.Model_classes) }

// ClassLabels returns the labels of the classes, ascending; of a model of two labels its pair.
func (m *Model) ClassLabels() ([]float64, error) { return with(m, (*handle).classLabels) }

// Scores returns the scores of an example, one for each class. Nil values are all ones.
func (m *Model) Scores(indices []uint32, values []float64) ([]float64, error) {
	return with(m, func(h *handle) ([]float64, error) { return h.scores(indices, values) })
}

// ScoresCSR returns the scores of all rows, row by row: that of row r and class k is at r*classes+k. They are in scores if that is not nil (it
// must have a place for each) and else in a new slice.
func (m *Model) ScoresCSR(rows CSR, scores []float64) ([]float64, error) {
	return with(m, func(h *handle) ([]float64, error) { return h.scoresCSR(rows, scores) })
}

// ScoresDataset returns the scores of all rows of the data, as ScoresCSR does.
func (m *Model) ScoresDataset(data *Dataset, scores []float64) ([]float64, error) {
	return with(m, func(h *handle) ([]float64, error) { return h.scoresDataset(data, scores) })
}

// Probabilities returns the probabilities of rows, given their scores: one for each class, or that of the larger of two labels. The loss must
// give them, as log does.
func (m *Model) Probabilities(scores []float64) ([]float64, error) {
	return with(m, func(h *handle) ([]float64, error) { return h.probabilitiesOf(scores) })
}

// PredictedLabels returns the labels of rows, given their scores: those of the largest scores.
func (m *Model) PredictedLabels(scores []float64) ([]float64, error) {
	return with(m, func(h *handle) ([]float64, error) { return h.predictedLabels(scores) })
}

// ClassBias returns the bias of one class.
func (m *Model) ClassBias(class uint64) (float64, error) {
	return look(m, func(p uintptr, f *slc.Failure) float64 { return slc.Model_class_bias(p, class, f) })
}

// ClassWeight returns the weight of one feature for one class, 0 for an index never seen.
func (m *Model) ClassWeight(class uint64, index uint32) (float64, error) {
	return look(m, func(p uintptr, f *slc.Failure) float64 { return slc.Model_class_weight(p, class, index, f) })
}

// ClassWeights returns all weights of one class that are not 0, by ascending index.
func (m *Model) ClassWeights(class uint64) (indices []uint32, weights []float64, err error) {
	return m.nonzeros(func(p uintptr, indices []uint32, weights []float64, f *slc.Failure) uint64 {
		return slc.Model_class_nonzeros(p, class, indices, weights, f)
	})
}

// Confusion returns what is taken for what: the weights of the rows of class i that are taken for class j add up to [i][j].
func (m *Model) Confusion(data *Dataset) ([][]float64, error) {
	d, err := data.acquire()
	if err != nil {
		return nil, err
	}
	defer d.release()
	return with(m, func(h *handle) ([][]float64, error) {
		labels, err := h.classLabels()
		if err != nil {
			return nil, err
		}
		k := len(labels)
		counts := make([]float64, k*k)
		if _, err = see(h, func(p uintptr, f *slc.Failure) int32 { return slc.Model_confusion(p, d.p, counts, f) }); err != nil {
			return nil, err
		}
		rows := make([][]float64, k)
		for i := range rows {
			rows[i] = counts[i*k : (i+1)*k : (i+1)*k]
		}
		return rows, nil
	})
}

// Classes returns how many scores a row has, as that of Model, and so on.
func (p *Predictor) Classes() (uint64, error) {
	return predictWith(p, func(h *handle) (uint64, error) { return see(h, slc.Model_classes) })
}

// ClassLabels returns the labels of the classes, ascending.
func (p *Predictor) ClassLabels() ([]float64, error) { return predictWith(p, (*handle).classLabels) }

// Scores returns the scores of an example, one for each class.
func (p *Predictor) Scores(indices []uint32, values []float64) ([]float64, error) {
	return predictWith(p, func(h *handle) ([]float64, error) { return h.scores(indices, values) })
}

// ScoresCSR returns the scores of all rows, row by row.
func (p *Predictor) ScoresCSR(rows CSR, scores []float64) ([]float64, error) {
	return predictWith(p, func(h *handle) ([]float64, error) { return h.scoresCSR(rows, scores) })
}

// ScoresDataset returns the scores of all rows of the data, row by row.
func (p *Predictor) ScoresDataset(data *Dataset, scores []float64) ([]float64, error) {
	return predictWith(p, func(h *handle) ([]float64, error) { return h.scoresDataset(data, scores) })
}

// Probabilities returns the probabilities of rows, given their scores. The loss must give them, as log does.
func (p *Predictor) Probabilities(scores []float64) ([]float64, error) {
	return predictWith(p, func(h *handle) ([]float64, error) { return h.probabilitiesOf(scores) })
}

// PredictedLabels returns the labels of rows, given their scores.
func (p *Predictor) PredictedLabels(scores []float64) ([]float64, error) {
	return predictWith(p, func(h *handle) ([]float64, error) { return h.predictedLabels(scores) })
}
