/* sparse_average: the average, but 0 where the last iterate is 0 or was within the last sixteenth of the steps, in all looks at a model and
   in what is kept of it. */
#include "keeping.h"

enum { FEATURES = 60 };

/* The models of the same rows: last iterate, average, and sparse average. */
static void check(const char* update, const char* name, const char* value, const char* theta, const char* storage) {
    sample s;
    fill_sample(&s, 300, FEATURES, 3);
    sl_options* options = new_options("update", update, name, value, "average", "none", "storage", storage, theta ? "theta" : NULL, theta);
    sl_model *last = NULL, *average = NULL, *sparse = NULL, *loaded = NULL;
    assert_ok(sl_model_create(options, &last, &error));
    assert_ok(sl_options_set(options, "average", "polynomial", &error));
    assert_ok(sl_model_create(options, &average, &error));
    assert_ok(sl_options_set(options, "sparse_average", "true", &error));
    assert_ok(sl_model_create(options, &sparse, &error));
    sl_options_free(options);
    int dead[FEATURES] = {0}; /* whether 0 after some step of the last sixteenth */
    for (size_t r = 0; r < s.rows; ++r) {
        feed_row(last, &s, r);
        for (uint32_t j = 0; j < FEATURES; ++j) {
            double w;
            assert_ok(sl_model_weight(last, j, &w, &error));
            dead[j] |= w == 0 && r + 1 >= s.rows - s.rows / 16;
        }
    }
    feed_rows(average, &s, 0, s.rows);
    feed_rows(sparse, &s, 0, s.rows);

    size_t zeros = 0, kept = 0, count = 0;
    for (uint32_t j = 0; j < FEATURES; ++j) {
        double a, w;
        assert_ok(sl_model_weight(average, j, &a, &error));
        assert_ok(sl_model_weight(sparse, j, &w, &error));
        if (strcmp(update, "sgd") == 0 && !dead[j] && w == 0) dead[j] = 1; /* an sgd step may shrink it to 0 and move it again */
        assert_bits(w, dead[j] ? 0 : a);
        zeros += dead[j] && a != 0;
        kept += w != 0;
    }
    assert_true(zeros > 0 && kept > 0);
    assert_ok(sl_model_nonzeros(sparse, NULL, NULL, 0, &count, &error));
    assert_int_equal(count, kept);
    double b, c;
    assert_ok(sl_model_bias(average, &b, &error));
    assert_ok(sl_model_bias(sparse, &c, &error));
    assert_bits(b, c);

    /* A score is made of those weights, before and after it is laid out or kept. */
    bytes predictor = bytes_of(sparse, SL_KEEP_PREDICTOR);
    assert_ok(sl_model_from_bytes(predictor.data, predictor.size, &loaded, &error));
    for (size_t r = 0; r < 20; ++r) {
        double sum = c, score, again;
        for (int64_t k = s.pointers[r]; k < s.pointers[r + 1]; ++k) {
            double w;
            assert_ok(sl_model_weight(sparse, s.indices[k], &w, &error));
            sum += w * s.values[k];
        }
        const uint32_t* indices = s.indices + s.pointers[r];
        const double* values = s.values + s.pointers[r];
        assert_ok(sl_model_predict(sparse, indices, values, row_count(&s, r), &score, &error));
        assert_near(score, sum, 1e-12);
        assert_ok(sl_model_predict(loaded, indices, values, row_count(&s, r), &again, &error));
        assert_bits(score, again);
    }
    assert_ok(sl_model_finalize(sparse, &error));
    assert_ok(sl_model_nonzeros(sparse, NULL, NULL, 0, &count, &error));
    assert_int_equal(count, kept);
    free(predictor.data);
    sl_model* const all[] = {last, average, sparse, loaded};
    for (size_t k = 0; k < 4; ++k) sl_model_free(all[k]);
}

static void every_shrinkage_has_it(void** state) {
    static const char* const storages[] = {"dense", "hash"};
    (void)state;
    for (size_t k = 0; k < 2; ++k) {
        check("sgd", "l1", "0.02", NULL, storages[k]);
        check("fobos", "l1", "0.02", NULL, storages[k]);
        check("truncated_gradient", "gravity", "0.02", NULL, storages[k]);
        check("truncated_gradient", "gravity", "0.02", "0.5", storages[k]);
        check("rounding", "period", "10", "0.05", storages[k]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shrinkage_has_it),
    };
    return cmocka_run_group_tests_name("sparse average", tests, NULL, NULL);
}
