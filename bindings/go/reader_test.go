package sparselin

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
)

// fedFrom feeds all that a reader gives and returns the model's bytes.
func fedFrom(t *testing.T, r io.Reader, rows int) []byte {
	t.Helper()
	m := newModel(t)
	defer m.Close()
	reader, err := NewReader(r)
	ok(t, err)
	defer reader.Close()
	for {
		data, err := reader.Next(rows)
		if err == io.EOF {
			break
		}
		ok(t, err)
		if count, err := data.Rows(); err != nil || count < 1 || count > uint64(rows)+5000 {
			t.Error(count, err)
		}
		_, err = m.FeedDataset(data)
		ok(t, err)
		ok(t, data.Close())
	}
	if _, err := reader.Next(rows); err != io.EOF {
		t.Error(err)
	}
	bytes, err := m.MarshalBinary()
	ok(t, err)
	return bytes
}

func TestReaderGivesAllRowsInPieces(t *testing.T) {
	text := someText(20000)
	want := fedFrom(t, strings.NewReader(text), 1<<30)
	for name, r := range map[string]io.Reader{
		"plain":         strings.NewReader(text),
		"byte by byte":  iotest.OneByteReader(strings.NewReader(text)),
		"error at once": iotest.DataErrReader(strings.NewReader(text)),
		"gzip":          bytes.NewReader(packed(text)),
	} {
		if !bytes.Equal(fedFrom(t, r, 700), want) {
			t.Error(name)
		}
	}
	if bytes.Equal(fedFrom(t, strings.NewReader(text[:len(text)/2]), 700), want) {
		t.Error("half of the text is enough")
	}
	fedFrom(t, strings.NewReader(""), 1)
}

func TestReaderFails(t *testing.T) {
	_, err := NewReader(strings.NewReader(""), With("index_bas", "one"))
	fails(t, err, ErrInvalidOption, "index_base")

	broken, whole := errors.New("the line was cut"), packed(someText(30000))
	for _, c := range []struct {
		r      io.Reader
		status Status
		text   string
	}{
		{strings.NewReader(someText(30000) + "1 x\n"), ErrFormat, "line 30001"},
		{io.MultiReader(strings.NewReader(someText(30000)), iotest.ErrReader(broken)), ErrIO, "the line was cut"},
		{bytes.NewReader(whole[:len(whole)/2]), ErrIO, io.ErrUnexpectedEOF.Error()},
		{rogue(func([]byte) (int, error) { return 0, nil }), ErrIO, io.ErrNoProgress.Error()},
	} {
		r, err := NewReader(c.r)
		ok(t, err)
		for _, rows := range []int{0, -1} {
			_, err = r.Next(rows)
			fails(t, err, ErrInvalidArgument, "rows")
		}
		var data *Dataset
		for err = nil; err == nil; {
			if data, err = r.Next(1000); err == nil {
				ok(t, data.Close())
			}
		}
		fails(t, err, c.status, c.text)
		_, err = r.Next(1000)
		fails(t, err, c.status, c.text)
		ok(t, r.Close())
		ok(t, r.Close())
		_, err = r.Next(1)
		fails(t, err, ErrInvalidArgument, "closed")
		if !errors.Is(err, os.ErrClosed) {
			t.Error(err)
		}
	}
	for _, r := range []*Reader{new(Reader), nil} {
		_, err = r.Next(1)
		fails(t, err, ErrInvalidArgument, "closed")
		ok(t, r.Close())
	}
	r, err := NewReader(rogue(func([]byte) (int, error) { panic("mine") }))
	ok(t, err)
	defer r.Close()
	defer func() {
		if recover() != "mine" {
			t.Error("no panic")
		}
	}()
	r.Next(1)
}

// To be run with -race: every row is given once, and closing in between is harmless.
func TestGoroutinesShareAReader(t *testing.T) {
	for _, closing := range []bool{false, true} {
		r, err := NewReader(strings.NewReader(someText(20000)))
		ok(t, err)
		var wait sync.WaitGroup
		counts := make([]uint64, 4)
		for g := range counts {
			wait.Add(1)
			go func(g int) {
				defer wait.Done()
				for {
					data, err := r.Next(100)
					if err != nil {
						if err != io.EOF && !(closing && errors.Is(err, os.ErrClosed)) {
							t.Error(err)
						}
						return
					}
					rows, err := data.Rows()
					ok(t, err)
					counts[g] += rows
					data.Close()
					if closing && g == 0 {
						r.Close()
					}
				}
			}(g)
		}
		wait.Wait()
		r.Close()
		if all := counts[0] + counts[1] + counts[2] + counts[3]; all != 20000 && !closing {
			t.Errorf("%d rows", all)
		}
	}
}
