package sparselin

import (
	"io"

	"sparselin.org/sparselin/bindings/go/internal/slc"
)

// What is kept of a model: enough to train on to the same bits, or enough to predict.
const (
	keepEverything int32 = 0
	keepPredictor  int32 = 1
)

func (h *handle) keep(keep int32) (bytes []byte, err error) {
	_, err = see(h, func(p uintptr, f *slc.Failure) bool {
		length := slc.Model_to_bytes(p, keep, nil, f)
		bytes = make([]byte, length)
		if f.Status() == 0 {
			slc.Model_to_bytes(p, keep, bytes, f)
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	return bytes, nil
}

func (m *Model) keep(keep int32) ([]byte, error) {
	return with(m, func(h *handle) ([]byte, error) { return h.keep(keep) })
}

func (m *Model) writeTo(w io.Writer, keep int32) (int64, error) {
	bytes, err := m.keep(keep)
	if err != nil {
		return 0, err
	}
	n, err := w.Write(bytes)
	return int64(n), err
}

// WriteTo writes the model, to be trained on to the same bits as if it had never been written. The bytes are the same on every machine.
func (m *Model) WriteTo(w io.Writer) (int64, error) { return m.writeTo(w, keepEverything) }

// WritePredictorTo writes what it takes to predict, which is small.
func (m *Model) WritePredictorTo(w io.Writer) (int64, error) { return m.writeTo(w, keepPredictor) }

// MarshalBinary returns the bytes of WriteTo.
func (m *Model) MarshalBinary() ([]byte, error) { return m.keep(keepEverything) }

// UnmarshalBinary replaces the model, which may be the zero Model, by the one that was written. If it fails the model is as it was.
func (m *Model) UnmarshalBinary(data []byte) error {
	if data == nil {
		data = []byte{}
	}
	var f slc.Failure
	read, err := made(slc.Model_from_bytes(data, &f), &f)
	if err != nil {
		return err
	}
	if m.fitting.Load() {
		read.h.free()
		return errFitting
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.h != nil {
		m.h.free()
	}
	m.h = read.h
	return nil
}

// ReadModel reads a model that WriteTo, WritePredictorTo or Save wrote, here or in another language. It reads r to its end.
func ReadModel(r io.Reader) (*Model, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, failed(ErrIO, "reading a model: "+err.Error(), err)
	}
	m := new(Model)
	if err := m.UnmarshalBinary(data); err != nil {
		return nil, err
	}
	return m, nil
}

func (m *Model) save(path string, keep int32) error {
	if err := checkText("path", path, ErrInvalidArgument); err != nil {
		return err
	}
	_, err := look(m, func(p uintptr, f *slc.Failure) int32 { return slc.Model_save(p, keep, path, f) })
	return err
}

// Save writes the bytes of WriteTo to a file, whole or not at all, by way of a temporary file in the same folder.
func (m *Model) Save(path string) error { return m.save(path, keepEverything) }

// SavePredictor writes the bytes of WritePredictorTo to a file, whole or not at all.
func (m *Model) SavePredictor(path string) error { return m.save(path, keepPredictor) }

// Load reads a model from a file.
func Load(path string) (*Model, error) {
	if err := checkText("path", path, ErrInvalidArgument); err != nil {
		return nil, err
	}
	var f slc.Failure
	return made(slc.Model_load(path, &f), &f)
}
