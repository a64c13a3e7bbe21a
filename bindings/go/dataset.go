package sparselin

import (
	"runtime"
	"sync"

	"sparselin.org/sparselin/bindings/go/internal/slc"
)

// A Dataset holds labelled rows in memory: indices ascending, repeated ones added up, zeros left out. It never changes, so any number of
// goroutines may use it. Close frees its memory at once; that of a data set without Close is freed once it is garbage.
type Dataset struct{ h *dataHandle }

// A dataHandle owns a data set of the C library.
type dataHandle struct {
	mu     sync.Mutex
	p      uintptr
	bytes  int64 // that are counted
	users  int   // calls that run
	closed bool
}

func madeDataset(p uintptr, f *slc.Failure) (*Dataset, error) {
	if err := taken(f); err != nil {
		return nil, err
	}
	h := &dataHandle{p: p, bytes: int64(12*slc.Dataset_nonzeros(p, f) + 24*slc.Dataset_rows(p, f))}
	runtime.SetFinalizer(h, (*dataHandle).close)
	took(h.bytes)
	return &Dataset{h}, nil
}

// acquire keeps the C library's data set from being freed until release.
func (d *Dataset) acquire() (*dataHandle, error) {
	if d == nil || d.h == nil {
		return nil, closed("data set")
	}
	d.h.mu.Lock()
	defer d.h.mu.Unlock()
	if d.h.closed {
		return nil, closed("data set")
	}
	d.h.users++
	return d.h, nil
}

func (h *dataHandle) release() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.users--
	h.freeUnused()
}

func (h *dataHandle) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	runtime.SetFinalizer(h, nil)
	h.freeUnused()
}

func (h *dataHandle) freeUnused() {
	if h.closed && h.users == 0 && h.p != 0 {
		slc.Dataset_free(h.p)
		h.p = 0
		gave(h.bytes)
	}
}

// Close frees the data as soon as no call uses it. Closing again does nothing.
func (d *Dataset) Close() error {
	if d != nil && d.h != nil {
		d.h.close()
	}
	return nil
}

func lookAtData[T any](d *Dataset, call func(p uintptr, f *slc.Failure) T) (result T, err error) {
	h, err := d.acquire()
	if err != nil {
		return result, err
	}
	defer h.release()
	var f slc.Failure
	answer := call(h.p, &f)
	if err = taken(&f); err == nil {
		result = answer
	}
	return result, err
}

// NewDataset copies the rows of a matrix. Nil weights are all ones.
func NewDataset(rows CSR, labels, weights []float64) (*Dataset, error) {
	var f slc.Failure
	return madeDataset(slc.Dataset_from_csr(rows.pointers(), rows.Indices, rows.Values, labels, weights, &f), &f)
}

// WithLabels returns a data set of the same rows with other labels or weights, for models of several targets; nil ones
// are those of d. The rows themselves are shared, not copied, and either data set may be closed first.
func (d *Dataset) WithLabels(labels, weights []float64) (*Dataset, error) {
	h, err := d.acquire()
	if err != nil {
		return nil, err
	}
	defer h.release()
	var f slc.Failure
	return madeDataset(slc.Dataset_with_labels(h.p, labels, weights, &f), &f)
}

// LoadDataset reads a file: svmlight/LIBSVM text, or what Save wrote. The option of text is index_base.
func LoadDataset(path string, options ...Option) (d *Dataset, err error) {
	if err := checkText("path", path, ErrInvalidArgument); err != nil {
		return nil, err
	}
	err = withOptions(options, func(o uintptr) (err error) {
		var f slc.Failure
		d, err = madeDataset(slc.Dataset_load(path, o, &f), &f)
		return err
	})
	return d, err
}

// Save writes the rows to a file in a form that loads faster than text, whole or not at all.
func (d *Dataset) Save(path string) error {
	if err := checkText("path", path, ErrInvalidArgument); err != nil {
		return err
	}
	_, err := lookAtData(d, func(p uintptr, f *slc.Failure) int32 { return slc.Dataset_save(p, path, f) })
	return err
}

// Rows returns the number of rows.
func (d *Dataset) Rows() (uint64, error) { return lookAtData(d, slc.Dataset_rows) }

// Nonzeros returns the number of nonzeros held.
func (d *Dataset) Nonzeros() (uint64, error) { return lookAtData(d, slc.Dataset_nonzeros) }

// Dimension returns the largest index + 1.
func (d *Dataset) Dimension() (uint64, error) { return lookAtData(d, slc.Dataset_dimension) }

// A Row is a row of a data set, as it is held.
type Row struct {
	Indices       []uint32
	Values        []float64
	Label, Weight float64
}

// Row returns one row, from 0.
func (d *Dataset) Row(row uint64) (Row, error) {
	return lookAtData(d, func(p uintptr, f *slc.Failure) (r Row) {
		count := slc.Dataset_row(p, row, nil, nil, f)
		if f.Status() != 0 {
			return r
		}
		r.Indices, r.Values = make([]uint32, count), make([]float64, count)
		slc.Dataset_row(p, row, r.Indices, r.Values, f)
		r.Label, r.Weight = slc.Dataset_label(p, row, f), slc.Dataset_weight(p, row, f)
		return r
	})
}
