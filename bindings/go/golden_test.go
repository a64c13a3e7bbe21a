package sparselin

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The golden vectors of tests/data (their format: VECTORS.md there), and the same cases as C trained and saved them, in the folder that
// SL_GOLDEN_MODELS names.

type goldenRow struct {
	number, weight float64
	indices        []uint32
	values         []float64
}

type goldenCase struct {
	name              string
	options           map[string]string
	passes            int
	examples, predict []goldenRow
	weights           map[uint32]float64
	bias              float64
	classes           []goldenClass // of several
	scores            []float64     // of all rows to predict, one for each class
	meanLoss          float64
}

type goldenClass struct {
	weights map[uint32]float64
	bias    float64
}

func number(t testing.TB, text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func parseRow(t testing.TB, number, weight float64, pairs []string) goldenRow {
	row := goldenRow{number: number, weight: weight, indices: []uint32{}, values: []float64{}}
	for _, pair := range pairs {
		index, value, _ := strings.Cut(pair, ":")
		i, err := strconv.ParseUint(index, 10, 32)
		if err != nil {
			t.Fatal(err)
		}
		v, err := strconv.ParseFloat(value, 64)
		if err != nil {
			t.Fatal(err)
		}
		row.indices, row.values = append(row.indices, uint32(i)), append(row.values, v)
	}
	return row
}

func vectors(t testing.TB, name string) []string {
	text, err := os.ReadFile(filepath.Join("..", "..", "tests", "data", name))
	if os.IsNotExist(err) && os.Getenv("SL_GOLDEN_MODELS") == "" {
		t.Skip("the golden vectors are in the library's repository")
	}
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(text), "\n")
}

func goldenCases(t testing.TB, name string) (cases []*goldenCase) {
	var c *goldenCase
	for _, line := range vectors(t, name) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		switch words[0] {
		case "case":
			c = &goldenCase{name: words[1], passes: 1, weights: map[uint32]float64{}}
			c.options = map[string]string{"l1": "0", "l2": "0", "update": "sgd", "average": "none", "average_start": "0", "center": "false",
				"bias": "true", "bias_regularized": "false", "normalize": "none", "scale": "none", "noise": "0"}
		case "option":
			c.options[words[1]] = words[2]
			if words[1] == "classes" {
				c.classes = make([]goldenClass, int(number(t, words[2])))
			}
		case "passes":
			c.passes = int(number(t, words[1]))
		case "example":
			c.examples = append(c.examples, parseRow(t, number(t, words[1]), number(t, words[2]), words[3:]))
		case "predict":
			c.predict = append(c.predict, parseRow(t, number(t, words[1]), 1, words[2:]))
		case "weight":
			c.weights[uint32(number(t, words[1]))] = number(t, words[2])
		case "class_weights":
			class := &c.classes[int(number(t, words[1]))]
			row := parseRow(t, 0, 1, words[2:])
			class.weights = map[uint32]float64{}
			for i, index := range row.indices {
				class.weights[index] = row.values[i]
			}
		case "class_bias":
			c.classes[int(number(t, words[1]))].bias = number(t, words[2])
		case "mean_loss":
			c.meanLoss = number(t, words[1])
		case "scores":
			k := 2 + len(c.classes)
			for _, score := range words[2:k] {
				c.scores = append(c.scores, number(t, score))
			}
			c.predict = append(c.predict, parseRow(t, 0, 1, words[k:]))
		case "bias":
			c.bias = number(t, words[1])
		case "end":
			cases = append(cases, c)
		}
	}
	return cases
}

func (c *goldenCase) untrained(t testing.TB) *Model {
	var options []Option
	for name, value := range c.options {
		options = append(options, With(name, value))
	}
	m := newModel(t, options...)
	if c.options["center"] == "true" || c.options["scale"] != "none" {
		for _, x := range c.examples {
			ok(t, m.Observe(x.indices, x.values, x.weight))
		}
	}
	return m
}

func (c *goldenCase) fedSingly(t testing.TB) *Model {
	m := c.untrained(t)
	for pass := 0; pass < c.passes; pass++ {
		for _, x := range c.examples {
			ok(t, m.FeedWeighted(x.indices, x.values, x.number, x.weight))
		}
	}
	return m
}

func rowsOf(rows []goldenRow) (x CSR, numbers, weights []float64) {
	x.Pointers = []int64{0}
	for _, row := range rows {
		x.Indices, x.Values = append(x.Indices, row.indices...), append(x.Values, row.values...)
		x.Pointers = append(x.Pointers, int64(len(x.Indices)))
		numbers, weights = append(numbers, row.number), append(weights, row.weight)
	}
	return x, numbers, weights
}

// Rows from to to of a matrix, of which the other rows need not be there.
func (x CSR) slice(from, to int) CSR { return CSR{x.Pointers[from : to+1], x.Indices, x.Values} }

