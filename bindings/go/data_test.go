package sparselin

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"
)

func residentBytes(t *testing.T) int64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip(err)
	}
	var total, resident int64
	if _, err := fmt.Sscan(string(text), &total, &resident); err != nil {
		t.Fatal(err)
	}
	return resident * int64(os.Getpagesize())
}

// someText is rows that alternate between two labels.
func someText(rows int) string {
	var text strings.Builder
	for r := 0; r < rows; r++ {
		fmt.Fprintf(&text, "%d %d:1 %d:0.5\n", r%2*2-1, 1+r%2, 3+r%97)
	}
	return text.String()
}

func someData(t testing.TB, rows int) *Dataset {
	t.Helper()
	data, err := ReadDataset(strings.NewReader(someText(rows)))
	ok(t, err)
	return data
}

func packed(text string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(text))
	w.Close()
	return b.Bytes()
}

func TestReadDataset(t *testing.T) {
	text := someText(20000) // several chunks
	for name, r := range map[string]io.Reader{
		"plain":         strings.NewReader(text),
		"byte by byte":  iotest.OneByteReader(strings.NewReader(text)),
		"error at once": iotest.DataErrReader(strings.NewReader(text)),
		"gzip":          bytes.NewReader(packed(text)),
	} {
		data, err := ReadDataset(r)
		if err != nil {
			t.Fatal(name, err)
		}
		rows, err := data.Rows()
		ok(t, err)
		nonzeros, err := data.Nonzeros()
		ok(t, err)
		dimension, err := data.Dimension()
		ok(t, err)
		if rows != 20000 || nonzeros != 40000 || dimension != 99 {
			t.Error(name, rows, nonzeros, dimension)
		}
		row, err := data.Row(19999)
		ok(t, err)
		if want := (Row{[]uint32{1, 19}, []float64{1, 0.5}, 1, 1}); !reflect.DeepEqual(row, want) {
			t.Error(name, row)
		}
		_, err = data.Row(20000)
		fails(t, err, ErrInvalidArgument, "20000")
		ok(t, data.Close())
	}
	data, err := ReadDataset(strings.NewReader("1 0:2\n"), With("index_base", "zero"))
	ok(t, err)
	defer data.Close()
	if row, err := data.Row(0); err != nil || row.Indices[0] != 0 {
		t.Error(row, err)
	}
}

// A reader that does what no reader should.
type rogue func(p []byte) (int, error)

func (r rogue) Read(p []byte) (int, error) { return r(p) }

func TestReadersThatFail(t *testing.T) {
	_, err := ReadDataset(strings.NewReader("1 1:2\n1 x\n"))
	fails(t, err, ErrFormat, "line 2")
	broken := errors.New("the line was cut")
	_, err = ReadDataset(io.MultiReader(strings.NewReader(someText(50000)), iotest.ErrReader(broken)))
	fails(t, err, ErrIO, "the line was cut")
	if !errors.Is(err, broken) {
		t.Error(err)
	}
	whole := packed(someText(1000))
	_, err = ReadDataset(bytes.NewReader(whole[:len(whole)/2]))
	fails(t, err, ErrIO, "")
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
	_, err = ReadDataset(rogue(func([]byte) (int, error) { return 0, nil }))
	fails(t, err, ErrIO, io.ErrNoProgress.Error())
	for name, r := range map[string]rogue{
		"panics":   func([]byte) (int, error) { panic("mine") },
		"too much": func(p []byte) (int, error) { return len(p) + 1, nil },
		"negative": func(p []byte) (int, error) { return -1, nil },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error(name)
				}
			}()
			ReadDataset(r)
		}()
	}
}

func TestNewDatasetAndFiles(t *testing.T) {
	data, err := NewDataset(CSR{[]int64{0, 2, 2}, []uint32{7, 3}, []float64{1, 2}}, []float64{1, -1}, []float64{1, 2})
	ok(t, err)
	defer data.Close()
	for r, want := range []Row{{[]uint32{3, 7}, []float64{2, 1}, 1, 1}, {[]uint32{}, []float64{}, -1, 2}} {
		if row, err := data.Row(uint64(r)); err != nil || !reflect.DeepEqual(row, want) {
			t.Error(row, err)
		}
	}
	path := filepath.Join(t.TempDir(), "data.svm")
	ok(t, os.WriteFile(path, []byte("1 8:1 4:2\n"), 0o600))
	loaded, err := LoadDataset(path, With("index_base", "one"))
	ok(t, err)
	defer loaded.Close()
	if row, err := loaded.Row(0); err != nil || !reflect.DeepEqual(row, Row{[]uint32{3, 7}, []float64{2, 1}, 1, 1}) {
		t.Error(row, err)
	}
	saved := filepath.Join(t.TempDir(), "data.bin")
	ok(t, data.Save(saved))
	again, err := LoadDataset(saved)
	ok(t, err)
	defer again.Close()
	for r := uint64(0); r < 2; r++ {
		want, err := data.Row(r)
		ok(t, err)
		if row, err := again.Row(r); err != nil || !reflect.DeepEqual(row, want) {
			t.Error(row, err)
		}
	}
	fails(t, data.Save(filepath.Join(t.TempDir(), "none", "data.bin")), ErrIO, "No such file")
	fails(t, data.Save("a\x00b"), ErrInvalidArgument, "NUL")
	_, err = LoadDataset(path + "none")
	fails(t, err, ErrIO, "No such file")
	if !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	_, err = LoadDataset("a\x00b")
	fails(t, err, ErrInvalidArgument, "NUL")
}

