package slc

/*
#include <sparselin.h>

double slw_go_predict(const sl_model *model, const uint32_t *indices, size_t n_indices, const double *values, size_t n_values,
                      sl_error *error);
uint64_t slw_go_feed(sl_model *model, const uint32_t *indices, size_t n_indices, const double *values, size_t n_values, double label,
                     double weight, sl_error *error);
*/
import "C"

import "unsafe"

// The calls made once an example. SWIG hands slices on as structs, which cgo moves to the heap to look for pointers in them; pointers to
// numbers it takes as they are.

// Feed is Model_feed without that. It returns the memory that the model holds then.
func Feed(model uintptr, indices []uint32, values []float64, label, weight float64, failure *Failure) uint64 {
	return uint64(C.slw_go_feed(handle(model), (*C.uint32_t)(first(indices)), C.size_t(len(indices)), (*C.double)(first(values)),
		C.size_t(len(values)), C.double(label), C.double(weight), (*C.sl_error)(unsafe.Pointer(failure))))
}

// Predict is Model_predict without that.
func Predict(model uintptr, indices []uint32, values []float64, failure *Failure) float64 {
	return float64(C.slw_go_predict(handle(model), (*C.uint32_t)(first(indices)), C.size_t(len(indices)), (*C.double)(first(values)),
		C.size_t(len(values)), (*C.sl_error)(unsafe.Pointer(failure))))
}

// first returns where a slice begins, nil of a nil one only.
func first[T any](s []T) *T { return *(**T)(unsafe.Pointer(&s)) }

// handle is C's again what SWIG keeps as a number.
func handle(p uintptr) *C.sl_model { return *(**C.sl_model)(unsafe.Pointer(&p)) }

// Encoder_row returns a copy of the row, which the encoder keeps until the next call on it.
func Encoder_row(encoder uintptr, failure *Failure) ([]uint32, []float64) {
	var indices *C.uint32_t
	var values *C.double
	var count C.size_t
	if C.sl_encoder_row(*(**C.sl_encoder)(unsafe.Pointer(&encoder)), &indices, &values, &count, (*C.sl_error)(unsafe.Pointer(failure))) != C.SL_OK {
		return nil, nil
	}
	return append(make([]uint32, 0, count), unsafe.Slice((*uint32)(unsafe.Pointer(indices)), int(count))...),
		append(make([]float64, 0, count), unsafe.Slice((*float64)(unsafe.Pointer(values)), int(count))...)
}
