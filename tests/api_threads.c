/* Threads: many predict from one model, models of their own are trained side by side, and rows are scored in several. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <math.h>
#include <pthread.h>

#include "helpers.h"

/* Threads that were started so far. Sanitizers have a pthread_create of their own, a DLL finds none but its own, and there is no count. */
static size_t started;
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__) || defined(_WIN32)
enum { COUNTS = 0 };
#else
#include <dlfcn.h>

enum { COUNTS = 1 };

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*), void* argument) {
    union {
        void* found;
        int (*call)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
    } next;
    next.found = dlsym(RTLD_NEXT, "pthread_create");
    ++started;
    return next.call(thread, attributes, body, argument);
}
#endif

/* Fails the test unless the call gives `expected` and starts so many threads. */
#define assert_starts(count, expected, call)                              \
    do {                                                                  \
        const size_t before_ = started;                                   \
        assert_status(expected, call);                                    \
        if (COUNTS) assert_int_equal(started - before_, (size_t)(count)); \
    } while (0)

enum { THREADS = 8 };

static const char* const configurations[][12] = {
    {NULL},
    {"average", "none", "l1", "0.002", "l2", "0.01", "schedule", "constant", "eta0", "0.3"},
    {"update", "fobos", "l1", "0.002", "loss", "hinge", "average", "uniform", "storage", "hash"},
    {"normalize", "l2", "storage", "hash", "average_start", "auto"},
};

/* What one thread finds out; checks that can fail are made where it is joined. */
typedef struct worker {
    pthread_t thread;
    const sample* s;
    const sl_dataset* data;
    const sl_model* model;
    size_t failures;
    double scores[SAMPLE_ROWS];
    double auc;
    size_t nonzeros;
} worker;

static void* predict_all(void* argument) {
    worker* w = argument;
    const sample* s = w->s;
    for (int again = 0; again < 20; ++again) {
        double all[SAMPLE_ROWS], bias = 0, weight = 0;
        uint64_t steps = 0;
        for (size_t r = 0; r < s->rows; ++r) {
            /* Backwards, so that the row has to be sorted first. */
            uint32_t indices[SAMPLE_WIDTH];
            double values[SAMPLE_WIDTH];
            const size_t count = row_count(s, r);
            for (size_t k = 0; k < count; ++k) {
                indices[k] = s->indices[s->pointers[r + 1] - 1 - (int64_t)k];
                values[k] = s->values[s->pointers[r + 1] - 1 - (int64_t)k];
            }
            w->failures += sl_model_predict(w->model, indices, values, count, w->scores + r, NULL) != SL_OK;
        }
        w->failures += sl_model_predict_csr(w->model, s->rows, s->pointers, s->indices, s->values, all, NULL) != SL_OK;
        w->failures += memcmp(all, w->scores, s->rows * sizeof *all) != 0;
        w->failures += sl_model_predict_dataset(w->model, w->data, all, s->rows, NULL) != SL_OK;
        w->failures += memcmp(all, w->scores, s->rows * sizeof *all) != 0;
        w->failures += sl_model_evaluate(w->model, w->data, "auc", &w->auc, NULL) != SL_OK;
        w->failures += sl_model_nonzeros(w->model, NULL, NULL, 0, &w->nonzeros, NULL) != SL_OK;
        w->failures += sl_model_bias(w->model, &bias, NULL) != SL_OK || sl_model_weight(w->model, 3, &weight, NULL) != SL_OK;
        w->failures += sl_model_steps(w->model, &steps, NULL) != SL_OK || steps != s->rows;
    }
    return NULL;
}

