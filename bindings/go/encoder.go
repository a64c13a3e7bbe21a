package sparselin

import (
	"runtime"
	"sync"

	"sparselin.org/sparselin/bindings/go/internal/slc"
)

// An Encoder turns records of named numbers, categories and texts into rows, which models are fed. A number is a feature of its name, a category
// c one called name=c, and a text one for each of its tokens, with the number of times it is there. The option features says whether indices are
// computed from names (hash, the default), or given in the order in which names are first seen (dictionary), until Freeze.
//
// Goroutines that share an encoder take turns. Record and Texts are one turn; a record that is put together by Number, Category and Text belongs
// to one goroutine. Close frees the encoder's memory at once; that of one without Close is freed once it is garbage.
//
// The zero Encoder is a closed one, of use for UnmarshalBinary only.
type Encoder struct {
	mu sync.Mutex
	p  uintptr // 0 if closed
	f  slc.Failure
}

func (e *Encoder) own(p uintptr) *Encoder {
	e.p = p
	runtime.SetFinalizer(e, (*Encoder).Close)
	return e
}

func madeEncoder(p uintptr, f *slc.Failure) (*Encoder, error) {
	if err := taken(f); err != nil {
		return nil, err
	}
	return new(Encoder).own(p), nil
}

// NewEncoder returns an encoder. Its options are features, hash_bits, hash_sign, hash_like, keep_names, min_count, tokens, ngram_min, ngram_max,
// lowercase and threads.
func NewEncoder(options ...Option) (e *Encoder, err error) {
	err = withOptions(options, func(o uintptr) (err error) {
		var f slc.Failure
		e, err = madeEncoder(slc.Encoder_create(o, &f), &f)
		return err
	})
	return e, err
}

// LoadEncoder reads an encoder from a file.
func LoadEncoder(path string) (*Encoder, error) {
	if err := checkText("path", path, ErrInvalidArgument); err != nil {
		return nil, err
	}
	var f slc.Failure
	return madeEncoder(slc.Encoder_load(path, &f), &f)
}

