/* Keeping models: as bytes and as files, all of them or their predictor alone. */
#include <errno.h>
#include <sys/stat.h>

#include "keeping.h"

/* Models of all kinds, some rows into their training. */
static const char* const kinds[][14] = {
    {NULL},
    {"l1", "1e-3", "l2", "1e-3", "storage", "hash"},
    {"loss", "hinge", "l1", "1e-2", "average", "uniform", "average_start", "20", "storage", "dense"},
    {"loss", "squared", "center", "true", "scale", "max_abs", "l2", "1e-3"},
    {"loss", "squared_hinge", "update", "truncated_gradient", "gravity", "1e-2", "theta", "0.2", "period", "3"},
    {"loss", "quantile", "quantile", "0.9", "normalize", "l2", "scale", "none", "clip_max", "0.5"},
    {"preset", "dekel-asgd", "l2", "0.01", "bias_regularized", "false"},
    {"preset", "xu-asgd", "average_start", "auto", "seed", "18446744073709551615"},
    {"update", "rounding", "theta", "0.01", "period", "10", "average", "none"},
};
enum { KINDS = sizeof kinds / sizeof *kinds, DIMENSION = 50 };

static sl_model* new_trained(size_t kind, size_t rows) {
    sample s;
    sl_model* model = model_from(kinds[kind]);
    fill_sample(&s, 200, DIMENSION, kind);
    for (size_t r = 100; r < 200; ++r)
        (void)sl_model_observe(model, s.indices + s.pointers[r], s.values + s.pointers[r], row_count(&s, r), 1, NULL);
    feed_rows(model, &s, 0, rows);
    return model;
}

static void assert_same_options(const sl_model* a, const sl_model* b) {
    for (size_t i = 0; i < sl_option_count(); ++i) {
        const char* name = NULL;
        char of_a[64], of_b[64];
        size_t length = 0;
        assert_ok(sl_option_describe(i, &name, NULL, NULL, NULL, &error));
        assert_ok(sl_model_option(a, name, of_a, sizeof of_a, &length, &error));
        assert_true(length <= sizeof of_a);
        assert_ok(sl_model_option(b, name, of_b, sizeof of_b, &length, &error));
        assert_true(length <= sizeof of_b);
        assert_string_equal(of_a, of_b);
    }
}

static void assert_same_answers(const sl_model* a, const sl_model* b) {
    sample s;
    fill_sample(&s, 100, 2 * DIMENSION, 77);
    for (size_t r = 0; r < s.rows; ++r) {
        const double of_a = score_of(a, &s, r), of_b = score_of(b, &s, r);
        double answer_a[3] = {0}, answer_b[3] = {0};
        sl_error ignored;
        assert_bits(of_a, of_b);
        assert_int_equal(sl_model_probability(a, of_a, answer_a, &ignored), sl_model_probability(b, of_b, answer_b, &ignored));
        assert_int_equal(sl_model_label(a, of_a, answer_a + 1, &ignored), sl_model_label(b, of_b, answer_b + 1, &ignored));
        assert_memory_equal(answer_a, answer_b, sizeof answer_a);
    }
}

static void assert_same_labels(const sl_model* a, const sl_model* b) {
    double of_a[2] = {0}, of_b[2] = {0};
    assert_int_equal(sl_model_labels(a, of_a, of_a + 1, NULL), sl_model_labels(b, of_b, of_b + 1, NULL));
    assert_memory_equal(of_a, of_b, sizeof of_a);
}

static void a_kept_model_is_the_same_model(void** state) {
    (void)state;
    for (size_t kind = 0; kind < KINDS; ++kind)
        for (size_t rows = 0; rows <= 90; rows += 45)
            for (int keep = SL_KEEP_EVERYTHING; keep <= SL_KEEP_PREDICTOR; ++keep) {
                sl_model* model = new_trained(kind, rows);
                bytes kept = bytes_of(model, (sl_keep)keep);
                sl_model* loaded = model_of(kept);
                assert_same_models(model, loaded);
                assert_same_options(model, loaded);
                assert_same_labels(model, loaded);
                assert_same_answers(model, loaded);
                assert_ok(sl_model_finalize(loaded, &error));
                assert_same_models(model, loaded);
                assert_same_answers(model, loaded);
                sl_model_free(loaded);
                sl_model_free(model);
                free(kept.data);
            }
}

