// Package slc is the library itself, compiled by cgo, and the calls that SWIG makes of it: slc.go and slc_wrap.c, by generate.sh.
package slc

/*
#cgo CPPFLAGS: -I${SRCDIR}/../../../../include -DNDEBUG
#cgo CFLAGS: -O2 -fno-strict-aliasing
#cgo CXXFLAGS: -O2 -std=c++17
#cgo 386 CXXFLAGS: -msse2 -mfpmath=sse
#cgo LDFLAGS: -lm
#cgo linux,!shared_libstdcxx LDFLAGS: -static-libstdc++ -static-libgcc
#include <sparselin.h>
*/
import "C"

import (
	"runtime/cgo"
	"unsafe"
)

// Failure has the layout of slw_failure: an sl_error, and errno.
type Failure struct {
	error  C.sl_error
	system C.int
}

// Status is 0 if nothing has failed.
func (f *Failure) Status() int32 { return int32(f.error.status) }

// Row is the row at fault, -1 for none.
func (f *Failure) Row() int64 { return int64(f.error.row) }

// Message is what has failed.
func (f *Failure) Message() string { return C.GoString(&f.error.message[0]) }

// System is errno, of SL_ERROR_IO.
func (f *Failure) System() int32 { return int32(f.system) }

// Clear makes f ready for the next call.
func (f *Failure) Clear() { f.error.status = C.SL_OK }

// Progress is what a model that is being fitted reports; the result tells it to stop.
type Progress func(steps, rows, rowsTotal uint64, meanLoss float64, epoch uint64) (stop bool)

// Read fills p as far as it can: the number of bytes, 0 at the end, negative on failure.
type Read func(p []byte) int

//export slw_go_progress
func slw_go_progress(handle C.uintptr_t, steps, rows, rowsTotal C.uint64_t, meanLoss C.double, epoch C.uint64_t) C.int {
	report := cgo.Handle(handle).Value().(Progress)
	if report(uint64(steps), uint64(rows), uint64(rowsTotal), float64(meanLoss), uint64(epoch)) {
		return 1
	}
	return 0
}

//export slw_go_read
func slw_go_read(handle C.uintptr_t, buffer unsafe.Pointer, capacity C.size_t) C.int64_t {
	read := cgo.Handle(handle).Value().(Read)
	return C.int64_t(read(unsafe.Slice((*byte)(buffer), int(capacity))))
}
