/* What a data set holds: its shape, and a row. */
#ifndef SPARSELIN_TESTS_SHAPES_H
#define SPARSELIN_TESTS_SHAPES_H

#include "helpers.h"

static inline void assert_shape(const sl_dataset* data, uint64_t rows, uint64_t nonzeros, uint64_t dimension) {
    uint64_t shape[3] = {7, 7, 7};
    assert_ok(sl_dataset_shape(data, &shape[0], &shape[1], &shape[2], &error));
    assert_true(shape[0] == rows && shape[1] == nonzeros && shape[2] == dimension);
    assert_ok(sl_dataset_shape(data, NULL, NULL, NULL, &error));
}

/* Compares row r with what it should hold. */
static inline void assert_row(const sl_dataset* data, uint64_t r, const uint32_t* indices, const double* values, size_t count, double label,
                              double weight) {
    uint32_t i[16];
    double v[16], held_label = 0, held_weight = 0;
    size_t n = 0;
    assert_ok(sl_dataset_row(data, r, i, v, 16, &n, &held_label, &held_weight, &error));
    assert_int_equal(n, count);
    for (size_t k = 0; k < n; ++k) {
        assert_int_equal(i[k], indices[k]);
        assert_bits(v[k], values[k]);
    }
    assert_bits(held_label, label);
    assert_bits(held_weight, weight);
}

#endif