static void kept_again_it_gives_the_same_bytes(void** state) {
    (void)state;
    for (size_t kind = 0; kind < KINDS; ++kind) {
        sl_model* model = new_trained(kind, 70);
        bytes everything = bytes_of(model, SL_KEEP_EVERYTHING), predictor = bytes_of(model, SL_KEEP_PREDICTOR);
        sl_model *loaded = model_of(everything), *small = model_of(predictor), *copy = NULL;
        bytes again = bytes_of(small, SL_KEEP_PREDICTOR);
        assert_same_bytes(predictor, again);
        free(again.data);
        assert_same_kept(model, loaded);
        assert_ok(sl_model_finalize(model, &error));
        assert_ok(sl_model_finalize(small, &error));
        assert_same_kept(model, loaded);
        assert_ok(sl_model_clone(small, &copy, &error));
        again = bytes_of(copy, SL_KEEP_PREDICTOR);
        assert_same_bytes(predictor, again);
        free(again.data);
        free(predictor.data);
        free(everything.data);
        sl_model_free(copy);
        sl_model_free(small);
        sl_model_free(loaded);
        sl_model_free(model);
    }
}

static void a_file_holds_the_bytes(void** state) {
    const folder f = new_folder();
    (void)state;
    for (size_t kind = 0; kind < KINDS; ++kind)
        for (int keep = SL_KEEP_EVERYTHING; keep <= SL_KEEP_PREDICTOR; ++keep) {
            sl_model *model = new_trained(kind, 70), *loaded = NULL;
            bytes expected = bytes_of(model, (sl_keep)keep), written, again;
            assert_ok(sl_model_save(model, (sl_keep)keep, path_in(&f, "model"), &error)); /* over the one before */
            written = read_bytes(path_in(&f, "model"));
            assert_same_bytes(expected, written);
            assert_ok(sl_model_load(path_in(&f, "model"), &loaded, &error));
            again = bytes_of(loaded, (sl_keep)keep);
            assert_same_bytes(expected, again);
            free(again.data);
            free(written.data);
            free(expected.data);
            sl_model_free(loaded);
            sl_model_free(model);
        }
    assert_int_equal(count_files(&f, 0), 1);
    remove_folder(&f);
}

static void bytes_are_had_by_calling_twice(void** state) {
    sl_model* model = new_trained(1, 50);
    bytes expected = bytes_of(model, SL_KEEP_EVERYTHING), room = new_bytes(expected.size + 8), untouched = new_bytes(expected.size + 8);
    size_t length = 0;
    (void)state;
    memset(untouched.data, 0xaa, untouched.size);
    memset(room.data, 0xaa, room.size);
    assert_ok(sl_model_to_bytes(model, SL_KEEP_EVERYTHING, room.data, expected.size - 1, &length, &error));
    assert_int_equal(length, expected.size);
    assert_same_bytes(room, untouched);
    length = 0;
    assert_ok(sl_model_to_bytes(model, SL_KEEP_EVERYTHING, room.data, room.size, &length, &error));
    assert_int_equal(length, expected.size);
    assert_memory_equal(room.data, expected.data, expected.size);
    assert_memory_equal(room.data + expected.size, untouched.data, 8);
    free(untouched.data);
    free(room.data);
    free(expected.data);
    sl_model_free(model);
}

/* How many threads read text is up to the machine. */
static void the_number_of_threads_is_not_kept(void** state) {
    sl_model* model = new_model("threads", "7", "l1", "0.25");
    (void)state;
    for (int keep = SL_KEEP_EVERYTHING; keep <= SL_KEEP_PREDICTOR; ++keep) {
        bytes kept = bytes_of(model, (sl_keep)keep);
        sl_model* loaded = model_of(kept);
        char value[2][32];
        size_t length = 0;
        assert_ok(sl_model_option(loaded, "threads", value[0], sizeof value[0], &length, &error));
        assert_ok(sl_model_option(loaded, "l1", value[1], sizeof value[1], &length, &error));
        assert_string_equal(value[0], "1");
        assert_string_equal(value[1], "0.25");
        free(kept.data);
        sl_model_free(loaded);
    }
    sl_model_free(model);
}

static void a_predictor_is_final(void** state) {
    sample s;
    (void)state;
    fill_sample(&s, 50, DIMENSION, 5);
    for (size_t kind = 0; kind < KINDS; ++kind)
        for (size_t rows = 0; rows <= 40; rows += 40) {
            sl_model* model = new_trained(kind, rows);
            bytes kept = bytes_of(model, SL_KEEP_PREDICTOR), again;
            sl_model* loaded = model_of(kept);
            sl_dataset* data = dataset_of(&s);
            double value = 0;
            size_t size = 0, done = 7;
            assert_status(SL_ERROR_STATE, feed_row(loaded, &s, 0));
            assert_message("predictor");
            assert_status(SL_ERROR_STATE, sl_model_feed(loaded, NULL, NULL, 0, 1, 0, &error));
            assert_status(SL_ERROR_STATE, sl_model_observe(loaded, s.indices, s.values, row_count(&s, 0), 1, &error));
            assert_status(SL_ERROR_STATE,
                          sl_model_feed_csr(loaded, s.rows, s.pointers, s.indices, s.values, s.labels, s.weights, &done, &error));
            assert_int_equal(done, 0);
            assert_status(SL_ERROR_STATE, sl_model_feed_dataset(loaded, data, NULL, &error));
            assert_status(SL_ERROR_STATE, sl_model_fit(loaded, data, NULL, NULL, &error));
            assert_status(SL_ERROR_STATE, sl_model_evaluate(loaded, data, "objective", &value, &error));
            assert_status(SL_ERROR_STATE, sl_model_to_bytes(loaded, SL_KEEP_EVERYTHING, NULL, 0, &size, &error));
            assert_message("predictor");
            again = bytes_of(loaded, SL_KEEP_PREDICTOR);
            assert_same_bytes(kept, again);
            free(again.data);
            free(kept.data);
            sl_dataset_free(data);
            sl_model_free(loaded);
            sl_model_free(model);
        }
}

