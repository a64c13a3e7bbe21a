package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand"
	"net"
	"net/http"
	"path/filepath"
	"sort"
	"sync"
	"testing"
	"time"

	sparselin "sparselin.org/sparselin/bindings/go"
)

var (
	load    = flag.Duration("load", time.Second, "how long the load test takes")
	clients = flag.Int("clients", 8, "how many clients it has")
)

// start runs the service on a free port until stop is called.
func start(t *testing.T, path string) (url string, stop func()) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, listener, path) }()
	return "http://" + listener.Addr().String(), func() {
		cancel()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
	}
}

func post(client *http.Client, url string, body any) (int, []byte, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return 0, nil, err
	}
	response, err := client.Post(url, "application/json", bytes.NewReader(text))
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	reply, err := io.ReadAll(response.Body)
	return response.StatusCode, reply, err
}

// draw makes an example of 80 features out of 20,000, of which those below 1,000 speak for its label.
func draw(random *rand.Rand) example {
	x := example{Label: float64(random.Intn(2)*2 - 1)}
	for k := 0; k < 80; k++ {
		index := uint32(1000 + random.Intn(19000))
		if k < 10 {
			index = uint32(random.Intn(500)*2) + uint32(x.Label+1)/2
		}
		x.Indices = append(x.Indices, index)
	}
	return x
}

// One client in two learns, the others ask, all as fast as they can. Then the service is stopped and started again.
func TestLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.slm")
	url, stop := start(t, path)
	transport := &http.Transport{MaxIdleConnsPerHost: *clients}
	client := &http.Client{Transport: transport}
	var lock sync.Mutex
	var times []time.Duration
	var learned, right, asked int
	known := func() int {
		lock.Lock()
		defer lock.Unlock()
		return learned
	}
	const enough = 1000 // examples to learn from, however slow the machine
	var wait sync.WaitGroup
	begin := time.Now()
	for c := 0; c < *clients; c++ {
		wait.Add(1)
		go func(c int) {
			defer wait.Done()
			random := rand.New(rand.NewSource(int64(c)))
			for !t.Failed() && (time.Since(begin) < *load || known() < enough) {
				x, late := draw(random), known() >= enough/2
				name := [...]string{"/learn", "/predict"}[c%2]
				sent := time.Now()
				status, reply, err := post(client, url+name, x)
				took := time.Since(sent)
				var score answer
				if err == nil {
					err = json.Unmarshal(reply, &score)
				}
				if status != http.StatusOK || err != nil {
					t.Errorf("%d %s %v", status, reply, err)
					return
				}
				lock.Lock()
				times = append(times, took)
				if c%2 == 0 {
					learned++
				} else if late {
					asked++
					if (score.Score > 0) == (x.Label > 0) {
						right++
					}
				}
				lock.Unlock()
			}
		}(c)
	}
	wait.Wait()
	took := time.Since(begin)
	transport.CloseIdleConnections()
	stop()
	sort.Slice(times, func(i, k int) bool { return times[i] < times[k] })
	share := float64(right) / float64(asked)
	t.Logf("%d clients: %.0f requests a second, half of the time is below %v, 99 %% below %v; %d examples learned, %.1f %% of the late answers right",
		*clients, float64(len(times))/took.Seconds(), times[len(times)/2], times[len(times)*99/100], learned, 100*share)
	if asked == 0 || share < 0.9 {
		t.Errorf("%d of %d answers are right", right, asked)
	}

	model, err := sparselin.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	if steps, err := model.Steps(); err != nil || steps != uint64(learned) {
		t.Errorf("%d steps are saved of %d, %v", steps, learned, err)
	}
	url, stop = start(t, path)
	defer stop()
	x := draw(rand.New(rand.NewSource(100)))
	want, err := model.Predict(x.Indices, nil)
	if err != nil {
		t.Fatal(err)
	}
	status, reply, err := post(client, url+"/predict", x)
	var got answer
	if status != http.StatusOK || err != nil || json.Unmarshal(reply, &got) != nil || got.Score != want {
		t.Error(status, string(reply), err, want)
	}
	transport.CloseIdleConnections()
}

func TestBadRequests(t *testing.T) {
	url, stop := start(t, filepath.Join(t.TempDir(), "model.slm"))
	defer stop()
	for body, want := range map[string]int{
		`{"indices": [1], "label": 1}`:                  http.StatusOK,
		`{"indices": [1], "label": 3}`:                  http.StatusBadRequest,
		`{"indices": [1], "values": [], "label": 1}`:    http.StatusBadRequest,
		`{"indices": [-1], "label": 1}`:                 http.StatusBadRequest,
		`{"indices": [1], "values": [1e999]}`:           http.StatusBadRequest,
		`{`:                                             http.StatusBadRequest,
		fmt.Sprintf(`{"x": "%s"}`, make([]byte, 2<<20)): http.StatusBadRequest,
	} {
		response, err := http.Post(url+"/learn", "application/json", bytes.NewReader([]byte(body)))
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("%.40s gives %d", body, response.StatusCode)
		}
	}
	response, err := http.Get(url + "/predict")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusMethodNotAllowed {
		t.Error(response.StatusCode)
	}
}
