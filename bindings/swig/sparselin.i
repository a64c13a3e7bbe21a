/*
 * The calls that every language's binding is made of: the C interface, in the shape that SWIG can hand on.
 *
 * A language's own file (java.i, ...) is the one given to SWIG. It names the module, renames the shims to its taste, writes the typemaps
 * listed here, and includes this file last. What the shims do on top of the C interface they do once for all languages:
 *  - every array comes with its length, and lengths that do not fit are an error before anything is read;
 *  - every shim that can fail takes `sl_error *error` as its last parameter and returns its result. It has failed if error->status is not
 *    SL_OK, to which the typemap sets it before the call; then the result means nothing, except where it counts the rows that were done.
 *    Status and text are so a local of the wrapper, out in the same call: no other thread or goroutine can come between.
 *
 * Typemaps a language has to write:
 *   (const uint32_t *U32, size_t N)  (const int64_t *I64, size_t N)  (const double *F64, size_t N)  (const uint8_t *BYTES, size_t N)
 *       arrays that go in. An absent one is NULL with N = 0, an empty one is not NULL (the two mean something different for values
 *       and weights).
 *   (uint32_t *U32_OUT, size_t N)  (double *F64_OUT, size_t N)  (uint8_t *BYTES_OUT, size_t N)
 *       arrays of the caller that are filled
 *   sl_error *error
 *       numinputs=0 where the language can raise an exception from it
 *   slw_result
 *       the sl_status once more, of calls that have no other result
 *   slw_rows
 *       rows that were done: of interest in failure too, when exceptions carry it
 *   sl_options *, sl_model *, sl_dataset *, sl_builder *, slw_reader *
 *       handles. The language's facade owns them, calls the free function once, and hands in NULL after that, which is an error.
 *   (sl_progress_fn progress, void *user)  (sl_read_fn read, void *user)
 *       callbacks; both come on the thread that made the call, before it returns
 *   const char *
 *       text in UTF-8; results of %newobject are the caller's, to be freed with free()
 */
#if defined(SWIGJAVA) || defined(SWIGR)
%{
#define SLW_SIGNED_INDICES 1
%}
#else
%{
#define SLW_SIGNED_INDICES 0
%}
#endif

%{
#include <sparselin.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int slw_result;
typedef uint64_t slw_rows;

static slw_result slw_fail(sl_error *error, sl_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    error->status = status;
    error->row = -1;
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return status;
}

/* The place of the first negative index from begin to end, -1 if there is none. A language without unsigned integers has them, and they
   shall not be taken for large ones. */
static inline int64_t slw_negative(const uint32_t *indices, int64_t begin, int64_t end) {
    const int64_t half = (end - begin) / 2;
    uint32_t all;
    if (!SLW_SIGNED_INDICES || !indices || begin >= end) return -1;
    all = indices[end - 1]; /* which is in neither half if their number is odd; by halves only one OR in two waits for another */
    for (int64_t k = begin; k < begin + half; ++k) all |= indices[k] | indices[k + half];
    if (all <= INT32_MAX) return -1;
    while (begin < end && indices[begin] <= INT32_MAX) ++begin;
    return begin < end ? begin : -1;
}

static int slw_not_negative(const uint32_t *indices, size_t n_indices, sl_error *error) {
    const int64_t place = slw_negative(indices, 0, (int64_t)n_indices);
    if (place < 0) return 1;
    slw_fail(error, SL_ERROR_INVALID_DATA, "an index is %ld, below 0", (long)(int32_t)indices[place]);
    return 0;
}

/* A new model, told to refuse negative indices itself: it looks at every index anyhow. */
static sl_model *slw_new_model(sl_model *model, sl_error *error) {
    if (SLW_SIGNED_INDICES && model) sl_model_take_indices_as_signed(model, error);
    return model;
}

/* Whether an optional array, if it is there, is as long as the one it belongs to. */
static int slw_fits(const void *array, size_t n, size_t needed, const char *name, const char *partner, sl_error *error) {
    if (!array || n == needed) return 1;
    slw_fail(error, SL_ERROR_INVALID_ARGUMENT, "%s has %lld entries, but %s %lld", name, (long long)n, partner, (long long)needed);
    return 0;
}

/* Whether offsets first to last of a compressed matrix lie within its n_indices nonzeros. That they ascend is checked by the library. */
static int slw_within(const int64_t *pointers, size_t n_pointers, uint64_t first, uint64_t count, size_t n_indices, sl_error *error) {
    uint64_t outside = 0;
    if (first >= n_pointers || count > n_pointers - 1 - first) {
        slw_fail(error, SL_ERROR_INVALID_ARGUMENT, "rows %llu to %llu are asked for, but there are %lld pointers, one more than rows",
                 (unsigned long long)first, (unsigned long long)(first + count), (long long)n_pointers);
        return 0;
    }
    for (size_t r = (size_t)first; r <= first + count; ++r) outside |= (uint64_t)pointers[r] | (n_indices - (uint64_t)pointers[r]);
    if (outside <= INT64_MAX) return 1; /* no sign bit: none is negative, nor what is left behind it */
    for (size_t r = (size_t)first; r <= first + count; ++r) {
        if (pointers[r] >= 0 && (uint64_t)pointers[r] <= n_indices) continue;
        slw_fail(error, SL_ERROR_INVALID_ARGUMENT, "pointer %lld is %lld, but there are %lld indices", (long long)r,
                 (long long)pointers[r], (long long)n_indices);
        break;
    }
    return 0;
}

/* The library counts the rows it was given; the caller's count begins `first` rows before. */
static void slw_count_rows_from(uint64_t first, sl_error *error) {
    char reason[sizeof error->message];
    const int64_t row = error->row + (int64_t)first;
    if (error->status == SL_OK || error->row < 0) return;
    strcpy(reason, sl_error_reason(error));
    slw_fail(error, error->status, "row %lld: %s", (long long)row, reason);
    error->row = row;
}

/* Returns the text that `call` gives, which names text, capacity and &length: asked how long it is, and then for it. */
#define SLW_RETURN_TEXT(call)                                                   \
    char *text = NULL;                                                          \
    size_t length = 0, capacity = 0;                                            \
    if ((call) != SL_OK) return NULL;                                           \
    capacity = length;                                                          \
    text = (char *)malloc(capacity);                                            \
    if (!text) slw_fail(error, SL_ERROR_OUT_OF_MEMORY, "out of memory");        \
    else (void)(call);                                                          \
    return text
%}
typedef int slw_result;
typedef uint64_t slw_rows;

