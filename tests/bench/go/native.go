package main

/*
#cgo LDFLAGS: -ldl
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// The library's functions, from the shared library, with their types of sparselin.h.
static int (*create)(const void *, void **, void *);
static int (*feed)(void *, const uint32_t *, const double *, size_t, double, double, void *);
static int (*feed_csr)(void *, size_t, const int64_t *, const uint32_t *, const double *, const double *, const double *, size_t *, void *);
static int (*finalize)(void *, void *);
static int (*predict)(const void *, const uint32_t *, const double *, size_t, double *, void *);
static int (*predict_csr)(const void *, size_t, const int64_t *, const uint32_t *, const double *, double *, void *);

static void *open_model(const char *path) {
    void *model = NULL, *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return NULL;
    }
    *(void **)&create = dlsym(library, "sl_model_create");
    *(void **)&feed = dlsym(library, "sl_model_feed");
    *(void **)&feed_csr = dlsym(library, "sl_model_feed_csr");
    *(void **)&finalize = dlsym(library, "sl_model_finalize");
    *(void **)&predict = dlsym(library, "sl_model_predict");
    *(void **)&predict_csr = dlsym(library, "sl_model_predict_csr");
    if (create && feed && feed_csr && finalize && predict && predict_csr && create(NULL, &model, NULL) == 0) return model;
    return NULL;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

enum { FEED, FEED_CSR, PREDICT, PREDICT_CSR };

// Seconds that the rows take, negative on failure.
static double run(void *model, int what, size_t rows, const int64_t *pointers, const uint32_t *indices, const double *values,
                  const double *labels, double *scores) {
    const double begin = now();
    int failed = 0;
    if (what == FEED_CSR) failed = feed_csr(model, rows, pointers, indices, values, labels, NULL, NULL, NULL);
    if (what == PREDICT_CSR) failed = predict_csr(model, rows, pointers, indices, values, scores, NULL);
    for (size_t r = 0; r < rows && !failed && (what == FEED || what == PREDICT); ++r) {
        const int64_t first = pointers[r];
        const size_t count = (size_t)(pointers[r + 1] - first);
        if (what == FEED) failed = feed(model, indices + first, values + first, count, labels[r], 1, NULL);
        else failed = predict(model, indices + first, values + first, count, scores + r, NULL);
    }
    return failed ? -1 : now() - begin;
}

static int lay_out(void *model) { return finalize(model, NULL); }
*/
import "C"

import (
	"errors"
	"time"
	"unsafe"

	sparselin "sparselin.org/sparselin/bindings/go"
)

// native is a model of the shared library, and loops in C over its functions.
type native struct{ p unsafe.Pointer }

func newNative(library string) (native, error) {
	path := C.CString(library)
	defer C.free(unsafe.Pointer(path))
	p := C.open_model(path)
	if p == nil {
		return native{}, errors.New("no library: " + library)
	}
	return native{p}, nil
}

func (n native) run(what int, x sparselin.CSR, labels, scores []float64) (time.Duration, error) {
	seconds := C.run(n.p, C.int(what), C.size_t(x.Rows()), (*C.int64_t)(&x.Pointers[0]), (*C.uint32_t)(&x.Indices[0]), (*C.double)(&x.Values[0]),
		(*C.double)(&labels[0]), (*C.double)(&scores[0]))
	if seconds < 0 {
		return 0, errors.New("the library failed")
	}
	return time.Duration(float64(seconds) * 1e9), nil
}

func (n native) finalize() error {
	if C.lay_out(n.p) != 0 {
		return errors.New("the library failed")
	}
	return nil
}
