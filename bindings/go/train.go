package sparselin

import (
	"context"
	"errors"
	"runtime/cgo"

	"sparselin.org/sparselin/bindings/go/internal/slc"
)

// CSR is a compressed-sparse-row matrix: row r has indices and values from Pointers[r] to Pointers[r+1]. Nil Values are all ones. CSR{} has
// no rows.
type CSR struct {
	Pointers []int64
	Indices  []uint32
	Values   []float64
}

// Rows returns the number of rows.
func (x CSR) Rows() int {
	if len(x.Pointers) == 0 {
		return 0
	}
	return len(x.Pointers) - 1
}

var noRows = []int64{0}

// pointers returns one more pointer than rows, of which CSR{} has none.
func (x CSR) pointers() []int64 {
	if len(x.Pointers) == 0 && len(x.Indices) == 0 {
		return noRows
	}
	return x.Pointers
}

// Observe counts an example into the statistics that the options center and scale rest on, without training on it. Only before the first
// step. Nil values are all ones.
func (m *Model) Observe(indices []uint32, values []float64, weight float64) error {
	return m.change(func(p uintptr, f *slc.Failure) { slc.Model_observe(p, indices, values, weight, f) })
}

// ObserveDataset is as if each row of the data were observed in turn. It returns how many were.
func (m *Model) ObserveDataset(data *Dataset) (done int, err error) {
	d, err := data.acquire()
	if err != nil {
		return 0, err
	}
	defer d.release()
	err = m.change(func(p uintptr, f *slc.Failure) { done = int(slc.Model_observe_dataset(p, d.p, f)) })
	return done, err
}

// Feed makes one step of training. Indices are 0-based; nil values are all ones.
func (m *Model) Feed(indices []uint32, values []float64, label float64) error {
	return m.FeedWeighted(indices, values, label, 1)
}

// FeedWeighted is Feed with a weight, at least 0 and on average about 1.
func (m *Model) FeedWeighted(indices []uint32, values []float64, label, weight float64) error {
	h, err := m.own()
	if err != nil {
		return err
	}
	bytes := slc.Feed(h.p, indices, values, label, weight, h.failure)
	err = taken(h.failure)
	m.release(h, bytes)
	return err
}

// FeedCSR is as if each row were fed in turn. It returns how many were learned: all of them unless it fails. Nil weights are all ones.
func (m *Model) FeedCSR(rows CSR, labels, weights []float64) (done int, err error) {
	count := uint64(rows.Rows())
	err = m.change(func(p uintptr, f *slc.Failure) {
		done = int(slc.Model_feed_csr(p, rows.pointers(), rows.Indices, rows.Values, labels, weights, 0, count, f))
	})
	return done, err
}

// FeedDataset is as if each row of the data were fed in turn, once. It returns how many were learned.
func (m *Model) FeedDataset(data *Dataset) (done int, err error) {
	d, err := data.acquire()
	if err != nil {
		return 0, err
	}
	defer d.release()
	err = m.change(func(p uintptr, f *slc.Failure) { done = int(slc.Model_feed_dataset(p, d.p, f)) })
	return done, err
}

// Progress says how far a fit has come.
type Progress struct {
	Steps     uint64  // steps of the model since it was created
	Rows      uint64  // rows of this fit, all its passes counted, that are done
	RowsTotal uint64  // rows of this fit in all
	MeanLoss  float64 // as MeanLoss of the model
	Epoch     uint64  // passes of this fit that are complete
}

// Fit trains on data, in as many passes and in the order that the options fix. It gathers statistics first where the options call for them.
//
// The progress function, which may be nil, is called about every 0.02 seconds and after each pass, and then the context is looked at. Once
// that is done Fit returns an error in which errors.Is finds ctx.Err() and context.Cause(ctx); the rows before are learned, and Fit called
// again with the same data goes on where it stopped.
//
// For early stopping let progress end the context where Epoch is one more than at the call before, which is the end of a pass, evaluate the
// model on rows that it does not learn, keep a Clone of the best, and call Fit again for the next pass, as the example does.
//
// For a loss of two labels Fit makes the two that the data have the model's pair, which Feed, FeedCSR and FeedDataset do not: they make it
// (-1, +1), where 0 counts as -1. So after data of labels 0 and 1 the pair is (0, 1) if they were fitted, and (-1, +1) if they were fed, in
// every language; the scores are the same. Data of three to 1,000 labels, all whole numbers, make it a model of so many classes.
func (m *Model) Fit(ctx context.Context, data *Dataset, progress func(Progress)) error {
	d, err := data.acquire()
	if err != nil {
		return err
	}
	defer d.release()
	h, err := m.own()
	if err != nil {
		return err
	}
	defer func() { m.release(h, slc.Model_memory(h.p, h.failure)) }()
	m.fitting.Store(true)
	defer m.fitting.Store(false)
	return watched(ctx, progress, h.failure, func(call uintptr) { slc.Model_fit(h.p, d.p, call, h.failure) })
}

// watched calls what takes long and tells progress of it, which may be nil, until the context is done.
func watched(ctx context.Context, progress func(Progress), f *slc.Failure, long func(call uintptr)) error {
	var back callback
	call := cgo.NewHandle(slc.Progress(func(steps, rows, rowsTotal uint64, meanLoss float64, epoch uint64) (stop bool) {
		ok := back.run(func() {
			if progress != nil {
				progress(Progress{steps, rows, rowsTotal, meanLoss, epoch})
			}
		})
		return !ok || ctx.Err() != nil
	}))
	defer call.Delete()
	if ctx.Err() != nil {
		return ended(ctx)
	}
	long(uintptr(call))
	err := taken(f)
	back.repanic()
	if errors.Is(err, ErrCancelled) {
		return ended(ctx)
	}
	return err
}

// A FitState says what Fit would do with data.
type FitState int32

// What Fit can do.
const (
	FitNew     FitState = 0 // all of its passes, from the first row on
	FitStopped FitState = 1 // go on with the fit that was stopped
	FitDone    FitState = 2 // all passes once more: the last fit learned these data to the end
)

// FitState says what Fit would do with data, so that a model that was saved when its fit was stopped can be told from
// one that is finished.
func (m *Model) FitState(data *Dataset) (FitState, error) {
	d, err := data.acquire()
	if err != nil {
		return 0, err
	}
	defer d.release()
	return look(m, func(p uintptr, f *slc.Failure) FitState { return FitState(slc.Model_fit_state(p, d.p, f)) })
}

// SetThreads sets in how many threads many rows are scored, 0: as many as there are cores; for a model that was loaded, since that is not
// saved. It changes no number.
func (m *Model) SetThreads(threads uint32) error {
	return m.change(func(p uintptr, f *slc.Failure) { slc.Model_set_threads(p, threads, f) })
}

// Finalize lays the predictor out for fast prediction. It changes no prediction and no later training; the next step drops the layout again.
func (m *Model) Finalize() error {
	return m.change(func(p uintptr, f *slc.Failure) { slc.Model_finalize(p, f) })
}