static void many_predict_from_one_model(void** state) {
    static worker workers[THREADS];
    sample s;
    sl_dataset* data = NULL;
    (void)state;
    fill_sample(&s, SAMPLE_ROWS, 60, 1);
    data = dataset_of(&s);
    for (size_t c = 0; c < sizeof configurations / sizeof *configurations; ++c) {
        sl_model* model = model_from(configurations[c]);
        feed_rows(model, &s, 0, s.rows);
        for (int finalized = 0; finalized < 2; ++finalized) {
            snapshot before = snapshot_of(model);
            for (size_t k = 0; k < THREADS; ++k) {
                workers[k] = (worker){.s = &s, .data = data, .model = model};
                assert_int_equal(pthread_create(&workers[k].thread, NULL, predict_all, workers + k), 0);
            }
            for (size_t k = 0; k < THREADS; ++k) assert_int_equal(pthread_join(workers[k].thread, NULL), 0);
            for (size_t k = 0; k < THREADS; ++k) {
                assert_int_equal(workers[k].failures, 0);
                for (size_t r = 0; r < s.rows; ++r) assert_bits(workers[k].scores[r], score_of(model, &s, r));
                assert_bits(workers[k].auc, workers[0].auc);
                assert_int_equal(workers[k].nonzeros, before.count);
            }
            assert_unchanged(model, &before);
            snapshot_free(&before);
            assert_ok(sl_model_finalize(model, &error));
        }
        sl_model_free(model);
    }
    sl_dataset_free(data);
}

typedef struct trainer {
    pthread_t thread;
    const sl_dataset* data;
    sl_model* model;
    sl_status status;
} trainer;

static void* train(void* argument) {
    trainer* t = argument;
    t->status = sl_model_fit(t->model, t->data, NULL, NULL, NULL);
    if (t->status == SL_OK) t->status = sl_model_finalize(t->model, NULL);
    return NULL;
}

static sl_model* to_train(size_t k) {
    static const char* const seeds[] = {"0", "1", "2", "3", "4", "5", "6", "7"};
    return new_model("seed", seeds[k], "epochs", "20", "l1", "1e-4", "storage", k % 2 ? "hash" : "dense", "update",
                     k % 3 ? "sgd" : "fobos");
}

static void models_are_trained_side_by_side(void** state) {
    sample s;
    trainer trainers[THREADS];
    sl_dataset* data = NULL;
    (void)state;
    fill_sample(&s, SAMPLE_ROWS, 60, 2);
    data = dataset_of(&s);
    for (size_t k = 0; k < THREADS; ++k) trainers[k] = (trainer){.data = data, .model = to_train(k)};
    for (size_t k = 0; k < THREADS; ++k) assert_int_equal(pthread_create(&trainers[k].thread, NULL, train, trainers + k), 0);
    for (size_t k = 0; k < THREADS; ++k) assert_int_equal(pthread_join(trainers[k].thread, NULL), 0);
    for (size_t k = 0; k < THREADS; ++k) {
        sl_model* alone = to_train(k);
        assert_int_equal(trainers[k].status, SL_OK);
        assert_ok(sl_model_fit(alone, data, NULL, NULL, &error));
        assert_same_models(alone, trainers[k].model);
        sl_model_free(alone);
        sl_model_free(trainers[k].model);
    }
    sl_dataset_free(data);
}

enum { ROWS = 30000, WIDTH = 20, NONZEROS = ROWS * WIDTH, FEATURES = 1000, MOST_CLASSES = 4 };

/* Enough rows that threads are started for them. */
typedef struct many_rows {
    int64_t pointers[ROWS + 1];
    uint32_t indices[NONZEROS];
    double values[NONZEROS], labels[ROWS], weights[ROWS];
} many_rows;

static many_rows* fill_many_rows(double classes) {
    uint64_t random = 5;
    many_rows* m = malloc(sizeof *m);
    assert_non_null(m);
    m->pointers[0] = 0;
    for (size_t r = 0; r < ROWS; ++r) {
        m->pointers[r + 1] = (int64_t)((r + 1) * WIDTH);
        for (size_t k = 0; k < WIDTH; ++k) {
            m->indices[r * WIDTH + k] = (uint32_t)(k * (FEATURES / WIDTH) + next_random(&random) % (FEATURES / WIDTH));
            m->values[r * WIDTH + k] = next_uniform(&random) - 0.5;
        }
        m->labels[r] = r < 100 ? (double)(r % (size_t)classes) : (double)(uint64_t)(next_uniform(&random) * classes);
        m->weights[r] = r % 7 == 0 ? 0 : next_uniform(&random);
    }
    return m;
}