// encode makes calls on an encoder.
func encode[T any](e *Encoder, call func(p uintptr, f *slc.Failure) T) (result T, err error) {
	if e == nil {
		return result, closed("encoder")
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.p == 0 {
		return result, closed("encoder")
	}
	answer := call(e.p, &e.f)
	if err = taken(&e.f); err == nil {
		result = answer
	}
	return result, err
}

// do makes one call that has no result, with texts that C takes to their NUL.
func (e *Encoder) do(call func(p uintptr, f *slc.Failure) int32, texts ...string) error {
	for _, text := range texts {
		if err := checkText("name or category", text, ErrInvalidData); err != nil {
			return err
		}
	}
	_, err := encode(e, call)
	return err
}

// Close frees the encoder. Closing again does nothing.
func (e *Encoder) Close() error {
	if e == nil {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.free()
	return nil
}

func (e *Encoder) free() {
	if e.p != 0 {
		runtime.SetFinalizer(e, nil)
		slc.Encoder_free(e.p)
		e.p = 0
	}
}

// Cross gives records from here on the crosses of two fields: for each feature A of the first and B of the second a feature A*B with the product
// of their values. Only before the first record.
func (e *Encoder) Cross(first, second string) error {
	return e.do(func(p uintptr, f *slc.Failure) int32 { return slc.Encoder_cross(p, first, second, f) }, first, second)
}

// Clear begins a new record.
func (e *Encoder) Clear() error { return e.do(slc.Encoder_clear) }

// Number adds a number to the record.
func (e *Encoder) Number(name string, value float64) error {
	return e.do(func(p uintptr, f *slc.Failure) int32 { return slc.Encoder_number(p, name, value, f) }, name)
}

// Category adds a category to the record. Several of one name are several features.
func (e *Encoder) Category(name, value string) error {
	return e.do(func(p uintptr, f *slc.Failure) int32 { return slc.Encoder_category(p, name, value, f) }, name, value)
}

// Text adds a text to the record. Where name is empty its tokens are features by themselves.
func (e *Encoder) Text(name, text string) error {
	return e.do(func(p uintptr, f *slc.Failure) int32 { return slc.Encoder_text(p, name, []byte(text), f) }, name)
}

// Row returns the record as a row, to be fed or predicted. More may be added to the record afterwards.
func (e *Encoder) Row() (indices []uint32, values []float64, err error) {
	r, err := encode(e, row)
	return r.Indices, r.Values, err
}

func row(p uintptr, f *slc.Failure) (r Row) {
	r.Indices, r.Values = slc.Encoder_row(p, f)
	return r
}

// Texts returns a data set in which each text is a record of its own, with the one field name. Nil labels are all 0, for rows that are only
// predicted; nil weights are all ones. The record in progress stays as it is.
func (e *Encoder) Texts(name string, texts []string, labels, weights []float64) (*Dataset, error) {
	if err := checkText("name", name, ErrInvalidData); err != nil {
		return nil, err
	}
	length := 0
	for _, text := range texts {
		length += len(text)
	}
	bytes, pointers := make([]byte, 0, length), make([]int64, 1, len(texts)+1)
	for _, text := range texts {
		bytes = append(bytes, text...)
		pointers = append(pointers, int64(len(bytes)))
	}
	data, err := encode(e, func(p uintptr, f *slc.Failure) uintptr {
		return slc.Encoder_texts(p, name, bytes, pointers, labels, weights, f)
	})
	if err != nil {
		return nil, err
	}
	return madeDataset(data, new(slc.Failure))
}

// SetThreads sets in how many threads Texts runs, 0: as many as there are cores; for an encoder that was loaded, since that is not saved.
func (e *Encoder) SetThreads(threads uint32) error {
	return e.do(func(p uintptr, f *slc.Failure) int32 { return slc.Encoder_set_threads(p, threads, f) })
}

// Freeze ends the learning of names: from here on names that are not known are left out. Names that fewer rows than the option min_count says had
// are dropped; indices stay as they are.
func (e *Encoder) Freeze() error { return e.do(slc.Encoder_freeze) }

// Dimension returns what all indices are below: the number of names of a dictionary, or 2^hash_bits.
func (e *Encoder) Dimension() (uint64, error) { return encode(e, slc.Encoder_dimension) }

// Name returns the name of a feature: of a dictionary, or where the option keep_names is true.
func (e *Encoder) Name(index uint32) (string, error) {
	return encode(e, func(p uintptr, f *slc.Failure) string {
		name := make([]byte, slc.Encoder_name(p, index, nil, f))
		if f.Status() != 0 {
			return ""
		}
		slc.Encoder_name(p, index, name, f)
		return string(name[:len(name)-1])
	})
}

// Option returns an option the encoder was created with.
func (e *Encoder) Option(name string) (string, error) {
	if err := checkText("option", name, ErrInvalidOption); err != nil {
		return "", err
	}
	return encode(e, func(p uintptr, f *slc.Failure) string { return slc.Encoder_option(p, name, f) })
}

// Save writes the bytes of MarshalBinary to a file, whole or not at all.
func (e *Encoder) Save(path string) error {
	if err := checkText("path", path, ErrInvalidArgument); err != nil {
		return err
	}
	return e.do(func(p uintptr, f *slc.Failure) int32 { return slc.Encoder_save(p, path, f) })
}

// MarshalBinary returns all of the encoder but the record. One that was learning names goes on where it was.
func (e *Encoder) MarshalBinary() ([]byte, error) {
	return encode(e, func(p uintptr, f *slc.Failure) []byte {
		bytes := make([]byte, slc.Encoder_to_bytes(p, nil, f))
		if f.Status() == 0 {
			slc.Encoder_to_bytes(p, bytes, f)
		}
		return bytes
	})
}

// UnmarshalBinary replaces the encoder, which may be the zero Encoder, by the one that was written. If it fails the encoder is as it was.
func (e *Encoder) UnmarshalBinary(data []byte) error {
	if data == nil {
		data = []byte{}
	}
	var f slc.Failure
	p := slc.Encoder_from_bytes(data, &f)
	if err := taken(&f); err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.free()
	e.own(p)
	return nil
}

// SetEncoder gives the model a copy of the encoder that makes its rows, so that its file, that of a predictor too, is all that is deployed. Nil
// takes it out.
func (m *Model) SetEncoder(e *Encoder) error {
	set := func(p uintptr, f *slc.Failure) error {
		h, err := m.own()
		if err != nil {
			return err
		}
		slc.Model_set_encoder(h.p, p, f)
		if err = taken(f); err == nil {
			h.encoders = sync.Pool{}
		}
		m.release(h, slc.Model_memory(h.p, h.failure))
		return err
	}
	if e == nil {
		return set(0, new(slc.Failure))
	}
	result, err := encode(e, set)
	if err == nil {
		err = result
	}
	return err
}

func (h *handle) encoder() (*Encoder, error) {
	p, err := see(h, slc.Model_encoder)
	if err != nil {
		return nil, err
	}
	return new(Encoder).own(p), nil
}

// Encoder returns a copy of the encoder that the model carries.
func (m *Model) Encoder() (*Encoder, error) { return with(m, (*handle).encoder) }

// Encoder returns a copy of the encoder that the predictor carries.
func (p *Predictor) Encoder() (*Encoder, error) { return predictWith(p, (*handle).encoder) }

// record makes a row of a record with a copy of the model's encoder, which is frozen, so that asking teaches it nothing.
func (h *handle) record(record any) (indices []uint32, values []float64, err error) {
	e, _ := h.encoders.Get().(*Encoder)
	if e == nil {
		if e, err = h.encoder(); err == nil {
			err = e.Freeze()
		}
		if err != nil {
			return nil, nil, err
		}
	}
	defer h.encoders.Put(e)
	return e.Record(record)
}

func (h *handle) predictRecord(record any) (float64, error) {
	indices, values, err := h.record(record)
	if err != nil {
		return 0, err
	}
	return h.predict(indices, values)
}

func (h *handle) scoresRecord(record any) ([]float64, error) {
	indices, values, err := h.record(record)
	if err != nil {
		return nil, err
	}
	return h.scores(indices, values)
}

// PredictRecord returns the score of a record, as Encoder.Record takes it, of which the model's encoder makes a row. Names that the encoder does
// not know are left out.
func (m *Model) PredictRecord(record any) (float64, error) {
	return with(m, func(h *handle) (float64, error) { return h.predictRecord(record) })
}

// ScoresRecord returns the scores of a record, one for each class.
func (m *Model) ScoresRecord(record any) ([]float64, error) {
	return with(m, func(h *handle) ([]float64, error) { return h.scoresRecord(record) })
}

// PredictRecord returns the score of a record.
func (p *Predictor) PredictRecord(record any) (float64, error) {
	return predictWith(p, func(h *handle) (float64, error) { return h.predictRecord(record) })
}

// ScoresRecord returns the scores of a record, one for each class.
func (p *Predictor) ScoresRecord(record any) ([]float64, error) {
	return predictWith(p, func(h *handle) ([]float64, error) { return h.scoresRecord(record) })
}
