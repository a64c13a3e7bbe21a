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

%apply (double *F64_OUT, size_t N) { (double *labels_out, size_t n_labels_out), (double *counts_out, size_t n_counts) };
%apply (const double *F64, size_t N) { (const double *scores, size_t n_scores_in) };

/* Several classes. */
%inline %{
static uint64_t slw_model_classes(const sl_model *model, sl_error *error) {
    size_t count = 0;
    sl_model_classes(model, &count, error);
    return count;
}
static slw_result slw_model_set_labels(sl_model *model, const double *labels, size_t n_labels, sl_error *error) {
    return sl_model_set_labels(model, labels, n_labels, error);
}
/* How many there are; they are unwritten if there is less room. */
static uint64_t slw_model_class_labels(const sl_model *model, double *labels_out, size_t n_labels_out, sl_error *error) {
    size_t count = 0;
    sl_model_class_labels(model, labels_out, n_labels_out, &count, error);
    return count;
}
static slw_result slw_model_scores(const sl_model *model, const uint32_t *indices, size_t n_indices, const double *values, size_t n_values,
                                   double *scores_out, size_t n_scores, sl_error *error) {
    if (!slw_fits(values, n_values, n_indices, "values", "indices", error)) return error->status;
    return sl_model_scores(model, indices, values, n_indices, scores_out, n_scores, error);
}
static slw_result slw_model_scores_csr(const sl_model *model, const int64_t *pointers, size_t n_pointers, const uint32_t *indices,
                                       size_t n_indices, const double *values, size_t n_values, double *scores_out, size_t n_scores,
                                       sl_error *error) {
    const size_t rows = n_pointers > 0 ? n_pointers - 1 : 0;
    if (!slw_within(pointers, n_pointers, 0, rows, n_indices, error) || !slw_fits(values, n_values, n_indices, "values", "indices", error))
        return error->status;
    return sl_model_scores_csr(model, rows, pointers, indices, values, scores_out, n_scores, error);
}
static slw_result slw_model_scores_dataset(const sl_model *model, const sl_dataset *data, double *scores_out, size_t n_scores,
                                           sl_error *error) {
    return sl_model_scores_dataset(model, data, scores_out, n_scores, error);
}
/* Of `rows` rows of scores, each in its place. */
static slw_result slw_model_probabilities(const sl_model *model, double *scores_out, size_t n_scores, uint64_t rows, sl_error *error) {
    (void)n_scores;
    return sl_model_probabilities(model, scores_out, (size_t)rows, scores_out, error);
}
/* One a row of scores, as many as there is room for. */
static slw_result slw_model_predicted_labels(const sl_model *model, const double *scores, size_t n_scores_in, double *labels_out,
                                             size_t n_labels_out, sl_error *error) {
    (void)n_scores_in;
    return sl_model_predicted_labels(model, scores, n_labels_out, labels_out, error);
}
static double slw_model_class_bias(const sl_model *model, uint64_t k, sl_error *error) {
    double bias = 0;
    sl_model_class_bias(model, (size_t)k, &bias, error);
    return bias;
}
static double slw_model_class_weight(const sl_model *model, uint64_t k, uint32_t index, sl_error *error) {
    double weight = 0;
    sl_model_class_weight(model, (size_t)k, index, &weight, error);
    return weight;
}
static uint64_t slw_model_class_nonzeros(const sl_model *model, uint64_t k, uint32_t *indices_out, size_t n_indices, double *values_out,
                                         size_t n_values, sl_error *error) {
    size_t count = 0;
    sl_model_class_nonzeros(model, (size_t)k, indices_out, values_out, n_indices < n_values ? n_indices : n_values, &count, error);
    return count;
}
static slw_result slw_model_confusion(const sl_model *model, const sl_dataset *data, double *counts_out, size_t n_counts, sl_error *error) {
    return sl_model_confusion(model, data, counts_out, n_counts, error);
}
%}

