/* Fits from start to end, and fits that are watched and stopped. */
#ifndef SPARSELIN_TESTS_FITTING_H
#define SPARSELIN_TESTS_FITTING_H

#include "helpers.h"

static inline sl_model* fitted(const char* const* pairs, const sl_dataset* data) {
    sl_model* model = model_from(pairs);
    assert_ok(sl_model_fit(model, data, NULL, NULL, &error));
    return model;
}
#define new_fitted(data, ...) fitted((const char* const[]){__VA_ARGS__, NULL, NULL}, data)

typedef struct watch {
    sl_progress last;
    size_t calls, ends_of_passes;
    uint64_t rows;       /* of the data set */
    uint64_t stop_epoch; /* stop when that many passes are complete; 0: never */
    int within_a_pass;   /* stop at the first call between the ends of passes */
    int wrong;
} watch;

static inline int look(const sl_progress* progress, void* user) {
    watch* w = user;
    w->wrong |= w->calls && (progress->rows < w->last.rows || progress->epoch < w->last.epoch || progress->steps < w->last.steps);
    w->wrong |= progress->rows > progress->rows_total || progress->epoch != progress->rows / w->rows;
    w->wrong |= !(progress->mean_loss >= 0);
    w->ends_of_passes += progress->rows == progress->epoch * w->rows && (!w->calls || progress->epoch > w->last.epoch);
    w->last = *progress;
    ++w->calls;
    if (w->within_a_pass) return progress->rows % w->rows != 0;
    return w->stop_epoch && progress->epoch >= w->stop_epoch ? -1 : 0;
}

#endif
