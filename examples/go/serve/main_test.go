package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	sparselin "sparselin.org/sparselin/bindings/go"
)

// Clients ask as fast as they can while the model is replaced again and again: every answer is that of one of the models, and the last model's
// answers come before the test ends.
func TestReloadsUnderLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.slm")
	model, err := sparselin.New()
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	var scores sync.Map // of all models that have been in the file
	replace := func() (score float64) {
		if err := model.Feed([]uint32{3, 17}, nil, 1); err != nil {
			t.Fatal(err)
		}
		score, err := model.Predict([]uint32{3, 17}, nil)
		if err != nil {
			t.Fatal(err)
		}
		scores.Store(score, true)
		if err := model.Save(path); err != nil {
			t.Fatal(err)
		}
		return score
	}
	replace()
	s := &server{path: path}
	if err := s.reload(); err != nil {
		t.Fatal(err)
	}
	service := httptest.NewServer(s)
	defer service.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go s.watch(ctx, time.Millisecond)

	var last atomic.Value // the score of the last model
	last.Store(0.0)
	var wait sync.WaitGroup
	for c := 0; c < 4; c++ {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for {
				response, err := http.Post(service.URL, "application/json", strings.NewReader(`{"indices": [3, 17]}`))
				if err != nil {
					t.Error(err)
					return
				}
				var reply struct{ Score float64 }
				err = json.NewDecoder(response.Body).Decode(&reply)
				response.Body.Close()
				if _, known := scores.Load(reply.Score); err != nil || response.StatusCode != http.StatusOK || !known {
					t.Error(response.Status, reply, err)
					return
				}
				if reply.Score == last.Load() {
					return
				}
			}
		}()
	}
	var score float64
	for i := 0; i < 50; i++ {
		score = replace()
		time.Sleep(2 * time.Millisecond)
	}
	last.Store(score)
	wait.Wait()
}