func TestFit(t *testing.T) {
	data := someData(t, 1000)
	defer data.Close()
	m := newModel(t, With("epochs", 3))
	defer m.Close()
	var reports []Progress
	ok(t, m.Fit(context.Background(), data, func(p Progress) { reports = append(reports, p) }))
	if n := len(reports); n < 3 || reports[n-1].Rows != 3000 || reports[n-1].RowsTotal != 3000 || reports[n-1].Epoch != 3 || reports[n-1].MeanLoss <= 0 {
		t.Error(reports)
	}
	wrong, err := m.Evaluate(data, "error_rate")
	ok(t, err)
	if wrong != 0 {
		t.Error(wrong)
	}
	_, err = m.Evaluate(data, "beauty")
	fails(t, err, ErrInvalidArgument, "beauty")
	scores, err := m.PredictDataset(data, nil)
	ok(t, err)
	if len(scores) != 1000 || scores[0] >= 0 || scores[1] <= 0 {
		t.Error(len(scores), scores[:2])
	}

	fed := newModel(t)
	defer fed.Close()
	done, err := fed.FeedDataset(data)
	ok(t, err)
	if done != 1000 {
		t.Error(done)
	}
}

// longFit is a fit of minutes.
func longFit(t testing.TB) (*Model, *Dataset) {
	return newModel(t, With("epochs", 1000000)), someData(t, 10000)
}

func TestFitStopsWithItsContext(t *testing.T) {
	m, data := longFit(t)
	defer m.Close()
	defer data.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := m.Fit(ctx, data, nil); err != context.Canceled {
		t.Error(err)
	}
	if steps, err := m.Steps(); err != nil || steps != 0 {
		t.Error(steps, err)
	}
	longest := time.Duration(0)
	for i := 0; i < 3; i++ {
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(50+30*i)*time.Millisecond)
		begin := time.Now()
		if err := m.Fit(ctx, data, nil); err != context.DeadlineExceeded {
			t.Error(err)
		}
		if late := time.Since(begin) - time.Duration(50+30*i)*time.Millisecond; late > longest {
			longest = late
		}
		cancel()
	}
	t.Logf("stopped at most %v late", longest)
	if longest > time.Second {
		t.Errorf("stopped %v late", longest)
	}
	before, err := m.Steps()
	ok(t, err)
	if before == 0 {
		t.Error("what was learned before is lost")
	}
}

func TestProgressMayDoAnything(t *testing.T) {
	m, data := longFit(t)
	bytes := kept(t, data)
	ctx, cancel := context.WithCancel(context.Background())
	err := m.Fit(ctx, data, func(Progress) {
		_, err := m.Predict(good, nil)
		fails(t, err, ErrState, "being fitted")
		fails(t, m.Feed(good, nil, 1), ErrState, "being fitted")
		fails(t, m.Close(), ErrState, "being fitted")
		fails(t, m.UnmarshalBinary(bytes), ErrState, "being fitted")
		ok(t, data.Close()) // The fit goes on with it.
		cancel()
	})
	if err != context.Canceled {
		t.Error(err)
	}
	ok(t, m.Feed(good, nil, 1))
	ok(t, m.Close())
}

// A panic of the progress function leaves the C library as an error does: what was learned is there, and the fit can go on.
func TestProgressMayPanic(t *testing.T) {
	data := someData(t, 100)
	defer data.Close()
	m := newModel(t, With("epochs", 2))
	defer m.Close()
	func() {
		defer func() {
			if recover() != "mine" {
				t.Error("no panic")
			}
		}()
		m.Fit(context.Background(), data, func(Progress) { panic("mine") })
	}()
	if steps, err := m.Steps(); err != nil || steps != 100 {
		t.Error(steps, err)
	}
	ok(t, m.Fit(context.Background(), data, nil))
	if again, err := m.MarshalBinary(); err != nil || !bytes.Equal(again, kept(t, data)) {
		t.Error("the fit went on differently", err)
	}
}

// Ending the goroutine, as t.FailNow does, waits for the C library to return; the model is there, between two rows.
func TestProgressMayEndItsGoroutine(t *testing.T) {
	data := someData(t, 100)
	defer data.Close()
	m := newModel(t)
	defer m.Close()
	var wait sync.WaitGroup
	wait.Add(1)
	go func() {
		defer wait.Done()
		m.Fit(context.Background(), data, func(Progress) { runtime.Goexit() })
		t.Error("the goroutine goes on")
	}()
	wait.Wait()
	if steps, err := m.Steps(); err != nil || steps != 100 {
		t.Error(steps, err)
	}
	ok(t, m.Feed(good, nil, 1))
}

// What is nil and must not be is a panic, as anywhere in Go, which harms nobody else.
func TestNilIsAPanic(t *testing.T) {
	data := someData(t, 100)
	defer data.Close()
	m := newModel(t)
	defer m.Close()
	reader, err := NewReader(nil)
	ok(t, err)
	defer reader.Close()
	var none context.Context
	for i, call := range []func(){
		func() { m.Fit(none, data, nil) },
		func() { m.WriteTo(nil) },
		func() { ReadModel(nil) },
		func() { ReadDataset(nil) },
		func() { reader.Next(1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error(i)
				}
			}()
			call()
		}()
	}
	ok(t, m.Fit(context.Background(), data, nil))
}

// kept is a model that has been fitted in two passes.
func kept(t testing.TB, data *Dataset) []byte {
	m := newModel(t, With("epochs", 2))
	defer m.Close()
	ok(t, m.Fit(context.Background(), data, nil))
	bytes, err := m.MarshalBinary()
	ok(t, err)
	return bytes
}
