/* What the tests of the public interface share: models from name/value lists, checked calls, comparison of models bit for bit, and
   rows to train on. */
#ifndef SPARSELIN_TESTS_HELPERS_H
#define SPARSELIN_TESTS_HELPERS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sparselin.h>

/* Whether a sanitizer looks after the memory of this program: it ends the program where an allocator would say no, or freed memory is read.
 */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

/* Whether reading freed memory ends the program, and limiting the memory of the process takes it from the checker. */
#define WATCHED (SANITIZED || SL_MEMCHECK)

/* The last argument of every checked call. */
static sl_error error;

/* Fails the test unless `call` gives `expected`, and a failing call says so in `error` too. */
#define assert_status(expected, call) \
    check_status(expected, (error.status = SL_OK, error.message[0] = 0, (call)), #call, __FILE__, __LINE__)
#define assert_ok(call) assert_status(SL_OK, call)

/* Whether the row of the last error is the one that its message begins with, if it does. */
static inline int tells_its_row(void) {
    long long row = -1;
    char colon = 0;
    if (sscanf(error.message, "row %lld%c", &row, &colon) != 2 || colon != ':') return error.row == -1;
    return error.row == row && sl_error_reason(&error) == strchr(error.message, ':') + 2;
}

static inline void check_status(sl_status expected, sl_status actual, const char* call, const char* file, int line) {
    if (actual == expected && error.status == expected && (expected == SL_OK || tells_its_row())) return;
    if (actual == expected && error.status == expected) print_error("error->row is %lld\n", (long long)error.row);
    print_error("%s\ngives %s, not %s: %s\n", call, sl_status_name(actual), sl_status_name(expected), error.message);
    if (actual == expected) print_error("but error->status is %s\n", sl_status_name(error.status));
    _fail(file, line);
}

/* Fails the test unless the last error's message holds `text`. */
#define assert_message(text) check_message(text, __FILE__, __LINE__)

static inline void check_message(const char* text, const char* file, int line) {
    if (strstr(error.message, text)) return;
    print_error("\"%s\" is not in the message: %s\n", text, error.message);
    _fail(file, line);
}

static inline int same_bits(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

static inline int near(double a, double b, double tolerance) { return a - b <= tolerance && b - a <= tolerance; }

#define assert_bits(a, b) check_bits(a, b, #a, #b, __FILE__, __LINE__)
#define assert_near(a, b, tolerance) check_near(a, b, tolerance, #a, #b, __FILE__, __LINE__)

static inline void check_bits(double a, double b, const char* a_text, const char* b_text, const char* file, int line) {
    if (same_bits(a, b)) return;
    print_error("%s is %.17g, %s is %.17g\n", a_text, a, b_text, b);
    _fail(file, line);
}

static inline void check_near(double a, double b, double tolerance, const char* a_text, const char* b_text, const char* file, int line) {
    if (near(a, b, tolerance)) return;
    print_error("%s is %.17g, %s is %.17g, further apart than %g\n", a_text, a, b_text, b, tolerance);
    _fail(file, line);
}

/* Options and models from names and values in turn: new_model("loss", "hinge", "l1", "0.01"), new_model(NULL) for the defaults. */
#define new_options(...) options_from((const char* const[]){__VA_ARGS__, NULL, NULL})
#define new_model(...) model_from((const char* const[]){__VA_ARGS__, NULL, NULL})

static inline sl_options* options_from(const char* const* pairs) {
    sl_options* options = NULL;
    assert_ok(sl_options_create(&options, &error));
    for (; pairs[0]; pairs += 2) assert_ok(sl_options_set(options, pairs[0], pairs[1], &error));
    return options;
}

static inline sl_model* model_from(const char* const* pairs) {
    sl_options* options = options_from(pairs);
    sl_model* model = NULL;
    assert_ok(sl_model_create(options, &model, &error));
    sl_options_free(options);
    return model;
}

/* Whether models read an option. */
static inline int is_for_models(const char* name) {
    int model = 0;
    assert_ok(sl_option_is_for(name, &model, NULL, &error));
    return model;
}

/* All that can be seen of a model; of several classes their weights one class after another. */
typedef struct snapshot {
    uint64_t dimension, steps;
    double mean_loss;
    sl_status loss_status;
    size_t classes, count;
    double* biases;
    uint32_t* indices;
    double* weights;
} snapshot;

static inline snapshot snapshot_of(const sl_model* model) {
    snapshot s;
    size_t done = 0, count = 0;
    s.mean_loss = 0;
    s.count = 0;
    assert_ok(sl_model_dimension(model, &s.dimension, &error));
    assert_ok(sl_model_steps(model, &s.steps, &error));
    assert_ok(sl_model_classes(model, &s.classes, &error));
    s.loss_status = sl_model_mean_loss(model, &s.mean_loss, NULL);
    for (size_t k = 0; k < s.classes; ++k) {
        assert_ok(sl_model_class_nonzeros(model, k, NULL, NULL, 0, &count, &error));
        s.count += count;
    }
    s.biases = malloc(s.classes * sizeof *s.biases);
    s.indices = malloc((s.count + 1) * sizeof *s.indices);
    s.weights = malloc((s.count + 1) * sizeof *s.weights);
    assert_true(s.biases && s.indices && s.weights);
    for (size_t k = 0; k < s.classes; ++k) {
        assert_ok(sl_model_class_bias(model, k, &s.biases[k], &error));
        assert_ok(sl_model_class_nonzeros(model, k, s.indices + done, s.weights + done, s.count - done, &count, &error));
        done += count;
    }
    assert_int_equal(done, s.count);
    return s;
}

static inline void snapshot_free(snapshot* s) {
    free(s->biases);
    free(s->indices);
    free(s->weights);
}

static inline int snapshots_equal(const snapshot* a, const snapshot* b) {
    return a->dimension == b->dimension && a->steps == b->steps && a->classes == b->classes &&
           memcmp(a->biases, b->biases, a->classes * sizeof *a->biases) == 0 && a->loss_status == b->loss_status &&
           same_bits(a->mean_loss, b->mean_loss) && a->count == b->count &&
           memcmp(a->indices, b->indices, a->count * sizeof *a->indices) == 0 &&
           memcmp(a->weights, b->weights, a->count * sizeof *a->weights) == 0;
}

static inline int matches(const sl_model* model, const snapshot* before) {
    snapshot now = snapshot_of(model);
    const int equal = snapshots_equal(&now, before);
    if (!equal)
        print_error(
            "dimension %llu and %llu, steps %llu and %llu, classes %zu and %zu, first bias %.17g and %.17g, mean loss %.17g and %.17g, "
            "nonzeros %zu and %zu\n",
            (unsigned long long)before->dimension, (unsigned long long)now.dimension, (unsigned long long)before->steps,
            (unsigned long long)now.steps, before->classes, now.classes, before->biases[0], now.biases[0], before->mean_loss, now.mean_loss,
            before->count, now.count);
    snapshot_free(&now);
    return equal;
}

static inline int same_models(const sl_model* a, const sl_model* b) {
    snapshot s = snapshot_of(a);
    const int equal = matches(b, &s);
    snapshot_free(&s);
    return equal;
}

#define assert_unchanged(model, before) assert_true(matches(model, before))
#define assert_same_models(a, b) assert_true(same_models(a, b))

/* SplitMix64. */
static inline uint64_t next_random(uint64_t* state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline double next_uniform(uint64_t* state) { return (double)(next_random(state) >> 11) / 9007199254740992.0; }

/* A matrix in compressed-sparse-row form. */
enum { SAMPLE_ROWS = 400, SAMPLE_WIDTH = 6 };
typedef struct sample {
    size_t rows;
    int64_t pointers[SAMPLE_ROWS + 1];
    uint32_t indices[SAMPLE_ROWS * SAMPLE_WIDTH];
    double values[SAMPLE_ROWS * SAMPLE_WIDTH];
    double labels[SAMPLE_ROWS];
    double weights[SAMPLE_ROWS];
} sample;

/* Rows of 0 to SAMPLE_WIDTH ascending indices below `dimension` (at least SAMPLE_WIDTH), values in (-1, 1), labels -1 and +1 that a
   hidden plane decides but for some noise, weights 0.5, 1 and 1.5. */
static inline void fill_sample(sample* s, size_t rows, uint32_t dimension, uint64_t seed) {
    int64_t end = 0;
    assert_true(rows <= SAMPLE_ROWS && dimension >= SAMPLE_WIDTH);
    s->rows = rows;
    s->pointers[0] = 0;
    for (size_t r = 0; r < rows; ++r) {
        const size_t count = next_random(&seed) % (SAMPLE_WIDTH + 1);
        double score = next_uniform(&seed) - 0.5;
        for (size_t k = 0; k < count; ++k, ++end) {
            const uint32_t stride = dimension / SAMPLE_WIDTH;
            s->indices[end] = (uint32_t)k * stride + (uint32_t)(next_random(&seed) % stride);
            s->values[end] = 2 * next_uniform(&seed) - 1;
            score += s->values[end] * ((s->indices[end] * 2654435761u >> 16 & 3) - 1.5);
        }
        s->pointers[r + 1] = end;
        s->labels[r] = score > 0 ? 1 : -1;
        s->weights[r] = 0.5 * (double)(1 + next_random(&seed) % 3);
    }
}

static inline size_t row_count(const sample* s, size_t r) { return (size_t)(s->pointers[r + 1] - s->pointers[r]); }

static inline sl_status feed_row(sl_model* model, const sample* s, size_t r) {
    return sl_model_feed(model, s->indices + s->pointers[r], s->values + s->pointers[r], row_count(s, r), s->labels[r], s->weights[r],
                         &error);
}

static inline void feed_rows(sl_model* model, const sample* s, size_t first, size_t last) {
    for (size_t r = first; r < last; ++r) assert_ok(feed_row(model, s, r));
}

static inline sl_dataset* dataset_of(const sample* s) {
    sl_dataset* data = NULL;
    assert_ok(sl_dataset_from_csr(s->rows, s->pointers, s->indices, s->values, s->labels, s->weights, &data, &error));
    return data;
}

static inline double score_of(const sl_model* model, const sample* s, size_t r) {
    double score = 0;
    assert_ok(sl_model_predict(model, s->indices + s->pointers[r], s->values + s->pointers[r], row_count(s, r), &score, &error));
    return score;
}

/* A source of text for sl_dataset_read and sl_reader_create. */
typedef struct text_source {
    const char* at;
} text_source;

static inline int64_t give_text(void* user, void* buffer, size_t capacity) {
    text_source* const t = (text_source*)user;
    size_t n = strlen(t->at);
    n = n < capacity ? n : capacity;
    memcpy(buffer, t->at, n);
    t->at += n;
    return (int64_t)n;
}

#endif
