// What Go costs beside C: go run . LIBRARY [ROUNDS], where LIBRARY is the path of libsparselin.so, as `make` has built it.
//
// Go and C take turns, round after round, over the same rows of 80 nonzeros out of 2^14 features, in pieces of 500; the best time of each
// piece is kept and these are added up.
package main

import (
	"fmt"
	"log"
	"math/rand"
	"os"
	"strconv"
	"time"

	sparselin "sparselin.org/sparselin/bindings/go"
)

const (
	rows     = 5000
	piece    = 500
	nonzeros = 80
	features = 1 << 14
)

// makeRows makes rows of ascending indices.
func makeRows() (x sparselin.CSR, labels []float64) {
	random := rand.New(rand.NewSource(1))
	x.Pointers = []int64{0}
	for r := 0; r < rows; r++ {
		for k := 0; k < nonzeros; k++ {
			x.Indices = append(x.Indices, uint32(k*features/nonzeros+random.Intn(features/nonzeros)))
			x.Values = append(x.Values, (random.Float64()-0.5)/4)
		}
		x.Pointers = append(x.Pointers, int64(len(x.Indices)))
		labels = append(labels, float64(r%2*2-1))
	}
	return x, labels
}

const (
	feed = iota
	feedCSR
	predict
	predictCSR
)

// run does in Go what native.run does in C.
func run(m *sparselin.Model, what int, x sparselin.CSR, labels, scores []float64) (time.Duration, error) {
	begin := time.Now()
	switch what {
	case feed:
		for r := range labels {
			i, k := x.Pointers[r], x.Pointers[r+1]
			if err := m.Feed(x.Indices[i:k], x.Values[i:k], labels[r]); err != nil {
				return 0, err
			}
		}
	case feedCSR:
		if _, err := m.FeedCSR(x, labels, nil); err != nil {
			return 0, err
		}
	case predict:
		for r := range labels {
			i, k := x.Pointers[r], x.Pointers[r+1]
			score, err := m.Predict(x.Indices[i:k], x.Values[i:k])
			if err != nil {
				return 0, err
			}
			scores[r] = score
		}
	case predictCSR:
		if _, err := m.PredictCSR(x, scores); err != nil {
			return 0, err
		}
	}
	return time.Since(begin), nil
}

// compare returns the nanoseconds a row of Go and of C.
func compare(m *sparselin.Model, n native, what, rounds int, x sparselin.CSR, labels []float64) (inGo, inC float64, err error) {
	var best [2][rows / piece]time.Duration
	scores := make([]float64, piece)
	for round := 0; round < rounds; round++ {
		for p := 0; p < rows/piece; p++ {
			part := sparselin.CSR{Pointers: x.Pointers[p*piece : (p+1)*piece+1], Indices: x.Indices, Values: x.Values}
			partLabels := labels[p*piece : (p+1)*piece]
			for turn := 0; turn < 2; turn++ {
				who := (turn + round) % 2
				call := n.run
				if who == 0 {
					call = func(what int, x sparselin.CSR, labels, scores []float64) (time.Duration, error) {
						return run(m, what, x, labels, scores)
					}
				}
				took, err := call(what, part, partLabels, scores)
				if err != nil {
					return 0, 0, err
				}
				if round == 0 || took < best[who][p] {
					best[who][p] = took
				}
			}
		}
	}
	for p := range best[0] {
		inGo += float64(best[0][p].Nanoseconds()) / rows
		inC += float64(best[1][p].Nanoseconds()) / rows
	}
	return inGo, inC, nil
}

func main() {
	if len(os.Args) < 2 {
		log.Fatal("usage: go run . LIBRARY [ROUNDS]")
	}
	rounds := 100
	if len(os.Args) > 2 {
		var err error
		if rounds, err = strconv.Atoi(os.Args[2]); err != nil {
			log.Fatal(err)
		}
	}
	n, err := newNative(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	m, err := sparselin.New()
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	x, labels := makeRows()
	fmt.Printf("%-12s%8s%8s%12s%8s   (ns a row of %d nonzeros)\n", "", "C", "Go", "difference", "ratio", nonzeros)
	for what, name := range []string{"Feed", "FeedCSR", "Predict", "PredictCSR"} {
		if what == predict {
			if err := m.Finalize(); err != nil {
				log.Fatal(err)
			}
			if err := n.finalize(); err != nil {
				log.Fatal(err)
			}
		}
		inGo, inC, err := compare(m, n, what, rounds, x, labels)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%-12s%8.0f%8.0f%12.0f%8.3f\n", name, inC, inGo, inGo-inC, inGo/inC)
	}
}
