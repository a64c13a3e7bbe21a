/* The model of the golden files: what made it, and what goes on with it. Nothing here may change, or the files lose their meaning.
   No step needs more than + - * / and square roots, so the numbers are the same on every machine. */
#ifndef SPARSELIN_TESTS_GOLDEN_MODEL_H
#define SPARSELIN_TESTS_GOLDEN_MODEL_H

#include <sparselin.h>

enum { GOLDEN_ROWS = 40, GOLDEN_WIDTH = 4, GOLDEN_PROBES = 60 };

static const char* const golden_options[][2] = {
    {"loss", "squared_hinge"}, {"l1", "0.001953125"},  {"l2", "0.0009765625"},    {"schedule", "constant"}, {"eta0", "0.125"},
    {"average", "polynomial"}, {"average_power", "2"}, {"average_start", "7"},    {"storage", "hash"},      {"scale", "rms"},
    {"sampling", "shuffle"},   {"epochs", "3"},        {"seed", "1234567890123"},
};

/* Row r of as many as are asked for: 0 to 4 pairs. */
static inline size_t golden_row(uint32_t r, uint32_t* indices, double* values, double* label, double* weight) {
    const uint32_t count = r % (GOLDEN_WIDTH + 1);
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t draw = (r * GOLDEN_WIDTH + k) * 2654435761u >> 8;
        indices[k] = k * 1000000000u + draw % 23 * 1000003u;
        values[k] = ((double)(draw >> 5 & 1023) - 400) / 256;
    }
    *label = count > 0 && values[0] > 0 ? 5 : 2;
    *weight = (double)(1 + r % 3) / 2;
    return count;
}

static inline sl_status golden_data(sl_dataset** data, sl_error* error) {
    int64_t pointers[GOLDEN_ROWS + 1] = {0};
    uint32_t indices[GOLDEN_ROWS * GOLDEN_WIDTH];
    double values[GOLDEN_ROWS * GOLDEN_WIDTH], labels[GOLDEN_ROWS], weights[GOLDEN_ROWS];
    for (uint32_t r = 0; r < GOLDEN_ROWS; ++r)
        pointers[r + 1] = pointers[r] + (int64_t)golden_row(r, indices + pointers[r], values + pointers[r], labels + r, weights + r);
    return sl_dataset_from_csr(GOLDEN_ROWS, pointers, indices, values, labels, weights, data, error);
}

/* Stops a fit after its first pass. */
static inline int golden_stop(const sl_progress* progress, void* user) {
    (void)user;
    return progress->epoch == 1 && progress->rows == GOLDEN_ROWS;
}

/* What the files' model has behind it: one pass of a fit that is not over yet. SL_ERROR_CANCELLED is as it should be. */
static inline sl_status golden_begin(sl_model* model, sl_error* error) {
    sl_dataset* data = NULL;
    sl_status status = golden_data(&data, error);
    if (status == SL_OK) status = sl_model_fit(model, data, golden_stop, NULL, error);
    sl_dataset_free(data);
    return status;
}

/* And what lies before it: some more rows, then the rest of the fit. */
static inline sl_status golden_go_on(sl_model* model, sl_error* error) {
    sl_dataset* data = NULL;
    sl_status status = golden_data(&data, error);
    for (uint32_t r = GOLDEN_ROWS; status == SL_OK && r < GOLDEN_ROWS + 10; ++r) {
        uint32_t indices[GOLDEN_WIDTH];
        double values[GOLDEN_WIDTH], label, weight;
        const size_t count = golden_row(r, indices, values, &label, &weight);
        status = sl_model_feed(model, indices, values, count, label, weight, error);
    }
    if (status == SL_OK) status = sl_model_fit(model, data, NULL, NULL, error);
    sl_dataset_free(data);
    return status;
}

/* Score r of GOLDEN_PROBES, the last of them for features that were never seen. */
static inline sl_status golden_score(const sl_model* model, uint32_t r, double* score, sl_error* error) {
    uint32_t indices[GOLDEN_WIDTH];
    double values[GOLDEN_WIDTH], label, weight;
    return sl_model_predict(model, indices, values, golden_row(r, indices, values, &label, &weight), score, error);
}

#endif