static void scoring_in_threads_changes_no_bit(void** state) {
    static const char* const metrics[] = {"loss", "error_rate", "log_loss", "macro_f1", "mcc", "objective"};
    static double expected[ROWS * MOST_CLASSES], scores[ROWS * MOST_CLASSES];
    (void)state;
    for (size_t several = 0; several < 2; ++several) {
        const size_t classes = several ? MOST_CLASSES : 1, numbers = ROWS * classes;
        many_rows* m = fill_many_rows(several ? MOST_CLASSES : 2);
        double figures[sizeof metrics / sizeof *metrics], figure, confusion[16], counts[16];
        sl_model* model = model_from((const char* const[]){NULL});
        sl_dataset* data = NULL;
        assert_ok(sl_dataset_from_csr(ROWS, m->pointers, m->indices, m->values, m->labels, m->weights, &data, &error));
        assert_ok(sl_model_fit(model, data, NULL, NULL, &error));
        assert_status(SL_ERROR_INVALID_ARGUMENT, sl_model_set_threads(model, 1025, &error));
        assert_message("1025");
        for (uint32_t threads = 1; threads < 5; ++threads) {
            static const size_t bad[] = {29000 * WIDTH + 1, 9000 * WIDTH + 3, 20000 * WIDTH};
            double kept[3];
            double* const into = threads == 1 ? expected : scores;
            const uint32_t more = threads - 1;
            if (threads == 4) assert_ok(sl_model_finalize(model, &error));
            assert_ok(sl_model_set_threads(model, threads, &error));
            assert_starts(more, SL_OK, sl_model_scores_csr(model, ROWS, m->pointers, m->indices, m->values, into, numbers, &error));
            assert_memory_equal(into, expected, numbers * sizeof *into);
            assert_starts(more, SL_OK, sl_model_scores_dataset(model, data, scores, numbers, &error));
            assert_memory_equal(scores, expected, numbers * sizeof *scores);
            assert_starts(more, SL_OK, sl_model_scores_rows(model, data, 123, ROWS - 456, scores, numbers, &error));
            assert_memory_equal(scores, expected + 123 * classes, (ROWS - 456) * classes * sizeof *scores);
            assert_starts(0, SL_OK, sl_model_scores_rows(model, data, 123, 10, scores, numbers, &error)); /* they are not worth it */
            for (size_t k = 0; k < sizeof metrics / sizeof *metrics; ++k) {
                assert_starts(more, SL_OK, sl_model_evaluate(model, data, metrics[k], threads == 1 ? figures + k : &figure, &error));
                if (threads > 1) assert_bits(figures[k], figure);
            }
            assert_starts(more, SL_OK, sl_model_confusion(model, data, threads == 1 ? confusion : counts, 16, &error));
            if (threads > 1) assert_memory_equal(confusion, counts, (several ? 16 : 4) * sizeof *counts);

            /* The first row that fails is told, and nothing is written. */
            memset(scores, 7, sizeof scores);
            for (size_t k = 0; k < 3; ++k) {
                kept[k] = m->values[bad[k]];
                m->values[bad[k]] = NAN;
            }
            assert_starts(more, SL_ERROR_INVALID_DATA,
                          sl_model_scores_csr(model, ROWS, m->pointers, m->indices, m->values, scores, numbers, &error));
            assert_int_equal(error.row, 9000);
            for (size_t k = 0; k < sizeof scores; ++k) assert_int_equal(((unsigned char*)scores)[k], 7);
            for (size_t k = 0; k < 3; ++k) m->values[bad[k]] = kept[k];
        }
        /* Many classes make few rows worth it; pointers that are wrong are refused before they are believed. */
        assert_starts(several ? 2 : 0, SL_OK, sl_model_scores_rows(model, data, 0, 2500, scores, numbers, &error));
        m->pointers[0] = INT64_MIN;
        assert_status(SL_ERROR_INVALID_ARGUMENT,
                      sl_model_scores_csr(model, ROWS, m->pointers, m->indices, m->values, scores, numbers, &error));
        sl_model_free(model);
        sl_dataset_free(data);
        free(m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_predict_from_one_model),
        cmocka_unit_test(models_are_trained_side_by_side),
        cmocka_unit_test(scoring_in_threads_changes_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
