package sparselin

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc64"
	"math"
	"testing"
)

// Any row at all is learned or refused, in which case the model is as it was.
func FuzzFeed(f *testing.F) {
	f.Add([]byte{}, 1.0, 1.0)
	f.Add([]byte{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xf0, 0xbf}, -1.0, 0.5)
	f.Add(bytes.Repeat([]byte{0xff}, 36), math.NaN(), math.Inf(1))
	f.Fuzz(func(t *testing.T, row []byte, label, weight float64) {
		var indices []uint32
		var values []float64
		for ; len(row) >= 12; row = row[12:] {
			indices = append(indices, binary.LittleEndian.Uint32(row))
			values = append(values, math.Float64frombits(binary.LittleEndian.Uint64(row[4:])))
		}
		values = values[:len(values)-len(row)%2*len(values)/2] // now and then too few
		m := newModel(t, With("storage", "hash"), With("loss", "squared"))
		defer m.Close()
		ok(t, m.Feed(good, nil, 1))
		before, err := m.MarshalBinary()
		ok(t, err)
		fed := m.FeedWeighted(indices, values, label, weight)
		after, err := m.MarshalBinary()
		ok(t, err)
		var e *Error
		if fed != nil && (!errors.As(fed, &e) || e.Status == ErrInternal || !bytes.Equal(before, after)) {
			t.Error(fed)
		}
		if score, err := m.Predict(good, nil); err != nil || math.IsNaN(score) {
			t.Error(score, err)
		}
	})
}

// sealed makes the length and the checksum of a model's bytes fit, so that what lies within is looked at.
func sealed(data []byte) []byte {
	if len(data) < 32 {
		return data
	}
	data = append([]byte(nil), data...)
	binary.LittleEndian.PutUint64(data[16:], uint64(len(data)))
	end := len(data) - 8
	binary.LittleEndian.PutUint64(data[end:], crc64.Checksum(data[:end], crc64.MakeTable(crc64.ECMA)))
	return data
}

// Any bytes at all are a model that can be used, or refused.
func FuzzReadModel(f *testing.F) {
	m := trained(f)
	defer m.Close()
	whole, err := m.MarshalBinary()
	ok(f, err)
	var small bytes.Buffer
	_, err = m.WritePredictorTo(&small)
	ok(f, err)
	if !bytes.Equal(sealed(whole), whole) {
		f.Error("the format of models has changed")
	}
	f.Add(whole, false)
	f.Add(whole, true)
	f.Add(small.Bytes(), true)
	f.Add([]byte{}, false)
	f.Fuzz(func(t *testing.T, data []byte, seal bool) {
		if seal {
			data = sealed(data)
		}
		m, err := ReadModel(bytes.NewReader(data))
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Status == ErrInternal {
				t.Error(err)
			}
			return
		}
		defer m.Close()
		// Whoever forges a checksum can have a model of any numbers, even ones that overflow; then some calls fail.
		calls := []func() error{
			func() error { _, err := m.Predict(good, nil); return err },
			func() error { _, _, err := m.Weights(); return err },
			func() error { return m.Feed(good, nil, 1) },
			func() error { return m.Finalize() },
			func() error { _, err := m.MarshalBinary(); return err },
		}
		for i, call := range calls {
			var e *Error
			if err := call(); err != nil && (!errors.As(err, &e) || e.Status == ErrInternal) {
				t.Error(i, err)
			}
		}
	})
}
