package sparselin

import (
	"io"

	"sparselin.org/sparselin/bindings/go/internal/slc"
)

// A Predictor is what a model was at one moment, to predict with. It never changes, so any number of goroutines use it without a lock, and none
// waits for another, nor for the model it was made from. A server keeps the one of the day in an atomic.Pointer[Predictor]:
//
//	current.Store(next)                                // whoever has a newer one
//	score, err := current.Load().Predict(indices, nil) // who answers requests
//
// It has no Close, since nobody can know who still predicts with it: its memory is freed once it is garbage.
//
// The zero Predictor predicts nothing.
type Predictor struct{ h *handle }

// Predictor returns what the model is now as a Predictor, of the same bits, in O(features). It waits for who trains the
// model.
func (m *Model) Predictor() (*Predictor, error) {
	p, err := look(m, slc.Model_predictor)
	if err != nil {
		return nil, err
	}
	return &Predictor{newHandle(p)}, nil
}

// ReadPredictor reads what ReadModel reads, to predict with. It reads r to its end.
func ReadPredictor(r io.Reader) (*Predictor, error) {
	m, err := ReadModel(r)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	return m.Predictor()
}

// LoadPredictor reads what Load reads, to predict with.
func LoadPredictor(path string) (*Predictor, error) {
	m, err := Load(path)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	return m.Predictor()
}

func predictWith[T any](p *Predictor, call func(h *handle) (T, error)) (result T, err error) {
	if p == nil || p.h == nil {
		return result, closed("predictor")
	}
	return call(p.h)
}

// Predict is as that of Model, and so are the others.
func (p *Predictor) Predict(indices []uint32, values []float64) (float64, error) {
	return predictWith(p, func(h *handle) (float64, error) { return h.predict(indices, values) })
}

// PredictProbability returns the score of an example and the probability of the larger label. The loss must give it, as log does.
func (p *Predictor) PredictProbability(indices []uint32, values []float64) (score, probability float64, err error) {
	b, err := predictWith(p, func(h *handle) (both, error) { return h.predictProbability(indices, values) })
	return b.score, b.probability, err
}

// PredictCSR returns the scores of all rows.
func (p *Predictor) PredictCSR(rows CSR, scores []float64) ([]float64, error) {
	return predictWith(p, func(h *handle) ([]float64, error) { return h.predictCSR(rows, scores) })
}

// PredictDataset returns the scores of all rows of the data.
func (p *Predictor) PredictDataset(data *Dataset, scores []float64) ([]float64, error) {
	return predictWith(p, func(h *handle) ([]float64, error) { return h.predictDataset(data, scores) })
}

// ProbabilitiesCSR returns the probabilities of all rows. The loss must give them, as log does.
func (p *Predictor) ProbabilitiesCSR(rows CSR, probabilities []float64) ([]float64, error) {
	return predictWith(p, func(h *handle) ([]float64, error) { return h.probabilitiesCSR(rows, probabilities) })
}

// ProbabilitiesDataset returns the probabilities of all rows of the data. The loss must give them, as log does.
func (p *Predictor) ProbabilitiesDataset(data *Dataset, probabilities []float64) ([]float64, error) {
	return predictWith(p, func(h *handle) ([]float64, error) { return h.probabilitiesDataset(data, probabilities) })
}

// Probability returns the probability of the larger label, given a score. The loss must give it, as log does.
func (p *Predictor) Probability(score float64) (float64, error) {
	return predictWith(p, func(h *handle) (float64, error) { return h.probability(score) })
}

// Label returns the label that a score stands for.
func (p *Predictor) Label(score float64) (float64, error) {
	return predictWith(p, func(h *handle) (float64, error) { return h.label(score) })
}

// Labels returns the pair of labels.
func (p *Predictor) Labels() (smaller, larger float64, err error) {
	pair, err := predictWith(p, (*handle).labels)
	return pair[0], pair[1], err
}

// Memory returns the bytes of memory the predictor holds, none of which the garbage collector sees.
func (p *Predictor) Memory() (uint64, error) {
	return predictWith(p, func(h *handle) (uint64, error) { return see(h, slc.Model_memory) })
}

// MarshalBinary returns the bytes of the model's WritePredictorTo.
func (p *Predictor) MarshalBinary() ([]byte, error) {
	return predictWith(p, func(h *handle) ([]byte, error) { return h.keep(keepPredictor) })
}
