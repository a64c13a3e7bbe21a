package sparselin

import (
	"fmt"
	"math"
	"reflect"
	"sort"
	"strconv"
	"strings"

	"sparselin.org/sparselin/bindings/go/internal/slc"
)

// Text is a string that is a text, not a category, in a record.
type Text string

// A field of a record, in the form that the C library takes.
type field struct {
	name   string
	kind   fieldKind
	number float64
	text   string
}

type fieldKind int

const (
	aNumber fieldKind = iota
	aCategory
	aText
)

// Record makes a row of a record by itself, after Clear: a map whose keys are strings, or a struct, or a pointer to one.
//
// Numbers are numbers, bools and strings categories, and what is of the type Text is a text. Nil is as if it were not there, pointers are what they
// point to, and a slice or array is several of one name. A struct's fields are called as the field is unless a tag says otherwise, and what else
// to take it for: `sparselin:"name,text"`, or category, which a number can be, too; `sparselin:"-"` leaves it out. Fields that are not exported
// are left out, those of an embedded struct belong to the record. A map's fields come by ascending name.
func (e *Encoder) Record(record any) (indices []uint32, values []float64, err error) {
	fields, err := fieldsOf(reflect.ValueOf(record), nil)
	if err != nil {
		return nil, nil, err
	}
	r, err := encode(e, func(p uintptr, f *slc.Failure) (r Row) {
		slc.Encoder_clear(p, f)
		for i := 0; i < len(fields) && f.Status() == 0; i++ {
			switch x := fields[i]; x.kind {
			case aNumber:
				slc.Encoder_number(p, x.name, x.number, f)
			case aCategory:
				slc.Encoder_category(p, x.name, x.text, f)
			case aText:
				slc.Encoder_text(p, x.name, []byte(x.text), f)
			}
		}
		if f.Status() == 0 {
			r = row(p, f)
		}
		return r
	})
	return r.Indices, r.Values, err
}

func fieldsOf(record reflect.Value, fields []field) (_ []field, err error) {
	for record.Kind() == reflect.Pointer || record.Kind() == reflect.Interface {
		record = record.Elem()
	}
	switch {
	case record.Kind() == reflect.Map && record.Type().Key().Kind() == reflect.String:
		keys := record.MapKeys()
		sort.Slice(keys, func(i, j int) bool { return keys[i].String() < keys[j].String() })
		for _, key := range keys {
			if fields, err = addField(fields, key.String(), "", record.MapIndex(key)); err != nil {
				return nil, err
			}
		}
	case record.Kind() == reflect.Struct:
		for i := 0; i < record.NumField(); i++ {
			about := record.Type().Field(i)
			name, as, _ := strings.Cut(about.Tag.Get("sparselin"), ",")
			switch {
			case name == "-":
			case about.Anonymous && name == "" && about.Type.Kind() == reflect.Struct:
				fields, err = fieldsOf(record.Field(i), fields)
			case about.IsExported():
				if name == "" {
					name = about.Name
				}
				fields, err = addField(fields, name, as, record.Field(i))
			}
			if err != nil {
				return nil, err
			}
		}
	default:
		what := "nil"
		if record.IsValid() {
			what = record.Type().String()
		}
		return nil, failed(ErrInvalidArgument, "a record is a map whose keys are strings, or a struct, but this is "+what, nil)
	}
	return fields, nil
}

// addField adds a value, which is taken for what `as` says: text, category, or what its type is where that is empty.
func addField(fields []field, name, as string, value reflect.Value) (_ []field, err error) {
	refuse := func(why string) ([]field, error) {
		return nil, failed(ErrInvalidArgument, fmt.Sprintf("field %q %s", name, why), nil)
	}
	if as != "" && as != "text" && as != "category" {
		return refuse(fmt.Sprintf("is tagged %q: there are text and category", as))
	}
	for value.Kind() == reflect.Pointer || value.Kind() == reflect.Interface {
		value = value.Elem()
	}
	if !value.IsValid() {
		return fields, nil
	}
	x := field{name: name, kind: aCategory}
	switch value.Kind() {
	case reflect.Slice, reflect.Array:
		if value.Type().Elem().Kind() == reflect.Uint8 {
			return refuse("is bytes: give them as a string")
		}
		for i := 0; i < value.Len(); i++ {
			if fields, err = addField(fields, name, as, value.Index(i)); err != nil {
				return nil, err
			}
		}
		return fields, nil
	case reflect.String:
		x.text = value.String()
		if as == "text" || as == "" && value.Type() == reflect.TypeOf(Text("")) {
			x.kind = aText
		}
	case reflect.Bool:
		x.text = strconv.FormatBool(value.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		x.kind, x.number, x.text = aNumber, float64(value.Int()), strconv.FormatInt(value.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		x.kind, x.number, x.text = aNumber, float64(value.Uint()), strconv.FormatUint(value.Uint(), 10)
	case reflect.Float32, reflect.Float64:
		x.kind, x.number, x.text = aNumber, value.Float(), strconv.FormatFloat(value.Float(), 'g', -1, value.Type().Bits())
	default:
		return refuse("is " + value.Type().String() + ", which is neither a number nor a bool nor a string")
	}
	if as == "text" && x.kind != aText {
		return refuse("is " + value.Type().String() + ", not a text")
	}
	if as == "category" {
		x.kind = aCategory
	}
	// Before the first call, so that a dictionary learns no name of a record that is refused.
	if x.kind == aNumber && (math.IsNaN(x.number) || math.IsInf(x.number, 0)) {
		return nil, failed(ErrInvalidData, fmt.Sprintf("field %q is %v", name, x.number), nil)
	}
	checked := name
	if x.kind == aCategory {
		checked += x.text
	}
	if err := checkText("name or category", checked, ErrInvalidData); err != nil {
		return nil, err
	}
	return append(fields, x), nil
}
