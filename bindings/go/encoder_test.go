package sparselin

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
)

func newEncoder(t testing.TB, options ...Option) *Encoder {
	t.Helper()
	e, err := NewEncoder(options...)
	ok(t, err)
	return e
}

// plain undoes the escapes of a field of hashing.txt.
func plain(t testing.TB, field string) string {
	var text strings.Builder
	for i := 0; i < len(field); i++ {
		switch {
		case strings.HasPrefix(field[i:], `\\`):
			text.WriteByte('\\')
			i++
		case strings.HasPrefix(field[i:], `\x`):
			b, err := strconv.ParseUint(field[i+2:i+4], 16, 8)
			ok(t, err)
			text.WriteByte(byte(b))
			i += 3
		default:
			text.WriteByte(field[i])
		}
	}
	return text.String()
}

// Each case field by field, and where no name is there twice as a record of a map; a lone text among many, too.
func TestHashingVectors(t *testing.T) {
	for name, want := range map[string]int{"hashing.txt": 200, "hashing-spark.txt": 50} {
		found := 0
		var options []Option
		var fields [][]string
		for number, line := range vectors(t, name) {
			words := strings.Split(line, "\t")
			if line == "" || line[0] == '#' {
				continue
			}
			if words[0] == "option" {
				options = append(options, With(words[1], words[2]))
				continue
			}
			if words[0] != "row" {
				fields = append(fields, words)
				continue
			}
			found++
			wanted := parseRow(t, 0, 1, words[1:])
			e := newEncoder(t, options...)
			record, twice := map[string]any{}, false
			for _, x := range fields {
				key, value := plain(t, x[1]), plain(t, x[2])
				_, known := record[key]
				twice = twice || known
				switch x[0] {
				case "text":
					ok(t, e.Text(key, value))
					record[key] = Text(value)
				case "category":
					ok(t, e.Category(key, value))
					record[key] = value
				case "number":
					ok(t, e.Number(key, float(t, value)))
					record[key] = float(t, value)
				}
			}
			check := func(way string, indices []uint32, values []float64, err error) {
				ok(t, err)
				if len(indices) != len(wanted.indices) || len(indices) > 0 && (!reflect.DeepEqual(indices, wanted.indices) || !reflect.DeepEqual(values, wanted.values)) {
					t.Errorf("%s:%d, %s: %v %v", name, number+1, way, indices, values)
				}
			}
			indices, values, err := e.Row()
			check("field by field", indices, values, err)
			if !twice {
				indices, values, err = e.Record(record)
				check("as a record", indices, values, err)
			}
			if len(fields) == 1 && fields[0][0] == "text" {
				text := plain(t, fields[0][2])
				data, err := e.Texts(plain(t, fields[0][1]), []string{"", text}, nil, nil)
				ok(t, err)
				r, err := data.Row(1)
				check("among texts", r.Indices, r.Values, err)
				ok(t, data.Close())
			}
			ok(t, e.Close())
			options, fields = nil, nil
		}
		if found != want {
			t.Errorf("%s has %d cases", name, found)
		}
	}
}

func float(t testing.TB, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	ok(t, err)
	return x
}

type address struct{ City string }

type person struct {
	address
	Age      int
	Happy    bool
	Zip      uint16   `sparselin:"zip,category"`
	About    string   `sparselin:"about,text"`
	Tags     []string `sparselin:"tag"`
	Height   *float32
	Ignored  string `sparselin:"-"`
	Anything any
	hidden   int
}

// named returns a row by the names of its features.
func named(t testing.TB, e *Encoder, record any) map[string]float64 {
	t.Helper()
	indices, values, err := e.Record(record)
	ok(t, err)
	row := map[string]float64{}
	for i, index := range indices {
		name, err := e.Name(index)
		ok(t, err)
		row[name] = values[i]
	}
	return row
}

func TestRecords(t *testing.T) {
	e := newEncoder(t, With("features", "dictionary"))
	defer e.Close()
	ok(t, e.Cross("City", "zip"))
	height := float32(1.5)
	want := map[string]float64{"City=Delft": 1, "Age": 34, "Happy=true": 1, "zip=2611": 1, "about=the": 2, "about=cat": 1, "tag=a": 1, "tag=b": 1,
		"Height": 1.5, "Anything": 2, "City=Delft*zip=2611": 1}
	p := person{address{"Delft"}, 34, true, 2611, "The cat, the.", []string{"a", "b"}, &height, "no", uint8(2), 1}
	for _, record := range []any{p, &p, map[string]any{"City": "Delft", "Age": 34.0, "Happy": true, "zip": "2611", "about": Text("the cat the"),
		"tag": []any{"a", "b"}, "Height": &height, "Anything": int64(2), "none": nil, "zero": 0}} {
		if got := named(t, e, record); !reflect.DeepEqual(got, want) {
			t.Errorf("%T: %v", record, got)
		}
	}
	if got := named(t, e, person{}); !reflect.DeepEqual(got, map[string]float64{"City=": 1, "Happy=false": 1, "zip=0": 1, "City=*zip=0": 1}) {
		t.Error(got)
	}
	if got := named(t, e, map[string]float64{"x": 1, "y": 0}); !reflect.DeepEqual(got, map[string]float64{"x": 1}) {
		t.Error(got)
	}

	// The order of a map's fields is fixed, and so are a dictionary's indices.
	for i := 0; i < 20; i++ {
		fresh := newEncoder(t, With("features", "dictionary"))
		_, _, err := fresh.Record(map[string]int{"d": 1, "b": 1, "a": 1, "c": 1})
		ok(t, err)
		for k, want := range []string{"a", "b", "c", "d"} {
			if name, err := fresh.Name(uint32(k)); err != nil || name != want {
				t.Fatal(k, name, err)
			}
		}
		ok(t, fresh.Close())
	}
}

