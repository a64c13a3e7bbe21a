/* Rows to search on, some of which count nothing, and searches in folds. */
#ifndef SPARSELIN_TESTS_SEARCHING_H
#define SPARSELIN_TESTS_SEARCHING_H

#include "helpers.h"

static inline sl_dataset* sample_data(sample* s, uint64_t seed) {
    fill_sample(s, SAMPLE_ROWS, 60, seed);
    for (size_t r = 0; r < SAMPLE_ROWS; r += 37) s->weights[r] = 0;
    return dataset_of(s);
}

static inline sl_search* search_of(const sl_options* options, const char* grid, const sl_dataset* data, uint32_t folds, uint32_t threads) {
    sl_search* search = NULL;
    assert_ok(sl_search_run(options, grid, data, NULL, folds, 0, NULL, threads, NULL, NULL, &search, &error));
    return search;
}

#endif
