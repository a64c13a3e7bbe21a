/* Where weights live: dense, hash and auto give the same bits, and memory is what it should be. */
#include "memory_limit.h"

static const char* const storages[] = {"dense", "hash", "auto"};

static const char* const configurations[][16] = {
    {NULL},
    {"average", "none", "l1", "0.002", "l2", "0.01", "schedule", "constant", "eta0", "0.3"},
    {"average", "uniform", "l1", "0.01", "l2", "0.5", "schedule", "constant", "eta0", "1", "update", "sgd"},
    {"update", "fobos", "l1", "0.02", "loss", "hinge", "average", "polynomial", "average_start", "30"},
    {"update", "truncated_gradient", "gravity", "0.02", "period", "3", "theta", "0.2", "schedule", "constant", "eta0", "0.2"},
    {"update", "rounding", "theta", "0.02", "period", "7", "average", "uniform", "loss", "squared_hinge"},
    {"loss", "squared", "average_start", "auto", "l2", "0.1", "schedule", "inverse_lambda"},
    {"center", "true", "normalize", "l2"},
    {"scale", "max_abs", "l1", "0.01"},
};
enum { CONFIGURATIONS = sizeof configurations / sizeof *configurations };

static sl_model* stored(size_t configuration, size_t storage) {
    sl_model* model = NULL;
    sl_options* options = options_from(configurations[configuration]);
    assert_ok(sl_options_set(options, "storage", storages[storage], &error));
    assert_ok(sl_model_create(options, &model, &error));
    sl_options_free(options);
    return model;
}

/* Indices far apart at times, so that auto has reason to change its mind, and features come and go. */
static void check_storages(uint32_t dimension, uint32_t later_dimension) {
    sample s;
    for (size_t c = 0; c < CONFIGURATIONS; ++c) {
        sl_model* models[3];
        for (size_t k = 0; k < 3; ++k) {
            models[k] = stored(c, k);
            fill_sample(&s, 400, dimension, 1);
            for (size_t r = 0; r < 400 && c + 2 >= CONFIGURATIONS; ++r)
                assert_ok(sl_model_observe(models[k], s.indices + s.pointers[r], s.values + s.pointers[r], row_count(&s, r), 1, &error));
            feed_rows(models[k], &s, 0, 400);
            if (k == 1) assert_ok(sl_model_finalize(models[k], &error));
            fill_sample(&s, 400, later_dimension, 2);
            feed_rows(models[k], &s, 0, 400);
            if (k > 0) assert_same_models(models[0], models[k]);
            for (size_t r = 0; r < 400 && k > 0; ++r) assert_bits(score_of(models[0], &s, r), score_of(models[k], &s, r));
        }
        for (size_t k = 0; k < 3; ++k) sl_model_free(models[k]);
    }
}

static void storage_changes_no_bit(void** state) {
    (void)state;
    check_storages(50, 50);
    check_storages(60, 20000);
    check_storages(200000, 60);
}

static void the_last_index_is_cheap(void** state) {
    const uint32_t last = 4294967295u;
    (void)state;
    for (size_t k = 1; k < 3; ++k) {
        uint64_t bytes = 0, dimension = 0;
        double weight = 0, score = 0;
        sl_model* model = new_model("storage", storages[k]);
        assert_ok(sl_model_feed(model, &last, NULL, 1, 1, 1, &error));
        assert_ok(sl_model_memory(model, &bytes, &error));
        assert_in_range(bytes, 16, 1000000);
        assert_ok(sl_model_dimension(model, &dimension, &error));
        assert_true(dimension == 4294967296u);
        assert_ok(sl_model_weight(model, last, &weight, &error));
        assert_true(weight > 0);
        assert_ok(sl_model_finalize(model, &error));
        assert_ok(sl_model_predict(model, &last, NULL, 1, &score, &error));
        assert_true(score > weight);
        assert_ok(sl_model_memory(model, &bytes, &error));
        assert_in_range(bytes, 16, 1000000);
        sl_model_free(model);
    }
}

