package sparselin

import (
	"runtime"
	"sync"

	"sparselin.org/sparselin/bindings/go/internal/slc"
)

// A Builder collects rows that come one by one, until they are a Dataset. Goroutines that share one take turns. Close
// frees its memory at once; that of a builder without Close is freed once it is garbage. The zero Builder is a closed
// one.
type Builder struct {
	mu    sync.Mutex
	p     uintptr // 0 if closed
	bytes int64   // that are counted
	f     slc.Failure
}

// NewBuilder returns a builder with room for so many rows and nonzeros of all rows, 0 where that is not known: then up
// to twice as much is taken as they need.
func NewBuilder(rows, nonzeros uint64) (*Builder, error) {
	b := new(Builder)
	b.p = slc.Builder_create(rows, nonzeros, &b.f)
	if err := taken(&b.f); err != nil {
		return nil, err
	}
	runtime.SetFinalizer(b, (*Builder).Close)
	return b, nil
}

// Add adds a row. Nil values are all ones. What is wrong with a row is told with the number that it would have had.
func (b *Builder) Add(indices []uint32, values []float64, label, weight float64) error {
	if b == nil {
		return closed("builder")
	}
	if err := b.add(indices, values, label, weight); err != nil {
		return err
	}
	took(rowBytes(indices))
	return nil
}

func rowBytes(indices []uint32) int64 { return int64(24 + 12*len(indices)) }

func (b *Builder) add(indices []uint32, values []float64, label, weight float64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.p == 0 {
		return closed("builder")
	}
	slc.Builder_add(b.p, indices, values, 0, uint64(len(indices)), label, weight, &b.f)
	err := taken(&b.f)
	if err == nil {
		b.bytes += rowBytes(indices)
	}
	return err
}

// Dataset returns the rows as a data set, which takes them over. Those that are added later belong to the next one.
func (b *Builder) Dataset() (*Dataset, error) {
	if b == nil {
		return nil, closed("builder")
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.p == 0 {
		return nil, closed("builder")
	}
	p := slc.Builder_finish(b.p, &b.f)
	gave(b.bytes)
	b.bytes = 0
	return madeDataset(p, &b.f)
}

// Close frees the rows that no data set has taken over. Closing again does nothing.
func (b *Builder) Close() error {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.p != 0 {
		runtime.SetFinalizer(b, nil)
		slc.Builder_free(b.p)
		gave(b.bytes)
		b.p, b.bytes = 0, 0
	}
	return nil
}
