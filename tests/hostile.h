/* Models to be damaged, and what is done with whatever becomes of them. */
#ifndef SPARSELIN_TESTS_HOSTILE_H
#define SPARSELIN_TESTS_HOSTILE_H

#include "keeping.h"
#include "memory_limit.h"
#include "seal.h"

/* AddressSanitizer needs all the memory there is, and so is told by itself how much it may give at once. */
const char* __asan_default_options(void);
const char* __asan_default_options(void) { return "allocator_may_return_null=1:max_allocation_size_mb=64"; }

/* Lets the process have so many bytes on top of what it has. */
static inline void allow_memory(size_t bytes) {
#if HAS_MEMORY_LIMIT && !defined(__SANITIZE_ADDRESS__) && !SL_MEMCHECK
    FILE* file = fopen("/proc/self/statm", "r");
    unsigned long pages = 0;
    assert_true(file && fscanf(file, "%lu", &pages) == 1);
    fclose(file);
    set_memory_limit((uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE) + bytes);
#else
    (void)bytes;
#endif
}

/* Makes length and checksum fit, so that what is inside has to be judged. */
static inline void seal(bytes b) { seal_bytes(b.data, b.size); }

static inline bytes copy_of(bytes b) {
    bytes copy = new_bytes(b.size);
    memcpy(copy.data, b.data, b.size);
    return copy;
}

/* The same with `removed` bytes at `at` replaced by others. */
static inline bytes spliced(bytes b, size_t at, size_t removed, const void* put, size_t size) {
    bytes out = new_bytes(b.size - removed + size);
    memcpy(out.data, b.data, at);
    memcpy(out.data + at, put, size);
    memcpy(out.data + at + size, b.data + at + removed, b.size - at - removed);
    return out;
}

static inline size_t position_of(bytes b, const void* pattern, size_t size) {
    for (size_t i = 0; i + size <= b.size; ++i)
        if (memcmp(b.data + i, pattern, size) == 0) return i;
    fail_msg("a pattern of %zu bytes is not in the model", size);
    return 0;
}

/* Models at all stages, small. The last of them are kept as predictors. */
enum { MODELS = 12, PREDICTORS = 3 };

static inline bytes new_kept(int which) {
    static const char* const options[MODELS][16] = {
        {"l1", "1e-3", "l2", "1e-3", "storage", "hash", "scale", "rms"},
        {"l1", "1e-3", "average", "uniform", "storage", "hash", "average_start", "auto"},
        {"update", "truncated_gradient", "gravity", "0.01", "theta", "0.05", "period", "2", "storage", "hash"},
        {"center", "true", "scale", "max_abs", "storage", "hash", "loss", "squared"},
        {"l1", "1e-2", "average", "none", "storage", "dense", "loss", "hinge", "dimension", "40"},
        {"storage", "hash"},
        {"center", "true"},
        {"update", "rounding", "theta", "0.01", "average", "none", "preset", "langford-rounding", "theta", "0.02", "storage", "hash"},
        {"classes", "3", "l1", "1e-3", "storage", "hash", "center", "false", "average_start", "auto", "scale", "rms"},
        {"classes", "5", "loss", "hinge", "storage", "hash"},
        {"l1", "1e-3", "storage", "hash", "clip_max", "0.5"},
        {"l1", "1e-3", "storage", "dense", "loss", "squared"},
    };
    const size_t rows[MODELS] = {40, 60, 40, 40, 40, 0, 0, 40, 40, 40, 40, 40};
    sample s;
    sl_model* model = model_from(options[which]);
    fill_sample(&s, 60, 40, (uint64_t)which);
    for (size_t r = 0; strcmp(options[which][0], "classes") == 0 && r < 60; ++r) s.labels[r] = (double)(r % 3);
    for (size_t r = 0; r < 20; ++r)
        (void)sl_model_observe(model, s.indices + s.pointers[r], s.values + s.pointers[r], row_count(&s, r), 1, NULL);
    feed_rows(model, &s, 0, rows[which]);
    bytes kept = bytes_of(model, which >= MODELS - PREDICTORS ? SL_KEEP_PREDICTOR : SL_KEEP_EVERYTHING);
    sl_model_free(model);
    return kept;
}

