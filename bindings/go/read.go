package sparselin

import (
	"bufio"
	"compress/gzip"
	"io"
	"runtime/cgo"

	"sparselin.org/sparselin/bindings/go/internal/slc"
)

const chunk = 1 << 16 // bytes read at a time

// ReadDataset reads svmlight/LIBSVM text from r to its end, unpacking it on the way if it is compressed with gzip. It holds no more of the
// text than a chunk. The option of text is index_base. If r fails, so does ReadDataset, with an error that wraps r's.
func ReadDataset(r io.Reader, options ...Option) (d *Dataset, err error) {
	s := newSource(r)
	call := cgo.NewHandle(slc.Read(s.read))
	defer call.Delete()
	err = withOptions(options, func(o uintptr) (err error) {
		var f slc.Failure
		d, err = madeDataset(slc.Dataset_read(uintptr(call), o, &f), &f)
		return err
	})
	s.repanic()
	if err != nil {
		return nil, s.reason(err)
	}
	return d, nil
}

// A source hands the bytes of a reader to the C library. They pass through a buffer of Go's, which a reader may keep without harm.
type source struct {
	callback
	r      io.Reader
	opened bool
	buffer []byte
	err    error // what the reader failed with
}

func newSource(r io.Reader) *source { return &source{r: r, buffer: make([]byte, chunk)} }

// reason returns the error of the reader, where that is what the C library failed with, and else err.
func (s *source) reason(err error) error {
	if s.err == nil || s.err == io.EOF {
		return err
	}
	return failed(ErrIO, "reading text: "+s.err.Error(), s.err)
}

func (s *source) read(p []byte) (n int) {
	ok := s.run(func() {
		if !s.opened && s.err == nil {
			s.open()
		}
		for tries := 0; n == 0 && s.err == nil; tries++ {
			if tries == 100 {
				s.err = io.ErrNoProgress
				return
			}
			b := s.buffer
			if len(p) < len(b) {
				b = b[:len(p)]
			}
			n, s.err = s.r.Read(b)
			n = copy(p, b[:n])
		}
	})
	switch {
	case !ok:
		return -1
	case n > 0 || s.err == io.EOF:
		return n
	default:
		return -1
	}
}

// open looks whether the text is compressed.
func (s *source) open() {
	s.opened = true
	buffered := bufio.NewReaderSize(s.r, chunk)
	s.r = buffered
	if magic, _ := buffered.Peek(2); len(magic) < 2 || magic[0] != 0x1f || magic[1] != 0x8b {
		return
	}
	unpacked, err := gzip.NewReader(buffered)
	if err != nil {
		s.err = err
		return
	}
	s.r = unpacked
}
