// A service that answers predictions with the model in a file, and with the next one as soon as another program has put that there:
//
//	go run ./serve -model spam.slm &
//	curl 127.0.0.1:8081/predict -d '{"indices": [3, 9]}'
//
// No request waits for a reload, nor fails because of one: each is answered with the predictor that was there when it came. Whoever writes the
// file does so whole or not at all, as Save does.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"log"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	sparselin "sparselin.org/sparselin/bindings/go"
)

type server struct {
	path    string
	current atomic.Pointer[sparselin.Predictor]
	seen    os.FileInfo // of the file that current was read from
}

// reload reads the file if it is another one than before. What is no model leaves the predictor that there is.
func (s *server) reload() error {
	found, err := os.Stat(s.path)
	if err != nil {
		return err
	}
	if s.seen != nil && os.SameFile(found, s.seen) && found.ModTime().Equal(s.seen.ModTime()) {
		return nil
	}
	s.seen = found
	next, err := sparselin.LoadPredictor(s.path)
	if err != nil {
		return err
	}
	s.current.Store(next)
	return nil
}

// watch looks at the file until ctx ends.
func (s *server) watch(ctx context.Context, every time.Duration) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if err := s.reload(); err != nil {
				log.Print(err)
			}
		}
	}
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var x struct {
		Indices []uint32
		Values  []float64
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&x); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	score, probability, err := s.current.Load().PredictProbability(x.Indices, x.Values)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]float64{"score": score, "probability": probability}) // A client that went away has no use for it.
}

func main() {
	address := flag.String("listen", "127.0.0.1:8081", "address to listen on")
	path := flag.String("model", "model.slm", "file the model is in")
	every := flag.Duration("every", time.Second, "how often to look for a new model there")
	flag.Parse()
	s := &server{path: *path}
	if err := s.reload(); err != nil {
		log.Fatal(err)
	}
	go s.watch(context.Background(), *every)
	http.Handle("/predict", s)
	log.Printf("listening on http://%s", *address)
	log.Fatal((&http.Server{Addr: *address, ReadHeaderTimeout: 5 * time.Second}).ListenAndServe())
}
