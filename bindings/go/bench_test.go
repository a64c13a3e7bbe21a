package sparselin

import (
	"math/rand"
	"testing"
)

// benchRows are rows of 80 nonzeros out of 2^14 features. What C needs for such rows, tests/bench/go of the library's repository says.
func benchRows(rows int) (x CSR, labels []float64) {
	const nonzeros, features = 80, 1 << 14
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

func (x CSR) row(r int) ([]uint32, []float64) {
	return x.Indices[x.Pointers[r]:x.Pointers[r+1]], x.Values[x.Pointers[r]:x.Pointers[r+1]]
}

func BenchmarkFeed(b *testing.B) {
	x, labels := benchRows(1000)
	m := newModel(b)
	defer m.Close()
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		indices, values := x.row(i % 1000)
		if err := m.Feed(indices, values, labels[i%1000]); err != nil {
			b.Fatal(err)
		}
	}
}

// Each operation is a row.
func BenchmarkFeedCSR(b *testing.B) {
	x, labels := benchRows(1000)
	m := newModel(b)
	defer m.Close()
	b.ResetTimer()
	for i := 0; i < b.N; i += 1000 {
		if _, err := m.FeedCSR(x, labels, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func benchModel(b *testing.B) (*Model, CSR) {
	x, labels := benchRows(1000)
	m := newModel(b)
	_, err := m.FeedCSR(x, labels, nil)
	ok(b, err)
	ok(b, m.Finalize())
	b.ResetTimer()
	return m, x
}

func BenchmarkPredict(b *testing.B) {
	m, x := benchModel(b)
	defer m.Close()
	for i := 0; i < b.N; i++ {
		if _, err := m.Predict(x.row(i % 1000)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPredictParallel(b *testing.B) {
	m, x := benchModel(b)
	defer m.Close()
	b.RunParallel(func(pb *testing.PB) {
		for i := 0; pb.Next(); i++ {
			if _, err := m.Predict(x.row(i % 1000)); err != nil {
				b.Error(err)
			}
		}
	})
}

// Each operation is a row.
func BenchmarkPredictCSR(b *testing.B) {
	m, x := benchModel(b)
	defer m.Close()
	scores := make([]float64, x.Rows())
	for i := 0; i < b.N; i += 1000 {
		if _, err := m.PredictCSR(x, scores); err != nil {
			b.Fatal(err)
		}
	}
}
