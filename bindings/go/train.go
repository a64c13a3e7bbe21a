package sparselin

import (
	"context"
	"errors"
	"runtime/cgo"

	"sparselin.org/sparselin/bindings/go/internal/slc"
)

// CSR is a compressed-sparse-row matrix: row r has indices and values from Pointers[r] to Pointers[r+1]. Nil Values are all ones.
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

// Observe counts an example into the statistics that the options center and scale rest on, without training on it. Only before the first
// step. Nil values are all ones.
func (m *Model) Observe(indices []uint32, values []float64, weight float64) error {
	return m.change(func(p uintptr, f *slc.Failure) { slc.Model_observe(p, indices, values, weight, f) })
}

// Feed makes one step of training. Indices are 0-based; nil values are all ones.
func (m *Model) Feed(indices []uint32, values []float64, label float64) error {
	return m.FeedWeighted(indices, values, label, 1)
}

// FeedWeighted is Feed with a weight, at least 0 and on average about 1.
func (m *Model) FeedWeighted(indices []uint32, values []float64, label, weight float64) error {
	return m.change(func(p uintptr, f *slc.Failure) { slc.Feed(p, indices, values, label, weight, f) })
}

// FeedCSR is as if each row were fed in turn. It returns how many were learned: all of them unless it fails. Nil weights are all ones.
func (m *Model) FeedCSR(rows CSR, labels, weights []float64) (done int, err error) {
	count := uint64(rows.Rows())
	err = m.change(func(p uintptr, f *slc.Failure) {
		done = int(slc.Model_feed_csr(p, rows.Pointers, rows.Indices, rows.Values, labels, weights, 0, count, f))
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
// that is done Fit returns ctx.Err(); the rows before are learned, and Fit called again with the same data goes on where it stopped.
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
	defer m.release(h)
	m.fitting.Store(true)
	defer m.fitting.Store(false)

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
	if err := ctx.Err(); err != nil {
		return err
	}
	slc.Model_fit(h.p, d.p, uintptr(call), &h.failure)
	err = taken(&h.failure)
	back.repanic()
	if errors.Is(err, ErrCancelled) {
		return ctx.Err()
	}
	return err
}

// Finalize lays the predictor out for fast prediction. It changes no prediction and no later training; the next step drops the layout again.
func (m *Model) Finalize() error {
	return m.change(func(p uintptr, f *slc.Failure) { slc.Model_finalize(p, f) })
}
