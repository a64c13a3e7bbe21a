/* Threads: many predict from one model, and models of their own are trained side by side. */
#include <pthread.h>

#include "helpers.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_predict_from_one_model),
        cmocka_unit_test(models_are_trained_side_by_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
