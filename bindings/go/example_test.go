package sparselin_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"os"
	"strings"

	sparselin "sparselin.org/sparselin/bindings/go"
)

func Example() {
	model, err := sparselin.New()
	if err != nil {
		log.Fatal(err)
	}
	defer model.Close()
	for i := 0; i < 20; i++ {
		if err := model.Feed([]uint32{3, 17}, nil, +1); err != nil { // nil: all values are 1
			log.Fatal(err)
		}
		if err := model.Feed([]uint32{5, 17}, nil, -1); err != nil {
			log.Fatal(err)
		}
	}
	score, err := model.Predict([]uint32{3}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(score > 0)
	// Output: true
}

func ExampleModel_Fit() {
	data, err := sparselin.ReadDataset(strings.NewReader("+1 4:1 18:1\n-1 6:1 18:1\n"))
	if err != nil {
		log.Fatal(err)
	}
	defer data.Close()
	model, err := sparselin.New(sparselin.With("loss", "hinge"), sparselin.With("epochs", 10))
	if err != nil {
		log.Fatal(err)
	}
	defer model.Close()
	if err := model.Fit(context.Background(), data, nil); err != nil {
		log.Fatal(err)
	}
	wrong, err := model.Evaluate(data, "error_rate")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(wrong)
	// Output: 0
}

func ExampleModel_FeedCSR() {
	model, err := sparselin.New()
	if err != nil {
		log.Fatal(err)
	}
	defer model.Close()
	rows := sparselin.CSR{Pointers: []int64{0, 2, 4}, Indices: []uint32{3, 17, 5, 17}}
	done, err := model.FeedCSR(rows, []float64{+1, -1}, nil)
	fmt.Println(done, err)
	// Output: 2 <nil>
}

func ExampleError() {
	model, err := sparselin.New()
	if err != nil {
		log.Fatal(err)
	}
	defer model.Close()
	err = model.Feed([]uint32{3}, []float64{math.NaN()}, +1)
	fmt.Println(errors.Is(err, sparselin.ErrInvalidData))
	// Output: true
}

func ExampleModel_WriteTo() {
	model, err := sparselin.New()
	if err != nil {
		log.Fatal(err)
	}
	defer model.Close()
	if err := model.Feed([]uint32{3}, nil, +1); err != nil {
		log.Fatal(err)
	}
	var kept bytes.Buffer
	if _, err := model.WriteTo(&kept); err != nil {
		log.Fatal(err)
	}
	again, err := sparselin.ReadModel(&kept)
	if err != nil {
		log.Fatal(err)
	}
	defer again.Close()
	fmt.Println(again.Steps())
	// Output: 1 <nil>
}

func ExampleModel_Scores() {
	data, err := sparselin.ReadDataset(strings.NewReader("1 4:1 18:1\n2 6:1 18:1\n5 7:1 18:1\n"))
	if err != nil {
		log.Fatal(err)
	}
	defer data.Close()
	model, err := sparselin.New(sparselin.With("epochs", 10))
	if err != nil {
		log.Fatal(err)
	}
	defer model.Close()
	if err := model.Fit(context.Background(), data, nil); err != nil { // three labels: a model of three classes
		log.Fatal(err)
	}
	scores, err := model.Scores([]uint32{6, 17}, nil) // one for each class
	if err != nil {
		log.Fatal(err)
	}
	labels, err := model.PredictedLabels(scores)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(scores), labels)
	// Output: 3 [5]
}

type message struct {
	Sender string
	Length float64
	Body   string `sparselin:"body,text"`
}

func ExampleEncoder_Record() {
	encoder, err := sparselin.NewEncoder(sparselin.With("features", "dictionary"))
	if err != nil {
		log.Fatal(err)
	}
	defer encoder.Close()
	indices, values, err := encoder.Record(message{"Ann", 2.5, "Good day, good night"})
	if err != nil {
		log.Fatal(err)
	}
	for i, index := range indices {
		name, err := encoder.Name(index)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(name, values[i])
	}
	// Output:
	// Sender=Ann 1
	// Length 2.5
	// body=good 2
	// body=day 1
	// body=night 1
}

func ExampleModel_PredictRecord() {
	encoder, err := sparselin.NewEncoder(sparselin.With("hash_bits", 20))
	if err != nil {
		log.Fatal(err)
	}
	defer encoder.Close()
	data, err := encoder.Texts("", []string{"win a prize now", "see you at noon"}, []float64{+1, -1}, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer data.Close()
	model, err := sparselin.New(sparselin.With("epochs", 10))
	if err != nil {
		log.Fatal(err)
	}
	defer model.Close()
	if err := model.Fit(context.Background(), data, nil); err != nil {
		log.Fatal(err)
	}
	if err := model.SetEncoder(encoder); err != nil { // what Save writes has it, too
		log.Fatal(err)
	}
	score, err := model.PredictRecord(map[string]any{"": sparselin.Text("a prize for you")})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(score > 0)
	// Output: true
}

// Early stopping: the context is done where a pass ends, and Fit called again makes the next one, to the bits of a fit that ran through. The
// best pass's model is a clone.
func ExampleModel_Fit_earlyStopping() {
	read := func(part string) *sparselin.Dataset {
		file, err := os.Open("../../examples/data/spam." + part + ".svm.gz")
		if err != nil {
			log.Fatal(err)
		}
		defer file.Close()
		data, err := sparselin.ReadDataset(file)
		if err != nil {
			log.Fatal(err)
		}
		return data
	}
	data, validation := read("train"), read("test")
	const passes, patience = 50, 3
	model, err := sparselin.New(sparselin.With("epochs", passes))
	if err != nil {
		log.Fatal(err)
	}
	var best *sparselin.Model
	var bestPass uint64
	var bestLoss float64
	for pass := uint64(1); pass <= passes && pass-bestPass <= patience; pass++ {
		ctx, cancel := context.WithCancel(context.Background())
		err := model.Fit(ctx, data, func(p sparselin.Progress) {
			if p.Epoch == pass {
				cancel()
			}
		})
		cancel()
		if err != nil && !errors.Is(err, context.Canceled) {
			log.Fatal(err)
		}
		loss, err := model.Evaluate(validation, "log_loss")
		if err != nil {
			log.Fatal(err)
		}
		if best != nil && loss >= bestLoss {
			continue
		}
		bestPass, bestLoss = pass, loss
		if best, err = model.Clone(); err != nil {
			log.Fatal(err)
		}
	}
	steps, err := best.Steps()
	fmt.Printf("pass %d, log loss %.4f, %d steps, %v\n", bestPass, bestLoss, steps, err)
	// Output: pass 4, log loss 0.0346, 19284 steps, <nil>
}
