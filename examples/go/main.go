// A service that learns from the examples it is sent, and answers predictions meanwhile:
//
//	go run . -model spam.slm &
//	curl 127.0.0.1:8080/learn -d '{"indices": [3, 17], "label": 1}'
//	curl 127.0.0.1:8080/predict -d '{"indices": [3, 9]}'
//
// An interrupt lets the requests that run end, and saves the model, with which the service goes on when it is started again.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	sparselin "sparselin.org/sparselin/bindings/go"
)

type example struct {
	Indices []uint32  `json:"indices"`
	Values  []float64 `json:"values"` // all ones if missing
	Label   float64   `json:"label"`
}

type answer struct {
	Score       float64 `json:"score"`
	Probability float64 `json:"probability"`
}

// handler answers POST requests with what f makes of the example in their body.
func handler(f func(example) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			http.Error(w, "POST an example", http.StatusMethodNotAllowed)
			return
		}
		var x example
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&x); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		result, err := f(x)
		switch {
		case errors.Is(err, sparselin.ErrInvalidData), errors.Is(err, sparselin.ErrInvalidArgument):
			http.Error(w, err.Error(), http.StatusBadRequest)
		case err != nil:
			http.Error(w, err.Error(), http.StatusInternalServerError)
		default:
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(result) // A client that went away has no use for it.
		}
	}
}

func service(model *sparselin.Model) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/learn", handler(func(x example) (any, error) {
		return struct{}{}, model.Feed(x.Indices, x.Values, x.Label)
	}))
	mux.HandleFunc("/predict", handler(func(x example) (any, error) {
		score, probability, err := model.PredictProbability(x.Indices, x.Values)
		return answer{score, probability}, err
	}))
	return mux
}

// run serves until ctx ends, and saves the model then.
func run(ctx context.Context, listener net.Listener, path string) error {
	model, err := sparselin.Load(path)
	if errors.Is(err, fs.ErrNotExist) {
		model, err = sparselin.New()
	}
	if err != nil {
		return err
	}
	defer model.Close()
	server := &http.Server{Handler: service(model), ReadHeaderTimeout: 5 * time.Second}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	err = server.Shutdown(last)
	if saveErr := model.Save(path); saveErr != nil {
		return saveErr
	}
	return err
}

func main() {
	address := flag.String("listen", "127.0.0.1:8080", "address to listen on")
	path := flag.String("model", "model.slm", "file the model is kept in")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	listener, err := net.Listen("tcp", *address)
	if err != nil {
		log.Fatal(err)
	}
	log.Printf("listening on http://%s", listener.Addr())
	if err := run(ctx, listener, *path); err != nil {
		log.Fatal(err)
	}
}