/* Features by name. */
%newobject slw_encoder_option;
%inline %{
static sl_encoder *slw_encoder_create(const sl_options *options, sl_error *error) {
    sl_encoder *encoder = NULL;
    sl_encoder_create(options, &encoder, error);
    return encoder;
}
static void slw_encoder_free(sl_encoder *encoder) { sl_encoder_free(encoder); }
static slw_result slw_encoder_cross(sl_encoder *encoder, const char *first, const char *second, sl_error *error) {
    return sl_encoder_cross(encoder, first, second, error);
}
static slw_result slw_encoder_clear(sl_encoder *encoder, sl_error *error) { return sl_encoder_clear(encoder, error); }
static slw_result slw_encoder_number(sl_encoder *encoder, const char *name, double value, sl_error *error) {
    return sl_encoder_number(encoder, name, value, error);
}
static slw_result slw_encoder_category(sl_encoder *encoder, const char *name, const char *value, sl_error *error) {
    return sl_encoder_category(encoder, name, value, error);
}
static slw_result slw_encoder_text(sl_encoder *encoder, const char *name, const uint8_t *bytes, size_t n_bytes, sl_error *error) {
    return sl_encoder_text(encoder, name, (const char *)bytes, n_bytes, error);
}
/* Text r is the bytes from pointers[r] to pointers[r + 1]. */
static sl_dataset *slw_encoder_texts(sl_encoder *encoder, const char *name, const uint8_t *bytes, size_t n_bytes, const int64_t *pointers,
                                     size_t n_pointers, const double *labels, size_t n_labels, const double *weights, size_t n_weights,
                                     sl_error *error) {
    const size_t rows = n_pointers > 0 ? n_pointers - 1 : 0;
    sl_dataset *data = NULL;
    const char **texts;
    size_t *lengths;
    if (!slw_within(pointers, n_pointers, 0, rows, n_bytes, error) || !slw_fits(labels, n_labels, rows, "labels", "texts", error) ||
        !slw_fits(weights, n_weights, rows, "weights", "texts", error))
        return NULL;
    texts = (const char **)malloc((rows + 1) * sizeof *texts);
    lengths = (size_t *)malloc((rows + 1) * sizeof *lengths);
    if (!texts || !lengths) {
        slw_fail(error, SL_ERROR_OUT_OF_MEMORY, "out of memory");
    } else {
        for (size_t r = 0; r < rows; ++r) {
            texts[r] = n_bytes ? (const char *)bytes + pointers[r] : "";
            lengths[r] = (size_t)(pointers[r + 1] - pointers[r]);
        }
        sl_encoder_texts(encoder, name, texts, lengths, rows, labels, weights, &data, error);
    }
    free(texts);
    free(lengths);
    return data;
}
static slw_result slw_encoder_set_threads(sl_encoder *encoder, uint32_t threads, sl_error *error) {
    return sl_encoder_set_threads(encoder, threads, error);
}
static slw_result slw_encoder_freeze(sl_encoder *encoder, sl_error *error) { return sl_encoder_freeze(encoder, error); }
static uint64_t slw_encoder_dimension(const sl_encoder *encoder, sl_error *error) {
    uint64_t dimension = 0;
    sl_encoder_dimension(encoder, &dimension, error);
    return dimension;
}
/* The length needed, with the closing NUL. */
static uint64_t slw_encoder_name(const sl_encoder *encoder, uint32_t index, uint8_t *bytes_out, size_t n_bytes, sl_error *error) {
    size_t length = 0;
    sl_encoder_name(encoder, index, (char *)bytes_out, n_bytes, &length, error);
    return length;
}
static char *slw_encoder_option(const sl_encoder *encoder, const char *name, sl_error *error) {
    size_t length = 0;
    char *value;
    if (sl_encoder_option(encoder, name, NULL, 0, &length, error) != SL_OK) return NULL;
    value = (char *)malloc(length);
    if (!value) slw_fail(error, SL_ERROR_OUT_OF_MEMORY, "out of memory");
    else sl_encoder_option(encoder, name, value, length, &length, error);
    return value;
}
static slw_result slw_encoder_save(const sl_encoder *encoder, const char *path, sl_error *error) {
    return sl_encoder_save(encoder, path, error);
}
static sl_encoder *slw_encoder_load(const char *path, sl_error *error) {
    sl_encoder *encoder = NULL;
    sl_encoder_load(path, &encoder, error);
    return encoder;
}
static uint64_t slw_encoder_to_bytes(const sl_encoder *encoder, uint8_t *bytes_out, size_t n_bytes, sl_error *error) {
    size_t length = 0;
    sl_encoder_to_bytes(encoder, bytes_out, n_bytes, &length, error);
    return length;
}
static sl_encoder *slw_encoder_from_bytes(const uint8_t *bytes, size_t n_bytes, sl_error *error) {
    sl_encoder *encoder = NULL;
    sl_encoder_from_bytes(bytes, n_bytes, &encoder, error);
    return encoder;
}
static slw_result slw_model_set_encoder(sl_model *model, const sl_encoder *encoder, sl_error *error) {
    return sl_model_set_encoder(model, encoder, error);
}
static sl_encoder *slw_model_encoder(const sl_model *model, sl_error *error) {
    sl_encoder *copy = NULL;
    sl_model_encoder(model, &copy, error);
    return copy;
}
%}

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
