/* What a row costs in C, for JavaCost.java to be compared with: the same rows, the same model. Prints nanoseconds a row, the best of many
 * rounds. */
#define _POSIX_C_SOURCE 200809L
#include <sparselin.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROWS = 2000, NONZEROS = 80, ROUNDS = 150, WARM_UP = 300 };

static int64_t pointers[ROWS + 1];
static uint32_t indices[ROWS * NONZEROS];
static double values[ROWS * NONZEROS], labels[ROWS], scores[ROWS];
static sl_error error;

static void check(sl_status status) {
    if (status == SL_OK) return;
    fprintf(stderr, "%s\n", error.message);
    exit(1);
}

static void make_rows(uint32_t dimension) {
    uint64_t state = 1;
    for (int r = 0; r < ROWS; ++r) {
        pointers[r + 1] = pointers[r] + NONZEROS;
        for (int k = 0; k < NONZEROS; ++k) {
            const uint32_t step = dimension / NONZEROS;
            state = state * 6364136223846793005u + 1442695040888963407u;
            indices[r * NONZEROS + k] = (uint32_t)k * step + (uint32_t)(state >> 33) % step;
            values[r * NONZEROS + k] = ((double)(state >> 40 & 1023) + 0.5) / 512 - 1;
        }
        labels[r] = values[r * NONZEROS] > 0 ? 1 : -1;
    }
}

typedef void (*work)(sl_model* model);

static void feed(sl_model* model) {
    for (int r = 0; r < ROWS; ++r) check(sl_model_feed(model, indices + pointers[r], values + pointers[r], NONZEROS, labels[r], 1, &error));
}
static void feed_csr(sl_model* model) { check(sl_model_feed_csr(model, ROWS, pointers, indices, values, labels, NULL, NULL, &error)); }
static void predict(sl_model* model) {
    for (int r = 0; r < ROWS; ++r)
        check(sl_model_predict(model, indices + pointers[r], values + pointers[r], NONZEROS, &scores[r], &error));
}
static void predict_csr(sl_model* model) { check(sl_model_predict_csr(model, ROWS, pointers, indices, values, scores, &error)); }

static double best_of(work body, sl_model* model) {
    double best = 1e30;
    for (int round = 0; round < WARM_UP + ROUNDS; ++round) {
        struct timespec begin, end;
        clock_gettime(CLOCK_MONOTONIC, &begin);
        body(model);
        clock_gettime(CLOCK_MONOTONIC, &end);
        const double ns = ((double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec)) / ROWS;
        if (round >= WARM_UP && ns < best) best = ns;
    }
    return best;
}

int main(int argc, char** argv) {
    sl_model* model = NULL;
    make_rows((uint32_t)atol(argc > 1 ? argv[1] : "16384"));
    check(sl_model_create(NULL, &model, &error));
    printf("feed %.1f\n", best_of(feed, model));
    printf("feedCsr %.1f\n", best_of(feed_csr, model));
    check(sl_model_finalize(model, &error));
    printf("predict %.1f\n", best_of(predict, model));
    printf("predictCsr %.1f\n", best_of(predict_csr, model));
    sl_model_free(model);
    return 0;
}
