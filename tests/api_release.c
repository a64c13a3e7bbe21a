/* Models that earlier releases wrote are loaded for ever, and go on as they would have then (data/README.md). */
#include <stdio.h>

#include "golden_model.h"
#include "keeping.h"

static void load_scores(double* scores) {
    FILE* file = fopen(SL_TEST_DATA "/model-1.0.scores", "r");
    char line[64];
    assert_non_null(file);
    for (int r = 0; r < GOLDEN_PROBES; ++r) {
        assert_non_null(fgets(line, sizeof line, file));
        scores[r] = strtod(line, NULL);
    }
    assert_null(fgets(line, sizeof line, file));
    fclose(file);
}

static sl_model* load(const char* path) {
    sl_model* model = NULL;
    assert_ok(sl_model_load(path, &model, &error));
    return model;
}

static void predictions_are_the_same(void** state) {
    const char* const paths[] = {SL_TEST_DATA "/model-1.0.slm", SL_TEST_DATA "/model-1.0-predictor.slm"};
    double expected[GOLDEN_PROBES];
    int different = 0;
    (void)state;
    load_scores(expected);
    for (int r = 1; r < GOLDEN_PROBES; ++r) different += expected[r] != expected[r - 1];
    assert_true(different > 30);
    for (int i = 0; i < 2; ++i) {
        sl_model* model = load(paths[i]);
        double smaller = 0, larger = 0;
        uint64_t steps = 0;
        for (int finalized = 0; finalized < 2; ++finalized) {
            for (uint32_t r = 0; r < GOLDEN_PROBES; ++r) {
                double score = 0;
                assert_ok(golden_score(model, r, &score, &error));
                assert_bits(score, expected[r]);
            }
            assert_ok(sl_model_finalize(model, &error));
        }
        for (size_t k = 0; k < sizeof golden_options / sizeof *golden_options; ++k) {
            char value[64];
            size_t length = 0;
            assert_ok(sl_model_option(model, golden_options[k][0], value, sizeof value, &length, &error));
            assert_string_equal(value, golden_options[k][1]);
        }
        assert_ok(sl_model_labels(model, &smaller, &larger, &error));
        assert_true(smaller == 2 && larger == 5);
        assert_ok(sl_model_steps(model, &steps, &error));
        assert_int_equal(steps, GOLDEN_ROWS);
        sl_model_free(model);
    }
}

static void the_predictor_is_that_of_the_whole(void** state) {
    sl_model *whole = load(SL_TEST_DATA "/model-1.0.slm"), *predictor = load(SL_TEST_DATA "/model-1.0-predictor.slm");
    bytes a = bytes_of(whole, SL_KEEP_PREDICTOR), b = bytes_of(predictor, SL_KEEP_PREDICTOR);
    (void)state;
    assert_same_bytes(a, b);
    assert_same_models(whole, predictor);
    free(a.data);
    free(b.data);
    sl_model_free(whole);
    sl_model_free(predictor);
}

static void training_goes_on_to_the_bit(void** state) {
    sl_model *model = load(SL_TEST_DATA "/model-1.0.slm"), *later = load(SL_TEST_DATA "/model-1.0-later.slm");
    uint64_t steps = 0;
    (void)state;
    assert_ok(golden_go_on(model, &error));
    assert_ok(sl_model_steps(model, &steps, &error));
    assert_int_equal(steps, 3 * GOLDEN_ROWS + 10);
    assert_same_models(model, later);
    assert_same_kept(model, later);
    sl_model_free(model);
    sl_model_free(later);
}

/* From the first row on, too: this version trains as that one did. */
static void training_anew_gives_the_same_model(void** state) {
    sl_model *model = NULL, *golden = load(SL_TEST_DATA "/model-1.0.slm");
    sl_options* options = new_options(NULL);
    (void)state;
    for (size_t k = 0; k < sizeof golden_options / sizeof *golden_options; ++k)
        assert_ok(sl_options_set(options, golden_options[k][0], golden_options[k][1], &error));
    assert_ok(sl_model_create(options, &model, &error));
    assert_status(SL_ERROR_CANCELLED, golden_begin(model, &error));
    assert_same_models(model, golden);
    assert_same_kept(model, golden);
    sl_options_free(options);
    sl_model_free(model);
    sl_model_free(golden);
}

/* As long as this version writes that format, it writes those bytes. */
static void a_format_never_changes(void** state) {
    const char* const paths[] = {SL_TEST_DATA "/model-1.0.slm", SL_TEST_DATA "/model-1.0-later.slm",
                                 SL_TEST_DATA "/model-1.0-predictor.slm"};
    enum { VERSION_AT = 8 };
    (void)state;
    for (int i = 0; i < 3; ++i) {
        sl_model* model = load(paths[i]);
        bytes file = read_bytes(paths[i]), kept = bytes_of(model, i == 2 ? SL_KEEP_PREDICTOR : SL_KEEP_EVERYTHING);
        assert_in_range(kept.data[VERSION_AT], 1, 255);
        if (kept.data[VERSION_AT] == 1) assert_same_bytes(kept, file);
        free(file.data);
        free(kept.data);
        sl_model_free(model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predictions_are_the_same),           cmocka_unit_test(the_predictor_is_that_of_the_whole),
        cmocka_unit_test(training_goes_on_to_the_bit),        cmocka_unit_test(a_format_never_changes),
        cmocka_unit_test(training_anew_gives_the_same_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
