/* Samples of several classes, and which classes a model has. */
#ifndef SPARSELIN_TESTS_CLASSES_H
#define SPARSELIN_TESTS_CLASSES_H

#include "helpers.h"

enum { CLASSES = 4, WIDEST = 65536 };

/* A sample whose rows belong to one of `classes` classes, the one of the largest score, labelled 0, 1, ... */
static inline void fill_classes(sample* s, size_t rows, uint32_t dimension, size_t classes, uint64_t seed) {
    fill_sample(s, rows, dimension, seed);
    for (size_t r = 0; r < rows; ++r) {
        double largest = -INFINITY;
        for (size_t k = 0; k < classes; ++k) {
            double score = 0.3 * next_uniform(&seed);
            for (int64_t i = s->pointers[r]; i < s->pointers[r + 1]; ++i)
                score += s->values[i] * ((((s->indices[i] + 1) * 2654435761u + (uint32_t)k * 40503001u) >> 16 & 3) - 1.5);
            if (score <= largest) continue;
            largest = score;
            s->labels[r] = (double)k;
        }
    }
}

static inline void assert_labels(const sl_model* model, const double* expected, size_t count) {
    double labels[16];
    size_t found = 0;
    assert_status(SL_OK, sl_model_class_labels(model, NULL, 0, &found, &error));
    assert_int_equal(found, count);
    assert_ok(sl_model_class_labels(model, labels, 16, &found, &error));
    for (size_t k = 0; k < count; ++k) assert_bits(labels[k], expected[k]);
    labels[0] = 77;
    assert_ok(sl_model_class_labels(model, labels, count - 1, &found, &error));
    assert_true(found == count && labels[0] == 77);
}

static inline size_t classes_of(const sl_model* model) {
    size_t count = 0;
    assert_ok(sl_model_classes(model, &count, &error));
    return count;
}

#endif
