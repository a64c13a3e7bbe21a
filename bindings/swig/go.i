/*
 * Go: arrays, errors and callbacks for sparselin.i. The hand-written package sparselin stands between these calls and the world: it sees
 * to closed handles and to goroutines.
 *
 * Nothing is copied: a slice goes in as its address and length, and the caller's Error is filled in place. Both stay where they are until
 * the call returns, since cgo keeps its arguments alive and Go does not move what they point to.
 */
%module slc

// slw_model_feed_csr becomes Model_feed_csr.
%rename("%(regex:/^slw_([a-z_]+)$/\\u\\1/)s", %$isfunction) "";

// Errors: Failure, of callbacks.go, has the layout of slw_failure. The caller hands in one whose status is SL_OK.
%{
#include <errno.h>
#include <sparselin.h>
typedef struct slw_failure {
    sl_error error;
    int system; /* errno, of SL_ERROR_IO */
} slw_failure;
%}
%typemap(gotype) sl_error *error "*Failure"
%typemap(in) sl_error *error %{ $1 = ($1_ltype)$input; %}
%typemap(argout) sl_error *error %{ if ($1->status == SL_ERROR_IO) ((slw_failure *)$1)->system = errno; %}

// Numbers.
%define SLW_NUMBER(CTYPE, GOTYPE)
%typemap(gotype) CTYPE "GOTYPE"
%typemap(in) CTYPE %{ $1 = ($1_ltype)$input; %}
%typemap(out) CTYPE %{ $result = $1; %}
%enddef
SLW_NUMBER(size_t, uint64)
SLW_NUMBER(uint64_t, uint64)
SLW_NUMBER(slw_rows, uint64)
SLW_NUMBER(uint32_t, uint32)
SLW_NUMBER(int, int32)
SLW_NUMBER(slw_result, int32)

// Handles are their addresses.
%define SLW_HANDLE(CTYPE)
%typemap(gotype) CTYPE * "uintptr"
%typemap(in) CTYPE * %{ $1 = ($1_ltype)$input; %}
%typemap(out) CTYPE * %{ $result = $1; %}
%apply CTYPE * { const CTYPE * };
%enddef
SLW_HANDLE(sl_options)
SLW_HANDLE(sl_model)
SLW_HANDLE(sl_dataset)
SLW_HANDLE(sl_builder)
SLW_HANDLE(sl_encoder)
SLW_HANDLE(sl_search)
SLW_HANDLE(slw_reader)

// Slices, whether they go in or are filled; nil is absent.
%define SLW_SLICE(PATTERN, GOTYPE)
%typemap(gotype) PATTERN "[]GOTYPE"
%typemap(in) PATTERN %{ $1 = ($1_ltype)$input.array; $2 = (size_t)$input.len; %}
%typemap(argout) PATTERN ""
%typemap(freearg) PATTERN ""
%enddef
SLW_SLICE((const uint32_t *U32, size_t N), uint32)
SLW_SLICE((const int64_t *I64, size_t N), int64)
SLW_SLICE((const double *F64, size_t N), float64)
SLW_SLICE((const uint8_t *BYTES, size_t N), byte)
SLW_SLICE((uint32_t *U32_OUT, size_t N), uint32)
SLW_SLICE((double *F64_OUT, size_t N), float64)
SLW_SLICE((uint8_t *BYTES_OUT, size_t N), byte)

// Callbacks: `user` is the cgo.Handle of what is to be called, 0 for nothing.
%define SLW_CALLBACK(PATTERN, FUNCTION)
%typemap(gotype) PATTERN "uintptr"
%typemap(in) PATTERN %{ $1 = $input ? FUNCTION : NULL; $2 = (void *)$input; %}
%enddef
SLW_CALLBACK((sl_progress_fn progress, void *user), slw_progress)
SLW_CALLBACK((sl_read_fn read, void *user), slw_read)

%include "sparselin.i"

%include "classes.i"
%ignore slw_encoder_row; // calls.go has it
%include "encoder.i"
%include "search.i"

%{
/* Exported by callbacks.go. */
extern int slw_go_progress(uintptr_t handle, uint64_t steps, uint64_t rows, uint64_t rows_total, double mean_loss, uint64_t epoch);
extern int64_t slw_go_read(uintptr_t handle, void *buffer, size_t capacity);

static int slw_progress(const sl_progress *progress, void *user) {
    return slw_go_progress((uintptr_t)user, progress->steps, progress->rows, progress->rows_total, progress->mean_loss, progress->epoch);
}
static int64_t slw_read(void *user, void *buffer, size_t capacity) { return slw_go_read((uintptr_t)user, buffer, capacity); }

/* For calls.go. */
double slw_go_predict(const sl_model *model, const uint32_t *indices, size_t n_indices, const double *values, size_t n_values,
                      sl_error *error) {
    return slw_model_predict(model, indices, n_indices, values, n_values, error);
}
uint64_t slw_go_feed(sl_model *model, const uint32_t *indices, size_t n_indices, const double *values, size_t n_values, double label,
                     double weight, sl_error *error) {
    uint64_t bytes = 0;
    slw_model_feed(model, indices, n_indices, values, n_values, label, weight, error);
    sl_model_memory(model, &bytes, NULL);
    return bytes;
}
%}