static void the_last_index_can_be_observed(void** state) {
    const uint32_t last = 4294967295u;
    const double value = 4;
    double weight = 0, scaled = 0;
    uint64_t bytes = 0;
    sl_model* model =
        new_model("scale", "rms", "loss", "squared", "schedule", "constant", "eta0", "0.5", "l2", "0", "average", "none", "bias", "false");
    (void)state;
    assert_ok(sl_model_observe(model, &last, &value, 1, 1, &error));
    assert_ok(sl_model_feed(model, &last, &value, 1, 1, 1, &error));
    assert_ok(sl_model_weight(model, last, &weight, &error));
    assert_ok(sl_model_predict(model, &last, &value, 1, &scaled, &error));
    assert_near(weight, 0.125, 1e-15);
    assert_near(scaled, 0.5, 1e-15);
    assert_ok(sl_model_memory(model, &bytes, &error));
    assert_in_range(bytes, 16, 1000000);
    sl_model_free(model);
}

/* 64 GB that no test machine should have; sanitizers end the program where an allocator would say no. */
static void dense_storage_says_when_memory_is_short(void** state) {
#if SANITIZED
    (void)state;
    skip();
#else
    const uint32_t last = 4294967295u, small = 3;
    sample s;
    snapshot before;
    sl_model *model = new_model("storage", "dense"), *twin = new_model("storage", "dense");
    (void)state;
    fill_sample(&s, 100, 60, 3);
    feed_rows(model, &s, 0, 50);
    feed_rows(twin, &s, 0, 50);
    before = snapshot_of(model);
    assert_status(SL_ERROR_OUT_OF_MEMORY, sl_model_feed(model, &last, NULL, 1, 1, 1, &error));
    assert_message("storage is dense, and an array over 4294967296 features takes 68719476736 bytes");
    assert_unchanged(model, &before);
    assert_ok(sl_model_feed(model, &small, NULL, 1, 1, 0, &error));
    feed_rows(model, &s, 50, 100);
    feed_rows(twin, &s, 50, 100);
    assert_same_models(model, twin);
    snapshot_free(&before);
    sl_model_free(model);
    sl_model_free(twin);
#endif
}

static void memory_counts_what_is_stored(void** state) {
    (void)state;
    for (size_t k = 0; k < 3; ++k) {
        enum { FEATURES = 100000 };
        uint64_t empty = 0, full = 0;
        sl_model* model = new_model("storage", storages[k]);
        assert_ok(sl_model_memory(model, &empty, &error));
        assert_in_range(empty, 16, 1000000);
        for (uint32_t i = 0; i < FEATURES; i += 4) {
            const uint32_t indices[] = {i, i + 1, i + 2, i + 3};
            assert_ok(sl_model_feed(model, indices, NULL, 4, i % 8 ? 1 : -1, 1, &error));
        }
        assert_ok(sl_model_memory(model, &full, &error));
        /* 16 bytes a dense feature, at most 48 a stored one, and up to twice that just after growing. */
        assert_in_range(full, 16 * FEATURES, 100 * FEATURES);
        sl_model_free(model);
    }
}

/* One in six features, for which auto takes an array, until there is no memory for it: 12 million times 16 bytes beside the array before,
   where there are 250 MB; of what predicts 12 million times 8. */