/* A thousand weights, spread over all indices there are, from some 100,000 features seen. */
static sl_model* new_sparse(const char* storage) {
    uint64_t random = 3;
    sl_model* model = new_model("storage", storage, "loss", "hinge", "l1", "1e-4", "eta0", "1", "average", "none", "schedule", "constant");
    for (int r = 0; r < 10000; ++r) {
        uint32_t indices[10];
        for (int k = 0; k < 10; ++k) indices[k] = (uint32_t)(next_random(&random) >> 32);
        assert_ok(sl_model_feed(model, indices, NULL, 10, r % 2 ? 1 : -1, 1e-3, &error));
    }
    for (int r = 0; r < 100; ++r) {
        uint32_t indices[10];
        for (uint32_t k = 0; k < 10; ++k) indices[k] = (uint32_t)(next_random(&random) >> 32);
        if (r == 0) indices[0] = UINT32_MAX;
        assert_ok(sl_model_feed(model, indices, NULL, 10, r % 2 ? 1 : -1, 1, &error));
    }
    return model;
}

static void size_follows_the_weights(void** state) {
    const char* const storages[] = {"hash", "auto"};
    const folder f = new_folder();
    (void)state;
    for (int i = 0; i < 2; ++i) {
        sl_model *model = new_sparse(storages[i]), *loaded = NULL;
        uint64_t memory = 0, dimension = 0;
        size_t nonzeros = 0;
        struct stat file;
        assert_ok(sl_model_nonzeros(model, NULL, NULL, 0, &nonzeros, &error));
        assert_in_range(nonzeros, 900, 1000);
        assert_ok(sl_model_dimension(model, &dimension, &error));
        assert_true(dimension == (uint64_t)1 << 32);
        assert_ok(sl_model_memory(model, &memory, &error));
        assert_true(memory > 1000000);
        assert_ok(sl_model_save(model, SL_KEEP_PREDICTOR, path_in(&f, "small"), &error));
        assert_int_equal(stat(path_in(&f, "small"), &file), 0);
        assert_in_range(file.st_size, 12 * nonzeros, 20999);
        assert_ok(sl_model_load(path_in(&f, "small"), &loaded, &error));
        assert_same_models(model, loaded);
        assert_ok(sl_model_memory(loaded, &memory, &error));
        assert_in_range(memory, 8 * nonzeros, 20999);
        sl_model_free(loaded);
        sl_model_free(model);
    }
    remove_folder(&f);
}

/* Features whose values are all 1 have factors of 1, which nobody stores; those of 2 take a double each. */
static void factors_of_1_are_not_kept(void** state) {
    enum { FEATURES = 300 };
    static const char* const storages[] = {"dense", "hash", "auto"};
    (void)state;
    for (int i = 0; i < 3; ++i) {
        bytes kept[2];
        for (int two = 0; two < 2; ++two) {
            sl_model *model = new_model("scale", "rms", "storage", storages[i]), *loaded;
            const double value = two ? 2 : 1;
            for (uint32_t j = 0; j < FEATURES; ++j) assert_ok(sl_model_observe(model, &j, &value, 1, 1, &error));
            for (uint32_t j = 0; j < FEATURES; ++j) assert_ok(sl_model_feed(model, &j, &value, 1, j % 2 ? 1 : -1, 1, &error));
            kept[two] = bytes_of(model, SL_KEEP_EVERYTHING);
            loaded = model_of(kept[two]);
            assert_same_kept(model, loaded);
            for (uint32_t j = 0; j < FEATURES; ++j) {
                assert_ok(sl_model_feed(model, &j, NULL, 1, -1, 1, &error));
                assert_ok(sl_model_feed(loaded, &j, NULL, 1, -1, 1, &error));
            }
            assert_same_kept(model, loaded);
            sl_model_free(model);
            sl_model_free(loaded);
        }
        assert_int_equal(kept[1].size - kept[0].size, 8 * FEATURES);
        for (int two = 0; two < 2; ++two) free(kept[two].data);
    }
}

