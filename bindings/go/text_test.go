package sparselin

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
)

func TestOptionsAsJSON(t *testing.T) {
	options := Options{With("l2", 1e-4), With("loss", "hinge"), With("bias", true), With("seed", uint64(math.MaxUint64)), With("eta0", "auto"), With("loss", "log")}
	text, err := json.Marshal(options)
	ok(t, err)
	if want := `{"l2":0.0001,"bias":true,"seed":18446744073709551615,"eta0":"auto","loss":"log"}`; string(text) != want {
		t.Errorf("%s, not %s", text, want)
	}
	var read Options
	ok(t, json.Unmarshal(text, &read))
	again, err := json.Marshal(read)
	ok(t, err)
	if string(again) != string(text) {
		t.Errorf("%s, not %s", again, text)
	}
	m := newModel(t, read...)
	defer m.Close()
	all, err := m.Options()
	ok(t, err)
	text, err = json.Marshal(all)
	ok(t, err)
	table := map[string]any{}
	ok(t, json.Unmarshal(text, &table))
	if len(table) != len(OptionTable()) || table["l2"] != 1e-4 || table["bias"] != true || table["loss"] != "log" {
		t.Errorf("%s", text)
	}

	var settings struct {
		Several []Option
		One     Option
	}
	ok(t, json.Unmarshal([]byte(`{"Several": [{"l1": 1e-3}, {"loss": "hinge"}], "One": {"bias": "false"}}`), &settings))
	if got := fmt.Sprint(settings.Several, settings.One); got != "[l1=1e-3 loss=hinge] bias=false" {
		t.Error(got)
	}
	text, err = json.Marshal(settings)
	ok(t, err)
	if want := `{"Several":[{"l1":1e-3},{"loss":"hinge"}],"One":{"bias":false}}`; string(text) != want {
		t.Errorf("%s, not %s", text, want)
	}
	before := append(Options{}, read...)
	for _, bad := range []string{`[]`, `3`, `{"l1": [1]}`, `{"l1": null}`, `{"l1": {"l2": 3}}`} {
		fails(t, json.Unmarshal([]byte(bad), &read), ErrInvalidOption, "")
	}
	fails(t, json.Unmarshal([]byte(`{"l1": 1, "l2": 2}`), &settings.One), ErrInvalidOption, "one option")
	if !reflect.DeepEqual(before, read) {
		t.Error(read)
	}
}

type holder struct{ X any }

func TestNothingElseIsText(t *testing.T) {
	m, data := trained(t), someData(t, 10)
	p, err := m.Predictor()
	ok(t, err)
	for what, hint := range map[any]string{m: "MarshalBinary", p: "MarshalBinary", data: "Save"} {
		for _, marshal := range []func(any) ([]byte, error){json.Marshal, xml.Marshal} {
			if text, err := marshal(holder{what}); err == nil || !strings.Contains(err.Error(), hint) {
				t.Errorf("%s, %v", text, err)
			}
		}
	}
	for text, into := range map[string]any{`"x"`: m, `"y"`: data} {
		if err := json.Unmarshal([]byte(text), into); err == nil {
			t.Error(into)
		}
	}
	for got, want := range map[string]string{
		fmt.Sprint(m):            "sparselin.Model(loss log, steps 40, dimension 18)",
		fmt.Sprintf("%+v", p):    "sparselin.Predictor(loss log, steps 40, dimension 18)",
		fmt.Sprint(data):         "sparselin.Dataset(rows 10, nonzeros 20, dimension 12)",
		fmt.Sprint(new(Model)):   "sparselin.Model(the model is closed)",
		new(Predictor).String():  "sparselin.Predictor(the predictor is closed)",
		(*Model)(nil).String():   "sparselin.Model(the model is closed)",
		(*Dataset)(nil).String(): "sparselin.Dataset(the data set is closed)",
	} {
		if got != want {
			t.Error(got, want)
		}
	}
	ok(t, m.Close())
	ok(t, data.Close())
}