static void a_table_does_where_an_array_does_not_fit(void** state) {
    enum { ROWS = 2000, LENGTH = 1000 };
    static uint32_t indices[LENGTH];
    sl_model* models[2] = {NULL, NULL};
    (void)state;
    if (!HAS_MEMORY_LIMIT || WATCHED || SL_EMULATED) skip(); /* of an emulated process there is no limit */
    const uint64_t before = memory_limit();
    for (int k = 0; k < 2; ++k) {
        sl_status status = SL_OK;
        models[k] = new_model("storage", k ? "auto" : "hash");
        set_memory_limit(250 << 20);
        for (uint32_t r = 0; r < ROWS && status == SL_OK; ++r) {
            for (uint32_t j = 0; j < LENGTH; ++j) indices[j] = 6 * (LENGTH * r + j);
            status = sl_model_feed(models[k], indices, NULL, LENGTH, r % 2 ? 1 : -1, 1, &error);
        }
        set_memory_limit(before);
        assert_ok(status);
    }
    assert_same_models(models[0], models[1]);
    for (int k = 0; k < 2; ++k) {
        uint64_t trained = 0, bytes = 0;
        assert_ok(sl_model_memory(models[k], &trained, &error));
        set_memory_limit(250 << 20);
        const sl_status status = sl_model_finalize(models[k], &error);
        set_memory_limit(before);
        assert_ok(status);
        assert_ok(sl_model_memory(models[k], &bytes, &error));
        assert_in_range(bytes - trained, 8 * ROWS * LENGTH, 50 << 20);
    }
    assert_same_models(models[0], models[1]);
    for (int k = 0; k < 2; ++k) sl_model_free(models[k]);
}

enum { MOST = 3000, ROW = 20 };

static int option_is(const sl_model* model, const char* name, const char* value) {
    char text[8];
    size_t length = 0;
    assert_ok(sl_model_option(model, name, text, sizeof text, &length, &error));
    return strcmp(text, value) == 0;
}

/* No store of a model takes an array that its features do not fill by an eighth: all of a model is within 4 KB and so many bytes a
   feature as the header says, which are more where births are stored, or numbers of several classes. */
static void assert_small(const sl_model* model, uint32_t features, const char* when) {
    const int hash = option_is(model, "storage", "hash"), births = option_is(model, "sparse_average", "true");
    uint64_t bytes = 0, least = 4096, most = hash ? (births ? 144 : 128) : (births ? 400 : 336);
    size_t classes = 0;
    assert_ok(sl_model_classes(model, &classes, &error));
    if (classes > 2) {
        least += (1 << 19) + 200 * classes;
        most += (births ? 32 : 24) * classes;
    }
    assert_ok(sl_model_memory(model, &bytes, &error));
    if (bytes > most * features + least)
        fail_msg("%s, %zu classes: %llu bytes for %u features", when, classes, (unsigned long long)bytes, features);
}

/* Rows of up to 20 of the features, which are 0, gap, 2 gap and so on, twice over, the last ones first, since then a late index is no
   surprise to an array. */
static void train(sl_model* model, uint32_t features, uint32_t gap, int fits, int observes) {
    static uint32_t indices[2 * MOST + ROW];
    static double values[2 * MOST + ROW], labels[2 * MOST];
    static int64_t pointers[2 * MOST + 1];
    const uint32_t length = features < ROW ? features : ROW;
    size_t rows = 0;
    for (uint32_t at = 0; at < 2 * features; at += length, ++rows) {
        const uint32_t first = at < features ? (features - 1 - at) / length * length : at % features;
        for (uint32_t j = 0; j < length; ++j) {
            indices[rows * length + j] = (first + j) % features * gap;
            values[rows * length + j] = 1 + (double)(j % 3);
        }
        labels[rows] = (double)(rows % 2);
        pointers[rows + 1] = (int64_t)((rows + 1) * length);
    }
    if (fits) {
        sl_dataset* data = NULL;
        assert_ok(sl_dataset_from_csr(rows, pointers, indices, values, labels, NULL, &data, &error));
        assert_ok(sl_model_fit(model, data, NULL, NULL, &error));
        sl_dataset_free(data);
        return;
    }
    for (size_t r = 0; r < rows && observes; ++r)
        assert_ok(sl_model_observe(model, indices + r * length, values + r * length, length, 1, &error));
    assert_ok(sl_model_feed_csr(model, rows, pointers, indices, values, labels, NULL, NULL, &error));
}

