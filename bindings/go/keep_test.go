package sparselin

import (
	"bytes"
	"encoding/gob"
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"
	"testing"
	"testing/iotest"
)

func TestKeeping(t *testing.T) {
	m := trained(t)
	defer m.Close()
	path := filepath.Join(t.TempDir(), "模型.slm")
	ok(t, m.Save(path))
	loaded, err := Load(path)
	ok(t, err)
	defer loaded.Close()

	var text bytes.Buffer
	n, err := m.WriteTo(&text)
	ok(t, err)
	if n != int64(text.Len()) || n == 0 {
		t.Error(n)
	}
	read, err := ReadModel(iotest.OneByteReader(&text))
	ok(t, err)
	defer read.Close()

	var network bytes.Buffer
	ok(t, gob.NewEncoder(&network).Encode(m))
	sent := new(Model)
	ok(t, gob.NewDecoder(&network).Decode(sent))
	defer sent.Close()

	ok(t, m.Feed(bad, nil, 1))
	want, err := m.MarshalBinary()
	ok(t, err)
	for i, other := range []*Model{loaded, read, sent} {
		ok(t, other.Feed(bad, nil, 1))
		if got, err := other.MarshalBinary(); err != nil || !bytes.Equal(got, want) {
			t.Errorf("model %d goes on differently: %v", i, err)
		}
	}
}

func TestPredictors(t *testing.T) {
	m := trained(t)
	defer m.Close()
	want, err := m.Predict(good, nil)
	ok(t, err)
	var small bytes.Buffer
	_, err = m.WritePredictorTo(&small)
	ok(t, err)
	path := filepath.Join(t.TempDir(), "small.slm")
	ok(t, m.SavePredictor(path))
	read, err := ReadModel(&small)
	ok(t, err)
	defer read.Close()
	loaded, err := Load(path)
	ok(t, err)
	defer loaded.Close()
	for _, p := range []*Model{read, loaded} {
		if got, err := p.Predict(good, nil); err != nil || got != want {
			t.Error(got, want, err)
		}
		fails(t, p.Feed(good, nil, 1), ErrState, "predict")
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 3, errors.New("the disk is full") }

func TestKeepingFails(t *testing.T) {
	m := trained(t)
	defer m.Close()
	if n, err := m.WriteTo(brokenWriter{}); n != 3 || err == nil {
		t.Error(n, err)
	}
	_, err := Load(filepath.Join(t.TempDir(), "none"))
	fails(t, err, ErrIO, "No such file")
	for _, err := range []error{err, m.Save(filepath.Join(t.TempDir(), "none", "model")), m.SavePredictor(filepath.Join(t.TempDir(), "none", "model"))} {
		fails(t, err, ErrIO, "")
		if !errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
			t.Error(err)
		}
	}
	_, err = LoadPredictor(t.TempDir())
	fails(t, err, ErrIO, "")
	if !errors.Is(err, syscall.EISDIR) || errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	_, err = Load("a\x00b")
	fails(t, err, ErrInvalidArgument, "NUL")
	_, err = ReadModel(bytes.NewReader(nil))
	fails(t, err, ErrFormat, "")
	broken := errors.New("the line was cut")
	_, err = ReadModel(iotest.ErrReader(broken))
	fails(t, err, ErrIO, "the line was cut")
	if !errors.Is(err, broken) {
		t.Error(err)
	}

	before, err := m.MarshalBinary()
	ok(t, err)
	for _, damaged := range [][]byte{nil, {}, before[:len(before)/2], append([]byte("x"), before...)} {
		fails(t, m.UnmarshalBinary(damaged), ErrFormat, "")
	}
	if after, err := m.MarshalBinary(); err != nil || !bytes.Equal(before, after) {
		t.Error("a failure changed the model", err)
	}
}
