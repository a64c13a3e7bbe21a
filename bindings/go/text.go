package sparselin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// String says what kind of model it is and how much it has learned.
func (m *Model) String() string {
	description, err := with(m, func(h *handle) (string, error) { return h.describe("Model") })
	return described("Model", description, err)
}

// String says what kind of model it comes from.
func (p *Predictor) String() string {
	description, err := predictWith(p, func(h *handle) (string, error) { return h.describe("Predictor") })
	return described("Predictor", description, err)
}

// String says how much data there is.
func (d *Dataset) String() string {
	rows, err := d.Rows()
	if err != nil {
		return described("Dataset", "", err)
	}
	nonzeros, _ := d.Nonzeros()
	dimension, _ := d.Dimension()
	return fmt.Sprintf("sparselin.Dataset(rows %d, nonzeros %d, dimension %d)", rows, nonzeros, dimension)
}

func described(what, description string, err error) string {
	var e *Error
	if errors.As(err, &e) {
		return "sparselin." + what + "(" + e.Message + ")"
	}
	return description
}

var errModelText = errors.New("sparselin: a model has no form as text or JSON: its form is that of MarshalBinary, which JSON holds as a []byte")

// MarshalText fails, since encoding/json would write {} without it, and hints at MarshalBinary.
func (m *Model) MarshalText() ([]byte, error) { return nil, errModelText }

// UnmarshalText fails, as MarshalText does.
func (m *Model) UnmarshalText([]byte) error { return errModelText }

// MarshalText fails, as that of Model does.
func (p *Predictor) MarshalText() ([]byte, error) { return nil, errModelText }

var errDatasetText = errors.New("sparselin: a data set has no form as JSON: its forms are those of Save, and text that ReadDataset reads")

// MarshalText fails, since encoding/json would write {} without it, and hints at Save.
func (d *Dataset) MarshalText() ([]byte, error) { return nil, errDatasetText }

// UnmarshalText fails, as MarshalText does.
func (d *Dataset) UnmarshalText([]byte) error { return errDatasetText }

var errEncoderText = errors.New("sparselin: an encoder has no form as text or JSON: its form is that of MarshalBinary, which JSON holds as a []byte")

// MarshalText fails, since encoding/json would write {} without it, and hints at MarshalBinary.
func (e *Encoder) MarshalText() ([]byte, error) { return nil, errEncoderText }

// UnmarshalText fails, as MarshalText does.
func (e *Encoder) UnmarshalText([]byte) error { return errEncoderText }

// Options are settings that can be kept as JSON, an object with a member for each: New(options...) makes a model with them.
type Options []Option

// String returns the option as name=value.
func (o Option) String() string { return o.name + "=" + o.value }

// MarshalJSON returns an object with one member.
func (o Option) MarshalJSON() ([]byte, error) { return Options{o}.MarshalJSON() }

// UnmarshalJSON reads an object with one member.
func (o *Option) UnmarshalJSON(text []byte) error {
	var options Options
	if err := options.UnmarshalJSON(text); err != nil {
		return err
	}
	if len(options) != 1 {
		return failed(ErrInvalidOption, fmt.Sprintf("%s is not one option: write {\"name\": value}, or read Options", text), nil)
	}
	*o = options[0]
	return nil
}

// MarshalJSON returns an object of names and values, numbers and booleans as such. Of options of the same name the last one counts.
func (options Options) MarshalJSON() ([]byte, error) {
	last := map[string]int{}
	for i, o := range options {
		last[o.name] = i
	}
	var text bytes.Buffer
	text.WriteByte('{')
	for i, o := range options {
		if last[o.name] != i {
			continue
		}
		if text.Len() > 1 {
			text.WriteByte(',')
		}
		name, err := json.Marshal(o.name)
		if err != nil {
			return nil, err
		}
		value := []byte(o.value)
		if !isPlain(value) {
			if value, err = json.Marshal(o.value); err != nil {
				return nil, err
			}
		}
		text.Write(name)
		text.WriteByte(':')
		text.Write(value)
	}
	text.WriteByte('}')
	return text.Bytes(), nil
}

// isPlain tells whether a value is JSON's number, true or false as it stands.
func isPlain(value []byte) bool {
	var number json.Number
	var boolean bool
	return len(value) > 0 && value[0] != '"' && string(value) != "null" && (json.Unmarshal(value, &number) == nil || json.Unmarshal(value, &boolean) == nil)
}

// UnmarshalJSON reads an object of names and values: strings, numbers and booleans.
func (options *Options) UnmarshalJSON(text []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
		return failed(ErrInvalidOption, "options as JSON are an object of names and values", err)
	}
	read := Options{}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return err
		}
		value, err := decoder.Token()
		if err != nil {
			return err
		}
		switch value.(type) {
		case string, json.Number, bool:
			read = append(read, With(name.(string), value))
		default:
			return failed(ErrInvalidOption, fmt.Sprintf("option %s is %v: a value is a string, a number or a boolean", name, value), nil)
		}
	}
	if _, err := decoder.Token(); err != nil && err != io.EOF {
		return err
	}
	*options = read
	return nil
}