static void memory_follows_the_features_seen(void** state) {
    static const char* const options[][16] = {
        {NULL},
        {"storage", "hash"},
        {"center", "true", "scale", "rms"},
        {"center", "true", "scale", "rms", "storage", "hash"},
        {"scale", "rms"},
        {"scale", "rms", "l1", "0.001", "sparse_average", "true"},
        {"scale", "rms", "l1", "0.001", "sparse_average", "true", "storage", "hash"},
        {"average", "none", "l1", "0.001"},
        {"update", "truncated_gradient", "gravity", "0.001", "theta", "1"},
        {"classes", "40"},
        {"classes", "40", "scale", "rms", "storage", "hash", "l1", "0.001", "sparse_average", "true"},
    };
    static const uint32_t counts[] = {1, 2, 7, 50, 200, 1000, MOST}, gaps[] = {1, 2, 3, 7, 8, 9, 500, 1000000};
    (void)state;
    for (size_t o = 0; o < sizeof options / sizeof *options; ++o)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c)
            for (size_t g = 0; g < sizeof gaps / sizeof *gaps; ++g)
                for (int fits = 0; fits < 2; ++fits) {
                    unsigned char* bytes = NULL;
                    size_t size = 0;
                    sl_model* model = model_from(options[o]);
                    assert_small(model, 0, "new");
                    train(model, counts[c], gaps[g], fits, (o >= 2 && o <= 6) || o == 10);
                    assert_small(model, counts[c], "trained");
                    assert_ok(sl_model_finalize(model, &error));
                    assert_small(model, counts[c], "finalized");
                    for (int keep = 0; keep < 2; ++keep) {
                        sl_model* loaded = NULL;
                        assert_ok(sl_model_to_bytes(model, (sl_keep)keep, NULL, 0, &size, &error));
                        bytes = malloc(size);
                        assert_non_null(bytes);
                        assert_ok(sl_model_to_bytes(model, (sl_keep)keep, bytes, size, &size, &error));
                        assert_ok(sl_model_from_bytes(bytes, size, &loaded, &error));
                        free(bytes);
                        assert_small(loaded, counts[c], keep ? "loaded predictor" : "loaded");
                        assert_ok(sl_model_finalize(loaded, &error));
                        assert_small(loaded, counts[c], "loaded and finalized");
                        sl_model_free(loaded);
                    }
                    sl_model_free(model);
                }
}

/* An array costs half of a table where every feature is in use. */
static void a_full_array_is_taken(void** state) {
    (void)state;
    for (int fits = 0; fits < 2; ++fits) {
        uint64_t bytes = 0;
        sl_model* model = new_model("scale", "none", "average", "none");
        train(model, MOST, 1, fits, 0);
        assert_ok(sl_model_memory(model, &bytes, &error));
        assert_in_range(bytes, 16 * MOST, 16 * MOST + (fits ? 4096 : 2 * MOST + 4096));
        sl_model_free(model);
    }
}

/* Of several classes an array has a number of four bytes a feature, and blocks of those seen alone. */
static void an_array_of_several_classes_has_what_is_seen(void** state) {
    (void)state;
    for (int fits = 0; fits < 2; ++fits) {
        enum { GAP = 300000 };
        uint64_t bytes = 0;
        sl_model* model = new_model("scale", "none", "storage", "dense", "classes", "3");
        train(model, 2, GAP, fits, 0);
        assert_ok(sl_model_memory(model, &bytes, &error));
        assert_in_range(bytes, 4 * GAP, 6 * GAP + (1 << 18));
        sl_model_free(model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(storage_changes_no_bit),
        cmocka_unit_test(the_last_index_is_cheap),
        cmocka_unit_test(the_last_index_can_be_observed),
        cmocka_unit_test(dense_storage_says_when_memory_is_short),
        cmocka_unit_test(memory_counts_what_is_stored),
        cmocka_unit_test(memory_follows_the_features_seen),
        cmocka_unit_test(a_table_does_where_an_array_does_not_fit),
        cmocka_unit_test(a_full_array_is_taken),
        cmocka_unit_test(an_array_of_several_classes_has_what_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