// In batches of 7, kept in bytes after the first pass and trained on from there.
func (c *goldenCase) fedInBatches(t testing.TB) *Model {
	m := c.untrained(t)
	x, labels, weights := rowsOf(c.examples)
	for pass := 0; pass < c.passes; pass++ {
		for r := 0; r < x.Rows(); r += 7 {
			end := r + 7
			if end > x.Rows() {
				end = x.Rows()
			}
			done, err := m.FeedCSR(x.slice(r, end), labels[r:end], weights[r:end])
			ok(t, err)
			if done != end-r {
				t.Fatalf("%d rows of %d", done, end-r)
			}
			if pass == 0 {
				var kept bytes.Buffer
				_, err = m.WriteTo(&kept)
				ok(t, err)
				ok(t, m.Close())
				m, err = ReadModel(&kept)
				ok(t, err)
			}
		}
	}
	return m
}

func near(t testing.TB, what string, got, want float64) {
	if !(math.Abs(got-want) <= 1e-9*math.Max(1, math.Abs(want))) || (want == 0 && strings.HasPrefix(what, "weight") && got != 0) {
		t.Errorf("%s is %v, not %v", what, got, want)
	}
}

func (c *goldenCase) check(t *testing.T) {
	m := c.fedSingly(t)
	defer m.Close()
	for index, want := range c.weights {
		got, err := m.Weight(index)
		ok(t, err)
		near(t, fmt.Sprint("weight ", index), got, want)
	}
	bias, err := m.Bias()
	ok(t, err)
	near(t, "bias", bias, c.bias)
	x, wanted, _ := rowsOf(c.predict)
	scores, err := m.PredictCSR(x, nil)
	ok(t, err)
	ok(t, m.Finalize())
	for r, row := range c.predict {
		near(t, fmt.Sprint("prediction ", r), scores[r], wanted[r])
		single, err := m.Predict(row.indices, row.values)
		ok(t, err)
		if single != scores[r] {
			t.Errorf("prediction %d is %v alone and finalized, %v among the others", r, single, scores[r])
		}
	}
	c.checkBits(t, m, "")
}

// checkBits compares a model that was fed one by one with one that was fed in batches, and with that of C.
func (c *goldenCase) checkBits(t *testing.T, m *Model, below string) {
	kept, err := m.MarshalBinary()
	ok(t, err)
	batches := c.fedInBatches(t)
	defer batches.Close()
	if again, err := batches.MarshalBinary(); err != nil || !bytes.Equal(kept, again) {
		t.Errorf("in batches and kept in between the bits are others: %v", err)
	}
	if folder := os.Getenv("SL_GOLDEN_MODELS"); folder != "" {
		fromC, err := os.ReadFile(filepath.Join(folder, below, c.name+".slm"))
		ok(t, err)
		if !bytes.Equal(kept, fromC) {
			t.Error("C has other bits")
		}
	}
}

func TestGolden(t *testing.T) {
	cases := goldenCases(t, "golden.txt")
	if len(cases) != 280 {
		t.Fatalf("%d cases", len(cases))
	}
	for _, c := range cases {
		t.Run(c.name, c.check)
	}
}

func (c *goldenCase) checkClasses(t *testing.T) {
	m := c.fedSingly(t)
	defer m.Close()
	for k, class := range c.classes {
		nonzeros := 0
		for index, want := range class.weights {
			got, err := m.ClassWeight(uint64(k), index)
			ok(t, err)
			near(t, fmt.Sprint("weight ", index, " of class ", k), got, want)
			if want != 0 {
				nonzeros++
			}
		}
		bias, err := m.ClassBias(uint64(k))
		ok(t, err)
		near(t, fmt.Sprint("bias of class ", k), bias, class.bias)
		indices, weights, err := m.ClassWeights(uint64(k))
		ok(t, err)
		if len(indices) != nonzeros || len(weights) != nonzeros {
			t.Errorf("class %d has %d weights, not %d", k, len(indices), nonzeros)
		}
	}
	loss, err := m.MeanLoss()
	ok(t, err)
	near(t, "mean loss", loss, c.meanLoss)
	x, _, _ := rowsOf(c.predict)
	scores, err := m.ScoresCSR(x, nil)
	ok(t, err)
	if len(scores) != len(c.scores) || len(scores) == 0 {
		t.Fatalf("%d scores, not %d", len(scores), len(c.scores))
	}
	p, err := m.Predictor()
	ok(t, err)
	for r, row := range c.predict {
		single, err := m.Scores(row.indices, row.values)
		ok(t, err)
		alone, err := p.Scores(row.indices, row.values)
		ok(t, err)
		for k := range c.classes {
			i := r*len(c.classes) + k
			near(t, fmt.Sprint("score ", i), scores[i], c.scores[i])
			if single[k] != scores[i] || alone[k] != scores[i] {
				t.Errorf("score %d is %v alone, %v of the predictor, %v among the others", i, single[k], alone[k], scores[i])
			}
		}
	}
	c.checkBits(t, m, "multi")
}

func TestGoldenOfSeveralClasses(t *testing.T) {
	cases := goldenCases(t, "golden_multi.txt")
	if len(cases) != 106 {
		t.Fatalf("%d cases", len(cases))
	}
	for _, c := range cases {
		t.Run(c.name, c.checkClasses)
	}
}