/* What is saved can be loaded. Of what training made of a lie, saving may say that it could not be. */
static inline void saves_what_loads(const sl_model* model, int trained) {
    static unsigned char room[1 << 16];
    for (int keep = SL_KEEP_EVERYTHING; keep <= SL_KEEP_PREDICTOR; ++keep) {
        size_t length = 0;
        sl_model* copy = NULL;
        const sl_status status = sl_model_to_bytes(model, (sl_keep)keep, room, sizeof room, &length, &error);
        if (status == SL_ERROR_STATE || (trained && status == SL_ERROR_DIVERGED)) continue;
        assert_int_equal(status, SL_OK);
        if (length > sizeof room) continue;
        assert_ok(sl_model_from_bytes(room, length, &copy, &error));
        sl_model_free(copy);
    }
}

/* What an application does with a model; statuses and numbers are whatever they are. */
static inline void use(sl_model* model, size_t size) {
    static sample s;
    static const uint32_t far[] = {3, 4000000000u};
    uint32_t indices[64];
    double weights[64], score = 0, value = 0;
    size_t count = 0, length = 0;
    uint64_t memory = 0;
    char text[64];
    sl_model* copy = NULL;
    if (s.rows == 0) fill_sample(&s, 12, 40, 99);
    assert_ok(sl_model_memory(model, &memory, &error));
    if (memory > 8 * size + 2000000) fail_msg("%zu bytes became %llu", size, (unsigned long long)memory);
    assert_ok(sl_model_option(model, "storage", text, sizeof text, &length, &error));
    const int sparse = strcmp(text, "dense") != 0;
    saves_what_loads(model, 0);
    for (int again = 0; again < 2; ++again) {
        (void)sl_model_predict(model, s.indices, s.values, row_count(&s, 0), &score, NULL);
        (void)sl_model_predict(model, far, NULL, 2, &score, NULL);
        (void)sl_model_nonzeros(model, indices, weights, 64, &count, NULL);
        if (sl_model_scores(model, s.indices, s.values, row_count(&s, 0), weights, 64, NULL) == SL_OK)
            (void)sl_model_predicted_labels(model, weights, 1, &value, NULL);
        (void)sl_model_class_nonzeros(model, 2, indices, weights, 64, &count, NULL);
        (void)sl_model_mean_loss(model, &value, NULL);
        (void)sl_model_label(model, score, &value, NULL);
        (void)sl_model_weight(model, far[1], &value, NULL);
        for (size_t r = 0; r < s.rows; ++r) (void)feed_row(model, &s, r);
        if (sparse) (void)sl_model_feed(model, far, NULL, 2, 1, 1, NULL);
        (void)sl_model_finalize(model, NULL);
    }
    (void)sl_model_clone(model, &copy, NULL);
    sl_model_free(copy);
    saves_what_loads(model, 1);
}

/* Loads and, if that works, uses. A wrong file is told as such, never by a lack of memory or an error of the library's own. */
static inline sl_status try(bytes b) {
    static char untouched;
    sl_model* model = (sl_model*)&untouched;
    const sl_status status = sl_model_from_bytes(b.data, b.size, &model, &error);
    if (status == SL_OK) {
        use(model, b.size);
        sl_model_free(model);
        return status;
    }
    assert_ptr_equal(model, (sl_model*)&untouched);
    if (status != SL_ERROR_FORMAT && status != SL_ERROR_VERSION) fail_msg("%s: %s", sl_status_name(status), error.message);
    assert_int_equal(error.status, status);
    assert_true(error.message[0] != 0);
    return status;
}

/* The kept model with an option set to another value. */
static inline bytes with_option(bytes kept, const char* name, const char* value) {
    const size_t length = strlen(name), size = strlen(value);
    unsigned char text[80];
    put_number(text, length, 4);
    memcpy(text + 4, name, length);
    const size_t at = position_of(kept, text, 4 + length) + 4 + length, old = kept.data[at];
    if (old == size && memcmp(kept.data + at + 4, value, size) == 0) return copy_of(kept);
    put_number(text, size, 4);
    memcpy(text + 4, value, size);
    text[4 + size] = 1; /* it was set */
    bytes out = spliced(kept, at, 4 + old + 1, text, 4 + size + 1);
    seal(out);
    return out;
}

#endif