/* What the array of a dense model would take, loading does not: only training on asks for it. */
static void a_dense_model_of_few_weights_is_small_too(void** state) {
    sl_model* model = new_model("storage", "dense");
    uint64_t memory = 0;
    (void)state;
    assert_ok(sl_model_feed(model, &(uint32_t){5000000}, NULL, 1, 1, 1, &error));
    for (int keep = SL_KEEP_EVERYTHING; keep <= SL_KEEP_PREDICTOR; ++keep) {
        bytes kept = bytes_of(model, (sl_keep)keep);
        sl_model* loaded = model_of(kept);
        assert_ok(sl_model_memory(loaded, &memory, &error));
        assert_true(memory < 20000);
        assert_same_models(model, loaded);
        sl_model_free(loaded);
        free(kept.data);
    }
    sl_model_free(model);
}

static void labels_of_a_data_set_are_kept(void** state) {
    sample s;
    (void)state;
    fill_sample(&s, 100, DIMENSION, 8);
    for (size_t r = 0; r < s.rows; ++r) s.labels[r] = s.labels[r] > 0 ? 7.25 : 3;
    for (int keep = SL_KEEP_EVERYTHING; keep <= SL_KEEP_PREDICTOR; ++keep) {
        sl_dataset* data = dataset_of(&s);
        sl_model *model = new_model(NULL), *loaded = NULL;
        double smaller = 0, larger = 0, label = 0, error_rate = 0, error_rate_before = 1;
        bytes kept;
        assert_ok(sl_model_fit(model, data, NULL, NULL, &error));
        kept = bytes_of(model, (sl_keep)keep);
        loaded = model_of(kept);
        assert_ok(sl_model_labels(loaded, &smaller, &larger, &error));
        assert_true(smaller == 3 && larger == 7.25);
        assert_ok(sl_model_label(loaded, 0.1, &label, &error));
        assert_true(label == 7.25);
        assert_ok(sl_model_evaluate(model, data, "error_rate", &error_rate_before, &error));
        assert_ok(sl_model_evaluate(loaded, data, "error_rate", &error_rate, &error));
        assert_bits(error_rate, error_rate_before);
        free(kept.data);
        sl_model_free(loaded);
        sl_model_free(model);
        sl_dataset_free(data);
    }
}

static void what_cannot_be_kept_or_read_is_said(void** state) {
    sl_model *model = new_model(NULL), *out = NULL;
    size_t length = 7;
    char byte = 0;
    const folder f = new_folder();
    (void)state;
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_model_to_bytes(model, (sl_keep)2, NULL, 0, &length, &error));
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_model_to_bytes(model, SL_KEEP_PREDICTOR, NULL, 1, &length, &error));
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_model_to_bytes(model, SL_KEEP_PREDICTOR, &byte, 1, NULL, &error));
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_model_to_bytes(NULL, SL_KEEP_PREDICTOR, &byte, 1, &length, &error));
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_model_save(model, (sl_keep)-1, path_in(&f, "model"), &error));
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_model_save(model, SL_KEEP_PREDICTOR, NULL, &error));
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_model_save(NULL, SL_KEEP_PREDICTOR, path_in(&f, "model"), &error));
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_model_load(NULL, &out, &error));
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_model_load(path_in(&f, "model"), NULL, &error));
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_model_from_bytes(NULL, 1, &out, &error));
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_model_from_bytes(&byte, 1, NULL, &error));
    assert_status(SL_ERROR_IO, sl_model_load(path_in(&f, "none"), &out, &error));
    assert_int_equal(errno, ENOENT);
    assert_message(f.path);
    assert_message("No such file");
    assert_status(SL_ERROR_IO, sl_model_load(f.path, &out, &error));
    assert_int_equal(errno, EISDIR);
    assert_message("directory");
    assert_null(out);
    assert_int_equal(length, 7);
    assert_int_equal(byte, 0);
    assert_int_equal(count_files(&f, 0), 0);
    remove_folder(&f);
    sl_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kept_model_is_the_same_model),
        cmocka_unit_test(kept_again_it_gives_the_same_bytes),
        cmocka_unit_test(a_file_holds_the_bytes),
        cmocka_unit_test(bytes_are_had_by_calling_twice),
        cmocka_unit_test(the_number_of_threads_is_not_kept),
        cmocka_unit_test(a_predictor_is_final),
        cmocka_unit_test(size_follows_the_weights),
        cmocka_unit_test(factors_of_1_are_not_kept),
        cmocka_unit_test(a_dense_model_of_few_weights_is_small_too),
        cmocka_unit_test(labels_of_a_data_set_are_kept),
        cmocka_unit_test(what_cannot_be_kept_or_read_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