%apply (const uint32_t *U32, size_t N) { (const uint32_t *indices, size_t n_indices) };
%apply (const int64_t *I64, size_t N) { (const int64_t *pointers, size_t n_pointers) };
%apply (const double *F64, size_t N) { (const double *values, size_t n_values), (const double *labels, size_t n_labels),
                                       (const double *weights, size_t n_weights) };
%apply (const uint8_t *BYTES, size_t N) { (const uint8_t *bytes, size_t n_bytes) };
%apply (uint32_t *U32_OUT, size_t N) { (uint32_t *indices_out, size_t n_indices) };
%apply (double *F64_OUT, size_t N) { (double *values_out, size_t n_values), (double *scores_out, size_t n_scores) };
%apply (uint8_t *BYTES_OUT, size_t N) { (uint8_t *bytes_out, size_t n_bytes) };

%newobject slw_options_get;
%newobject slw_model_option;

%inline %{
static const char *slw_version(void) { return sl_version(); }
static const char *slw_status_name(int status) { return sl_status_name((sl_status)status); }

static sl_options *slw_options_create(sl_error *error) {
    sl_options *options = NULL;
    sl_options_create(&options, error);
    return options;
}
static void slw_options_free(sl_options *options) { sl_options_free(options); }
static slw_result slw_options_set(sl_options *options, const char *name, const char *value, sl_error *error) {
    return sl_options_set(options, name, value, error);
}
static slw_result slw_options_set_number(sl_options *options, const char *name, double value, sl_error *error) {
    return sl_options_set_number(options, name, value, error);
}
static char *slw_options_get(const sl_options *options, const char *name, sl_error *error) {
    SLW_RETURN_TEXT(sl_options_get(options, name, text, capacity, &length, error));
}

static size_t slw_option_count(void) { return sl_option_count(); }
/* Row i of the option table: `what` is 0 for the name, 1 the kind, 2 the default, 3 the help. */
static const char *slw_option_describe(size_t i, int what, sl_error *error) {
    const char *row[4] = {NULL, NULL, NULL, NULL};
    sl_option_describe(i, &row[0], &row[1], &row[2], &row[3], error);
    return what >= 0 && what < 4 ? row[what] : NULL;
}

static sl_model *slw_model_create(const sl_options *options, sl_error *error) {
    sl_model *model = NULL;
    sl_model_create(options, &model, error);
    return slw_new_model(model, error);
}
static sl_model *slw_model_clone(const sl_model *model, sl_error *error) {
    sl_model *copy = NULL;
    sl_model_clone(model, &copy, error);
    return copy;
}
static sl_model *slw_model_predictor(const sl_model *model, sl_error *error) {
    sl_model *predictor = NULL;
    sl_model_predictor(model, &predictor, error);
    return predictor;
}
#ifndef SWIGR
/* The addresses are those of models. R has addresses of a type of their own. Without a model that a round began with, none did. */
static sl_model *slw_model_merge(const sl_model *begin, const int64_t *pointers, size_t n_pointers, double parts, sl_error *error) {
    sl_model *merged = NULL;
    const sl_model **models = (const sl_model **)malloc((n_pointers + 1) * sizeof *models);
    if (!models) {
        slw_fail(error, SL_ERROR_OUT_OF_MEMORY, "out of memory");
        return NULL;
    }
    for (size_t i = 0; i < n_pointers; ++i) models[i] = (const sl_model *)(intptr_t)pointers[i];
    if (begin)
        sl_model_merge_round(begin, models, n_pointers, parts, &merged, error);
    else
        sl_model_merge(models, n_pointers, &merged, error);
    free(models);
    return merged;
}
#endif
static slw_result slw_model_start(sl_model *model, const sl_model *source, sl_error *error) { return sl_model_start(model, source, error); }
static void slw_model_free(sl_model *model) { sl_model_free(model); }

static slw_result slw_model_observe(sl_model *model, const uint32_t *indices, size_t n_indices, const double *values, size_t n_values,
                                    double weight, sl_error *error) {
    if (!slw_fits(values, n_values, n_indices, "values", "indices", error)) return error->status;
    return sl_model_observe(model, indices, values, n_indices, weight, error);
}
static slw_rows slw_model_observe_dataset(sl_model *model, const sl_dataset *data, sl_error *error) {
    size_t done = 0;
    sl_model_observe_dataset(model, data, &done, error);
    return done;
}
static slw_rows slw_model_observe_rows(sl_model *model, const sl_dataset *data, uint64_t first, uint64_t count, sl_error *error) {
    size_t done = 0;
    sl_model_observe_rows(model, data, first, count, &done, error);
    return first + done;
}
static slw_result slw_model_feed(sl_model *model, const uint32_t *indices, size_t n_indices, const double *values, size_t n_values,
                                 double label, double weight, sl_error *error) {
    if (!slw_fits(values, n_values, n_indices, "values", "indices", error)) return error->status;
    return sl_model_feed(model, indices, values, n_indices, label, weight, error);
}

/* Rows first to first + count of a matrix of which all of the arrays are handed in: long work can be done in parts without copies. The
   result is the first row that was not done. */
static slw_rows slw_model_feed_csr(sl_model *model, const int64_t *pointers, size_t n_pointers, const uint32_t *indices, size_t n_indices,
                                   const double *values, size_t n_values, const double *labels, size_t n_labels, const double *weights,
                                   size_t n_weights, uint64_t first, uint64_t count, sl_error *error) {
    size_t done = 0;
    if (!slw_within(pointers, n_pointers, first, count, n_indices, error) ||
        !slw_fits(values, n_values, n_indices, "values", "indices", error) ||
        !slw_fits(labels, n_labels, n_pointers - 1, "labels", "rows", error) ||
        !slw_fits(weights, n_weights, n_pointers - 1, "weights", "rows", error))
        return first;
    sl_model_feed_csr(model, (size_t)count, pointers + first, indices, values, labels ? labels + first : NULL,
                      weights ? weights + first : NULL, &done, error);
    slw_count_rows_from(first, error);
    return first + done;
}
static slw_rows slw_model_feed_dataset(sl_model *model, const sl_dataset *data, sl_error *error) {
    size_t done = 0;
    sl_model_feed_dataset(model, data, &done, error);
    return done;
}
static slw_rows slw_model_feed_rows(sl_model *model, const sl_dataset *data, uint64_t first, uint64_t count, sl_error *error) {
    size_t done = 0;
    sl_model_feed_rows(model, data, first, count, &done, error);
    return first + done;
}
/* 0: a new fit; 1: one that was stopped goes on; 2: the last fit learned these data to the end. */
static int slw_model_fit_state(const sl_model *model, const sl_dataset *data, sl_error *error) {
    sl_fit_state state = SL_FIT_NEW;
    sl_model_fit_state(model, data, &state, error);
    return (int)state;
}
static slw_result slw_model_fit(sl_model *model, const sl_dataset *data, sl_progress_fn progress, void *user, sl_error *error) {
    return sl_model_fit(model, data, progress, user, error);
}
static slw_result slw_model_set_threads(sl_model *model, uint32_t threads, sl_error *error) {
    return sl_model_set_threads(model, threads, error);
}
static slw_result slw_model_finalize(sl_model *model, sl_error *error) { return sl_model_finalize(model, error); }

static double slw_model_predict(const sl_model *model, const uint32_t *indices, size_t n_indices, const double *values, size_t n_values,
                                sl_error *error) {
    double score = 0;
    if (slw_fits(values, n_values, n_indices, "values", "indices", error))
        sl_model_predict(model, indices, values, n_indices, &score, error);
    return score;
}

/* Rows first to first + count, as above; scores_out has one place for every row of the matrix. */
static slw_result slw_model_predict_csr(const sl_model *model, const int64_t *pointers, size_t n_pointers, const uint32_t *indices,
                                        size_t n_indices, const double *values, size_t n_values, uint64_t first, uint64_t count,
                                        double *scores_out, size_t n_scores, sl_error *error) {
    if (!slw_within(pointers, n_pointers, first, count, n_indices, error) ||
        !slw_fits(values, n_values, n_indices, "values", "indices", error) ||
        !slw_fits(scores_out, n_scores, n_pointers - 1, "scores", "rows", error))
        return error->status;
    sl_model_predict_csr(model, (size_t)count, pointers + first, indices, values, scores_out ? scores_out + first : NULL, error);
    slw_count_rows_from(first, error);
    return error->status;
}
static slw_result slw_model_predict_dataset(const sl_model *model, const sl_dataset *data, double *scores_out, size_t n_scores,
                                            sl_error *error) {
    return sl_model_predict_dataset(model, data, scores_out, n_scores, error);
}
static double slw_model_probability(const sl_model *model, double score, sl_error *error) {
    double probability = 0;
    sl_model_probability(model, score, &probability, error);
    return probability;
}
static double slw_model_label(const sl_model *model, double score, sl_error *error) {
    double label = 0;
    sl_model_label(model, score, &label, error);
    return label;
}
static double slw_model_smaller_label(const sl_model *model, sl_error *error) {
    double smaller = 0, larger;
    sl_model_labels(model, &smaller, &larger, error);
    return smaller;
}
static double slw_model_larger_label(const sl_model *model, sl_error *error) {
    double smaller, larger = 0;
    sl_model_labels(model, &smaller, &larger, error);
    return larger;
}
static double slw_model_evaluate(const sl_model *model, const sl_dataset *data, const char *metric, sl_error *error) {
    double value = 0;
    sl_model_evaluate(model, data, metric, &value, error);
    return value;
}
/* Whether the model's loss knows the metric: error_rate where it tells labels apart, log_loss where it gives probabilities. */
static int slw_model_knows(const sl_model *model, const char *metric, sl_error *error) {
    size_t length;
    const sl_status status = sl_model_metric(model, metric, NULL, 0, &length, NULL, error);
    if (status == SL_ERROR_STATE) error->status = SL_OK;
    return status == SL_OK;
}

static uint64_t slw_model_dimension(const sl_model *model, sl_error *error) {
    uint64_t dimension = 0;
    sl_model_dimension(model, &dimension, error);
    return dimension;
}
static uint64_t slw_model_steps(const sl_model *model, sl_error *error) {
    uint64_t steps = 0;
    sl_model_steps(model, &steps, error);
    return steps;
}
static double slw_model_mean_loss(const sl_model *model, sl_error *error) {
    double loss = 0;
    sl_model_mean_loss(model, &loss, error);
    return loss;
}
static double slw_model_bias(const sl_model *model, sl_error *error) {
    double bias = 0;
    sl_model_bias(model, &bias, error);
    return bias;
}
static double slw_model_weight(const sl_model *model, uint32_t index, sl_error *error) {
    double weight = 0;
    if (slw_not_negative(&index, 1, error)) sl_model_weight(model, index, &weight, error);
    return weight;
}
static char *slw_model_option(const sl_model *model, const char *name, sl_error *error) {
    SLW_RETURN_TEXT(sl_model_option(model, name, text, capacity, &length, error));
}
static uint64_t slw_model_memory(const sl_model *model, sl_error *error) {
    uint64_t bytes = 0;
    sl_model_memory(model, &bytes, error);
    return bytes;
}

/* The next ones return how much there is. If the arrays have less room than that they are unwritten: ask first with empty ones. */
static uint64_t slw_model_nonzeros(const sl_model *model, uint32_t *indices_out, size_t n_indices, double *values_out, size_t n_values,
                                   sl_error *error) {
    size_t count = 0;
    sl_model_nonzeros(model, indices_out, values_out, n_indices < n_values ? n_indices : n_values, &count, error);
    return count;
}
static uint64_t slw_model_to_bytes(const sl_model *model, int keep, uint8_t *bytes_out, size_t n_bytes, sl_error *error) {
    size_t length = 0;
    sl_model_to_bytes(model, (sl_keep)keep, bytes_out, n_bytes, &length, error);
    return length;
}

static sl_model *slw_model_from_bytes(const uint8_t *bytes, size_t n_bytes, sl_error *error) {
    sl_model *model = NULL;
    sl_model_from_bytes(bytes, n_bytes, &model, error);
    return slw_new_model(model, error);
}
static slw_result slw_model_save(const sl_model *model, int keep, const char *path, sl_error *error) {
    return sl_model_save(model, (sl_keep)keep, path, error);
}
static sl_model *slw_model_load(const char *path, sl_error *error) {
    sl_model *model = NULL;
    sl_model_load(path, &model, error);
    return slw_new_model(model, error);
}
%}

%include "data.i"
