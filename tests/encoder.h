/* What the tests of encoders share: encoders from name/value lists, and rows. */
#ifndef SPARSELIN_TESTS_ENCODER_H
#define SPARSELIN_TESTS_ENCODER_H

#include "helpers.h"

/* new_encoder("features", "dictionary"), new_encoder(NULL) for the defaults. */
#define new_encoder(...) encoder_from((const char* const[]){__VA_ARGS__, NULL, NULL})

static inline sl_encoder* encoder_from(const char* const* pairs) {
    sl_options* options = options_from(pairs);
    sl_encoder* encoder = NULL;
    assert_ok(sl_encoder_create(options, &encoder, &error));
    sl_options_free(options);
    return encoder;
}

/* The record's row, valid until the next call. */
typedef struct encoded {
    const uint32_t* indices;
    const double* values;
    size_t count;
} encoded;

static inline encoded row_of(sl_encoder* encoder) {
    encoded row = {NULL, NULL, 77};
    assert_ok(sl_encoder_row(encoder, &row.indices, &row.values, &row.count, &error));
    for (size_t j = 0; j < row.count; ++j) assert_true(row.values[j] != 0 && (j == 0 || row.indices[j] > row.indices[j - 1]));
    return row;
}

/* Fails the test unless the record's row is this: index, value, index, value, ... */
#define assert_row(encoder, ...) \
    check_row(encoder, (const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double) / 2, __FILE__, __LINE__)

static inline void check_row(sl_encoder* encoder, const double* pairs, size_t count, const char* file, int line) {
    const encoded row = row_of(encoder);
    size_t same = 0;
    while (row.count == count && same < count && row.indices[same] == pairs[2 * same] && same_bits(row.values[same], pairs[2 * same + 1]))
        ++same;
    if (row.count == count && same == count) return;
    for (size_t j = 0; j < row.count; ++j) print_error("%u:%.17g ", row.indices[j], row.values[j]);
    print_error("is the row\n");
    _fail(file, line);
}

/* The name of a feature, in static memory. */
static inline const char* name_of(const sl_encoder* encoder, uint32_t index) {
    static char name[1000];
    size_t length = 0;
    assert_ok(sl_encoder_name(encoder, index, name, sizeof name, &length, &error));
    assert_in_range(length, 1, sizeof name);
    return name;
}

static inline void add_text(sl_encoder* encoder, const char* name, const char* text) {
    assert_ok(sl_encoder_text(encoder, name, text, strlen(text), &error));
}

/* The bytes of an encoder, to be freed. */
static inline unsigned char* encoder_bytes(const sl_encoder* encoder, size_t* length) {
    size_t again = 0;
    assert_ok(sl_encoder_to_bytes(encoder, NULL, 0, length, &error));
    unsigned char* bytes = malloc(*length);
    assert_non_null(bytes);
    assert_ok(sl_encoder_to_bytes(encoder, bytes, *length, &again, &error));
    assert_int_equal(again, *length);
    return bytes;
}

static inline sl_encoder* encoder_of_bytes(const void* bytes, size_t length) {
    sl_encoder* encoder = NULL;
    assert_ok(sl_encoder_from_bytes(bytes, length, &encoder, &error));
    return encoder;
}

static inline int same_encoders(const sl_encoder* a, const sl_encoder* b) {
    size_t a_length = 0, b_length = 0;
    unsigned char *a_bytes = encoder_bytes(a, &a_length), *b_bytes = encoder_bytes(b, &b_length);
    const int same = a_length == b_length && memcmp(a_bytes, b_bytes, a_length) == 0;
    free(a_bytes);
    free(b_bytes);
    return same;
}

#endif