func TestRecordsRefused(t *testing.T) {
	e := newEncoder(t, With("features", "dictionary"))
	defer e.Close()
	for text, record := range map[string]any{
		"but this is nil":         nil,
		"but this is int":         7,
		"but this is map[int]int": map[int]int{1: 1},
		`field "f" is func()`:     map[string]any{"a": 1, "f": func() {}},
		`field "b" is bytes`:      map[string]any{"a": 1, "b": []byte("x")},
		`field "B" is int, not`: struct {
			A int
			B int `sparselin:",text"`
		}{},
		`is tagged "txt"`: struct {
			A string `sparselin:"A,txt"`
		}{},
	} {
		_, _, err := e.Record(record)
		fails(t, err, ErrInvalidArgument, text)
	}
	for _, record := range []map[string]any{{"a": 1, "b": math.NaN()}, {"a": 1, "b": math.Inf(-1)}, {"a": 1, "b": "x\x00"}, {"a": 1, "b\x00": 1}} {
		_, _, err := e.Record(record)
		fails(t, err, ErrInvalidData, "b")
	}
	if names, err := e.Dimension(); err != nil || names != 0 {
		t.Error("a record that was refused has taught names", names, err)
	}
	fails(t, e.Number("x", math.NaN()), ErrInvalidData, "nan")
	fails(t, e.Category("x", "a\x00b"), ErrInvalidData, "NUL")
	ok(t, e.Text("x", "a\x00b"))
	fails(t, e.Cross("x", "y"), ErrState, "")
	_, err := e.Name(99)
	fails(t, err, ErrInvalidArgument, "99")
	_, err = e.Texts("", []string{"a"}, []float64{1, 2}, nil)
	fails(t, err, ErrInvalidArgument, "labels")
	_, err = e.Texts("", []string{"a", "b"}, nil, []float64{1, -1})
	fails(t, err, ErrInvalidData, "row 1: ")
	_, err = NewEncoder(With("loss", "hinge"))
	fails(t, err, ErrInvalidOption, "loss")
	hashed := newEncoder(t)
	defer hashed.Close()
	_, err = hashed.Name(0)
	fails(t, err, ErrState, "keep_names")
}

func TestEncodersAreKept(t *testing.T) {
	e := newEncoder(t, With("features", "dictionary"), With("min_count", 2), With("ngram_max", 2), With("threads", 2))
	defer e.Close()
	data, err := e.Texts("", []string{"good day", "good night", ""}, []float64{1, -1, 1}, nil)
	ok(t, err)
	defer data.Close()
	if rows, err := data.Rows(); err != nil || rows != 3 {
		t.Error(rows, err)
	}
	path := filepath.Join(t.TempDir(), "words.sle")
	ok(t, e.Save(path))
	loaded, err := LoadEncoder(path)
	ok(t, err)
	defer loaded.Close()
	ok(t, loaded.SetThreads(1))
	fails(t, loaded.SetThreads(5000), ErrInvalidArgument, "5000")
	kept, err := e.MarshalBinary()
	ok(t, err)
	var read Encoder
	ok(t, read.UnmarshalBinary(kept))
	fails(t, read.UnmarshalBinary(kept[:len(kept)-1]), ErrFormat, "")
	fails(t, read.UnmarshalBinary(nil), ErrFormat, "")
	for _, other := range []*Encoder{e, loaded, &read} {
		if option, err := other.Option("ngram_max"); err != nil || option != "2" {
			t.Error(option, err)
		}
		ok(t, other.Freeze())
		indices, _, err := other.Record(map[string]any{"": Text("good evening day")})
		ok(t, err)
		if len(indices) != 1 {
			t.Error(indices)
		}
		if name, err := other.Name(indices[0]); err != nil || name != "good" {
			t.Error(name, err)
		}
	}
	want, err := e.MarshalBinary()
	ok(t, err)
	if got, err := read.MarshalBinary(); err != nil || !bytes.Equal(got, want) {
		t.Error("the bytes are others", err)
	}
	ok(t, read.Close())
	if _, err := json.Marshal(e); err == nil || !strings.Contains(err.Error(), "MarshalBinary") {
		t.Error(err)
	}
	_, err = LoadEncoder(filepath.Join(t.TempDir(), "none"))
	fails(t, err, ErrIO, "")
}

