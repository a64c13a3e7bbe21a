// Spam from raw text: the lines of the first file, after its heading, are learned, those of the second told apart.
package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"

	sparselin "sparselin.org/sparselin/bindings/go"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func read(encoder *sparselin.Encoder, file string) *sparselin.Dataset {
	var labels []float64
	var texts []string
	for _, line := range strings.Split(string(must(os.ReadFile(file))), "\n")[1:] {
		if label, text, found := strings.Cut(line, "\t"); found {
			labels, texts = append(labels, must(strconv.ParseFloat(label, 64))), append(texts, text)
		}
	}
	return must(encoder.Texts("", texts, labels, nil))
}

func main() {
	encoder, model := must(sparselin.NewEncoder(sparselin.With("hash_bits", 20))), must(sparselin.New())
	must(0, model.Fit(context.Background(), read(encoder, os.Args[1]), nil))
	fmt.Printf("%.2f %% wrong\n", 100*must(model.Evaluate(read(encoder, os.Args[2]), "error_rate")))
}
