package sparselin

import (
	"runtime"
	"sort"
	"sync"
	"sync/atomic"
	"unsafe"

	"sparselin.org/sparselin/bindings/go/internal/slc"
)

// A Model is training state and predictor. Any number of goroutines may use one: those that only look, such as Predict, run at the same
// time, and the others take turns; who predicts waits for who trains, saves or clones, and a server had better predict from a Predictor.
// While Fit runs, all other calls on the model fail with ErrState instead of waiting, so that a progress function cannot block itself.
//
// A call that fails changes nothing. Calls over many rows are so row by row: the rows before the failure are learned. Close frees the model's
// memory at once; that of a model without Close is freed once the model is garbage.
//
// The zero Model is a closed one, of use for UnmarshalBinary only.
type Model struct {
	mu      sync.RWMutex
	fitting atomic.Bool
	h       *handle // nil if closed
}

// A handle owns a model of the C library.
type handle struct {
	p        uintptr
	bytes    int64        // that are counted
	failure  *slc.Failure // for calls that have the handle to themselves; cgo lets nothing with pointers to Go beside it
	encoders sync.Pool    // frozen copies of the model's
}

func newHandle(p uintptr) *handle {
	h := &handle{p: p, failure: new(slc.Failure)}
	runtime.SetFinalizer(h, (*handle).free)
	took(h.grown(slc.Model_memory(p, h.failure)))
	return h
}

// grown returns the bytes by which the model has grown, now that it holds so many.
func (h *handle) grown(bytes uint64) (more int64) {
	more = int64(bytes) - h.bytes
	h.bytes = int64(bytes)
	return more
}

func (h *handle) free() {
	runtime.SetFinalizer(h, nil)
	slc.Model_free(h.p)
	h.p = 0
	gave(h.bytes)
}

var failures = sync.Pool{New: func() any { return new(slc.Failure) }}

var errFitting = failed(ErrState, "the model is being fitted", nil)

// own gives the caller the handle alone, until release.
func (m *Model) own() (*handle, error) {
	if m == nil {
		return nil, closed("model")
	}
	if m.fitting.Load() {
		return nil, errFitting
	}
	m.mu.Lock()
	if m.h == nil {
		m.mu.Unlock()
		return nil, closed("model")
	}
	return m.h, nil
}

// release ends what own began, and keeps the handle from being finalized before. The model holds so many bytes now.
func (m *Model) release(h *handle, bytes uint64) {
	more := h.grown(bytes)
	runtime.KeepAlive(h)
	m.mu.Unlock()
	if more != 0 {
		took(more)
	}
}

// change makes one call that changes the model.
func (m *Model) change(call func(p uintptr, f *slc.Failure)) error {
	h, err := m.own()
	if err != nil {
		return err
	}
	call(h.p, h.failure)
	err = taken(h.failure)
	m.release(h, slc.Model_memory(h.p, h.failure))
	return err
}