func TestModelsCarryTheirEncoder(t *testing.T) {
	e := newEncoder(t, With("features", "dictionary"))
	m := newModel(t)
	defer m.Close()
	_, err := m.Encoder()
	fails(t, err, ErrState, "")
	_, err = m.PredictRecord(person{})
	fails(t, err, ErrState, "")
	for i := 0; i < 20; i++ {
		for label, mood := range map[float64]string{-1: "bad", 1: "good"} {
			indices, values, err := e.Record(map[string]any{"mood": mood})
			ok(t, err)
			ok(t, m.Feed(indices, values, label))
		}
	}
	ok(t, m.SetEncoder(e))
	ok(t, e.Close())
	fails(t, m.SetEncoder(e), ErrInvalidArgument, "closed")
	kept, err := m.MarshalBinary()
	ok(t, err)
	loaded, err := ReadModel(bytes.NewReader(kept))
	ok(t, err)
	defer loaded.Close()
	p, err := loaded.Predictor()
	ok(t, err)
	of, err := p.Encoder()
	ok(t, err)
	indices, values, err := of.Record(map[string]any{"mood": "good"})
	ok(t, err)
	ok(t, of.Close())
	want, err := m.Predict(indices, values)
	ok(t, err)
	var wait sync.WaitGroup
	for g := 0; g < 4; g++ {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for i := 0; i < 100; i++ {
				// A name that is not known is left out, and not learned.
				record := map[string]any{"mood": "good", "new" + strconv.Itoa(i): 1}
				one, e1 := loaded.PredictRecord(record)
				two, e2 := p.PredictRecord(record)
				three, e3 := p.ScoresRecord(record)
				four, e4 := loaded.ScoresRecord(record)
				if e1 != nil || e2 != nil || e3 != nil || e4 != nil || one != want || two != want || three[0] != want || four[0] != want || want <= 0 {
					t.Error(one, two, three, four, want, e1, e2, e3, e4)
				}
			}
		}()
	}
	wait.Wait()
	_, err = p.PredictRecord(map[string]any{"mood": math.NaN()})
	fails(t, err, ErrInvalidData, "mood")

	// It goes on learning.
	ok(t, loaded.Feed(indices, values, 1))
	want, err = loaded.PredictRecord(map[string]any{"mood": "good"})
	ok(t, err)
	if now, err := loaded.Predict(indices, values); err != nil || now != want {
		t.Error(now, want, err)
	}

	// Another encoder is another row.
	other := newEncoder(t, With("features", "dictionary"))
	defer other.Close()
	ok(t, loaded.SetEncoder(other))
	nothing, err := loaded.Predict(nil, nil)
	ok(t, err)
	if got, err := loaded.PredictRecord(map[string]any{"mood": "good"}); err != nil || got != nothing || got == want {
		t.Error(got, nothing, err)
	}
	ok(t, loaded.SetEncoder(nil))
	_, err = loaded.PredictRecord(map[string]any{"mood": "good"})
	fails(t, err, ErrState, "")
}

func TestClosedEncoders(t *testing.T) {
	e := newEncoder(t)
	ok(t, e.Close())
	ok(t, e.Close())
	for _, e := range []*Encoder{e, new(Encoder), nil} {
		_, _, e1 := e.Record(map[string]any{})
		_, _, e2 := e.Row()
		_, e3 := e.Texts("", nil, nil, nil)
		_, e4 := e.Name(0)
		_, e5 := e.Dimension()
		_, e6 := e.MarshalBinary()
		_, e7 := e.Option("features")
		for _, err := range []error{e1, e2, e3, e4, e5, e6, e7, e.Number("x", 1), e.Category("x", "y"), e.Text("x", "y"), e.Clear(), e.Freeze(),
			e.Cross("x", "y"), e.SetThreads(1), e.Save("x")} {
			fails(t, err, ErrInvalidArgument, "closed")
			if !errors.Is(err, os.ErrClosed) {
				t.Error(err)
			}
		}
		ok(t, e.Close())
	}
}

// What is not closed is freed when it is garbage.
func TestForgottenEncoders(t *testing.T) {
	words := strings.Repeat("x", 1<<20)
	before := residentBytes(t)
	for i := 0; i < 300; i++ {
		e := newEncoder(t, With("features", "dictionary"))
		ok(t, e.Category("name", words))
		if i%10 == 0 {
			runtime.GC()
		}
	}
	if more := residentBytes(t) - before; more > 150<<20 {
		t.Errorf("%d MB are held", more>>20)
	}
}
