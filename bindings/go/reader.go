package sparselin

import (
	"io"
	"runtime"
	"runtime/cgo"
	"sync"

	"sparselin.org/sparselin/bindings/go/internal/slc"
)

// A Reader reads text that need not fit into memory, as ReadDataset does but some rows at a time, each time to be learned with FeedDataset:
//
//	for {
//		rows, err := reader.Next(10000)
//		if err == io.EOF {
//			break
//		}
//		...
//	}
//
// Goroutines that share one take turns. What it reads from must not use it.
type Reader struct {
	mu   sync.Mutex
	p    uintptr // 0 if closed
	s    *source
	call cgo.Handle
}

// NewReader returns a Reader of r, which it does not touch before Next. The option of text is index_base.
func NewReader(r io.Reader, options ...Option) (*Reader, error) {
	s := newSource(r)
	call := cgo.NewHandle(slc.Read(s.read))
	var p uintptr
	err := withOptions(options, func(o uintptr) error {
		var f slc.Failure
		p = slc.Reader_create(o, &f)
		return taken(&f)
	})
	if err != nil {
		call.Delete()
		return nil, err
	}
	reader := &Reader{p: p, s: s, call: call}
	runtime.SetFinalizer(reader, (*Reader).Close)
	return reader, nil
}

// Next returns the next rows, at least one and about as many as are asked for at most, and io.EOF when there are no more. Once it has failed
// it fails again. The rows are the caller's to close.
func (r *Reader) Next(rows int) (*Dataset, error) {
	if r == nil {
		return nil, closed("reader")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.p == 0 {
		return nil, closed("reader")
	}
	if rows < 0 {
		rows = 0 // which is refused, too
	}
	var f slc.Failure
	data, err := madeDataset(slc.Reader_next(r.p, uintptr(r.call), uint64(rows), &f), &f)
	r.s.repanic()
	if err != nil {
		return nil, r.s.reason(err)
	}
	count, err := data.Rows()
	if err == nil && count > 0 {
		return data, nil
	}
	data.Close()
	if err == nil {
		err = io.EOF
	}
	return nil, err
}

// Close frees what the Reader holds, but does not close what it reads from. Closing again does nothing.
func (r *Reader) Close() error {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.p != 0 {
		runtime.SetFinalizer(r, nil)
		slc.Reader_free(r.p)
		r.call.Delete()
		r.p = 0
	}
	return nil
}
