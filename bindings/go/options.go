package sparselin

import (
	"fmt"
	"strings"

	"sparselin.org/sparselin/bindings/go/internal/slc"
)

// An Option is a setting of a model or of reading text. See With.
type Option struct{ name, value string }

// With sets the option of that name, the same in every language, to a string, a number or a bool. OptionTable lists them all.
func With(name string, value any) Option { return Option{name, fmt.Sprint(value)} }

// OptionInfo describes an option.
type OptionInfo struct {
	Name    string
	Kind    string // number, integer, boolean or the choices as a|b|c, with |auto where a number may be left to the library
	Default string
	Help    string // a sentence or two
}

// OptionTable describes all options.
func OptionTable() []OptionInfo {
	table := make([]OptionInfo, slc.Option_count())
	var f slc.Failure
	for i := range table {
		text := func(what int32) string { return slc.Option_describe(uint64(i), what, &f) }
		table[i] = OptionInfo{Name: text(0), Kind: text(1), Default: text(2), Help: text(3)}
	}
	return table
}

// Version returns the version of the library.
func Version() string { return slc.Version() }

// withOptions calls with the C library's form of options, 0 if there are none.
func withOptions(options []Option, call func(p uintptr) error) error {
	if len(options) == 0 {
		return call(0)
	}
	var f slc.Failure
	p := slc.Options_create(&f)
	if err := taken(&f); err != nil {
		return err
	}
	defer slc.Options_free(p)
	for _, o := range options {
		if err := checkText("option", o.name+o.value, ErrInvalidOption); err != nil {
			return err
		}
		slc.Options_set(p, o.name, o.value, &f)
		if err := taken(&f); err != nil {
			return err
		}
	}
	return call(p)
}

// checkText refuses text of which C would see a part only.
func checkText(what, text string, status Status) error {
	if strings.Contains(text, "\x00") {
		return failed(status, fmt.Sprintf("%s %q contains a NUL", what, text), nil)
	}
	return nil
}