// with makes calls on the handle that do not change the model.
func with[T any](m *Model, call func(h *handle) (T, error)) (result T, err error) {
	if m == nil {
		return result, closed("model")
	}
	if m.fitting.Load() {
		return result, errFitting
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.h == nil {
		return result, closed("model")
	}
	return call(m.h)
}

// see makes one call on a handle that nobody changes or frees meanwhile.
func see[T any](h *handle, call func(p uintptr, f *slc.Failure) T) (result T, err error) {
	f := failures.Get().(*slc.Failure)
	answer := call(h.p, f)
	runtime.KeepAlive(h)
	err = taken(f)
	failures.Put(f)
	if err == nil {
		result = answer
	}
	return result, err
}

// look makes one call that does not change the model.
func look[T any](m *Model, call func(p uintptr, f *slc.Failure) T) (T, error) {
	return with(m, func(h *handle) (T, error) { return see(h, call) })
}

// made wraps a new model of the C library.
func made(p uintptr, f *slc.Failure) (*Model, error) {
	if err := taken(f); err != nil {
		return nil, err
	}
	return &Model{h: newHandle(p)}, nil
}

// New returns an untrained model.
func New(options ...Option) (m *Model, err error) {
	err = withOptions(options, func(o uintptr) (err error) {
		var f slc.Failure
		m, err = made(slc.Model_create(o, &f), &f)
		return err
	})
	return m, err
}

// Clone returns an independent copy: from here on the two give the same bits for the same calls.
func (m *Model) Clone() (*Model, error) {
	p, err := look(m, slc.Model_clone)
	if err != nil {
		return nil, err
	}
	return &Model{h: newHandle(p)}, nil
}

// Merge returns one model of several that learned parts of the data, in goroutines or elsewhere, or that only observed them. Weights, biases
// and averages are the mean of theirs, each counted with its share of all example weights; statistics and steps add up. It can be trained,
// kept and merged again; of one model it is a copy. The order of the models fixes the bits. One round of parts is not a pass over the
// whole: prefer several, each of which begins with what was merged.
//
// It fails with ErrInvalidArgument for no model, or one that differs from the first in options, labels or encoder, which the message names;
// with ErrState if some are trained and some are not, or one can only predict.
func Merge(models ...*Model) (*Model, error) {
	return merge(nil, models, 1)
}

// MergeRound returns one model of several that were copies of begin and have learned parts of the data since: the end of a round of training
// in parts, the next of which begins with it. What begin had learned counts once in steps and sums, and shares are of the example weight
// learned since. The result is made of so many parts in the end: where they differ in weight, 1 / (the sum of their shares' squares). With 1
// weights are the mean, in a tree of merges below its root, say. With more, those of rare features, of which any one part sees few rows, go on
// from begin through the mean and up to sqrt(parts) times as far, where scale is rms, without center.
//
// It fails as Merge does; with ErrInvalidArgument if a model is no copy of begin that has learned something since, or parts is below 1.
func MergeRound(begin *Model, parts float64, models ...*Model) (*Model, error) {
	if begin == nil {
		return nil, closed("model")
	}
	return merge(begin, models, parts)
}

func merge(begin *Model, models []*Model, parts float64) (merged *Model, err error) {
	all := models
	if begin != nil {
		all = append([]*Model{begin}, models...)
	}
	seen := make(map[*Model]bool)
	var each []*Model
	for _, m := range all {
		if m == nil {
			return nil, closed("model")
		}
		if !seen[m] {
			seen[m] = true
			each = append(each, m)
		}
	}
	// In an order of their own, so that calls which lock several models cannot wait for one another in a circle.
	sort.Slice(each, func(i, j int) bool { return uintptr(unsafe.Pointer(each[i])) < uintptr(unsafe.Pointer(each[j])) })
	for _, m := range each {
		if m.fitting.Load() {
			return nil, errFitting
		}
		m.mu.RLock()
		defer m.mu.RUnlock()
		if m.h == nil {
			return nil, closed("model")
		}
	}
	pointers := make([]int64, len(models))
	for i, m := range models {
		pointers[i] = int64(m.h.p)
	}
	var from uintptr
	if begin != nil {
		from = begin.h.p
	}
	var f slc.Failure
	merged, err = made(slc.Model_merge(from, pointers, parts, &f), &f)
	runtime.KeepAlive(each)
	return merged, err
}

// Start lets a model that has made no step begin at the weights and biases of a predictor, whatever the options of the model that it was
// taken from: a model of last week goes on with another learning rate, say. Labels are the source's; steps, averages and statistics begin anew.
//
// It fails with ErrState if the model has made steps, its schedule forgets where it began, or the source has learned nothing; with
// ErrInvalidArgument for other labels, another kind of loss or another normalize.
func (m *Model) Start(source *Predictor) error {
	if source == nil || source.h == nil {
		return closed("predictor")
	}
	return m.change(func(p uintptr, f *slc.Failure) {
		slc.Model_start(p, source.h.p, f)
		runtime.KeepAlive(source.h)
	})
}

// Close frees the model once the calls that run have ended. Closing again does nothing. It fails only while Fit runs.
func (m *Model) Close() error {
	if m == nil {
		return nil
	}
	if m.fitting.Load() {
		return errFitting
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.h != nil {
		m.h.free()
		m.h = nil
	}
	return nil
}

// Dimension returns the largest index fed or observed, + 1, and 0 before.
func (m *Model) Dimension() (uint64, error) { return look(m, slc.Model_dimension) }

// Steps returns the number of steps made since the model was created.
func (m *Model) Steps() (uint64, error) { return look(m, slc.Model_steps) }

// MeanLoss returns the mean of the loss of each example just before it was learned.
func (m *Model) MeanLoss() (float64, error) { return look(m, slc.Model_mean_loss) }

// Memory returns the bytes of memory the model holds, none of which the garbage collector sees.
func (m *Model) Memory() (uint64, error) { return look(m, slc.Model_memory) }

// Bias returns the bias of the predictor.
func (m *Model) Bias() (float64, error) { return look(m, slc.Model_bias) }

// Weight returns the weight of one feature in the predictor, 0 for an index never seen.
func (m *Model) Weight(index uint32) (float64, error) {
	return look(m, func(p uintptr, f *slc.Failure) float64 { return slc.Model_weight(p, index, f) })
}

// Weights returns all weights that are not 0, by ascending index.
func (m *Model) Weights() (indices []uint32, weights []float64, err error) {
	return m.nonzeros(slc.Model_nonzeros)
}

// nonzeros asks with empty slices how many there are, and then for all.
func (m *Model) nonzeros(call func(p uintptr, indices []uint32, weights []float64, f *slc.Failure) uint64) (indices []uint32, weights []float64, err error) {
	_, err = look(m, func(p uintptr, f *slc.Failure) bool {
		count := call(p, nil, nil, f)
		indices, weights = make([]uint32, count), make([]float64, count)
		if f.Status() == 0 {
			call(p, indices, weights, f)
		}
		return true
	})
	if err != nil {
		return nil, nil, err
	}
	return indices, weights, nil
}

// Options returns all options of the model, those left at their defaults included.
func (m *Model) Options() (Options, error) {
	return with(m, func(h *handle) (options Options, err error) {
		for _, o := range OptionTable() {
			value, err := see(h, func(p uintptr, f *slc.Failure) string { return slc.Model_option(p, o.Name, f) })
			if err != nil {
				return nil, err
			}
			options = append(options, Option{o.Name, value})
		}
		return options, nil
	})
}

// Option returns an option the model was created with.
func (m *Model) Option(name string) (string, error) {
	if err := checkText("option", name, ErrInvalidOption); err != nil {
		return "", err
	}
	return look(m, func(p uintptr, f *slc.Failure) string { return slc.Model_option(p, name, f) })
}
