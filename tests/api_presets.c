/* Options together: presets, the combinations that a model refuses, and what a model keeps of them. */
#include <stdio.h>

#include "draw_options.h"

static const char* get(const sl_options* options, const char* name) {
    static char text[256];
    size_t length = 0;
    assert_ok(sl_options_get(options, name, text, sizeof text, &length, &error));
    assert_in_range(length, 1, sizeof text);
    return text;
}

/* A preset, and the options it sets. */
typedef struct preset {
    const char* name;
    const char* pairs[10][2];
} preset;

static const preset presets[] = {
    {"dekel-sgd",
     {{"update", "sgd"}, {"schedule", "inverse_lambda"}, {"bias_regularized", "true"}, {"scale", "none"}, {"average", "none"}}},
    {"dekel-asgd",
     {{"update", "sgd"},
      {"schedule", "inverse_lambda"},
      {"bias_regularized", "true"},
      {"scale", "none"},
      {"average", "uniform"},
      {"average_start", "0"}}},
    {"dekel-casgd",
     {{"update", "sgd"},
      {"schedule", "inverse_lambda"},
      {"bias_regularized", "true"},
      {"scale", "none"},
      {"average", "uniform"},
      {"average_start", "0"},
      {"center", "true"}}},
    {"xu-asgd",
     {{"update", "sgd"}, {"schedule", "xu"}, {"eta0", "auto"}, {"average", "uniform"}, {"average_start", "auto"}, {"scale", "none"}}},
    {"lipton-sgd", {{"update", "sgd"}, {"schedule", "inverse_scaling"}, {"power", "0.5"}, {"average", "none"}, {"scale", "none"}}},
    {"lipton-fobos", {{"update", "fobos"}, {"schedule", "inverse_scaling"}, {"power", "0.5"}, {"average", "none"}, {"scale", "none"}}},
    {"langford-tg",
     {{"update", "truncated_gradient"},
      {"schedule", "constant"},
      {"period", "10"},
      {"storage", "hash"},
      {"scale", "none"},
      {"average", "none"}}},
    {"langford-rounding",
     {{"update", "rounding"}, {"schedule", "constant"}, {"period", "10"}, {"storage", "hash"}, {"scale", "none"}, {"average", "none"}}},
};
enum { PRESETS = sizeof presets / sizeof *presets };

static void presets_set_their_options(void** state) {
    (void)state;
    for (size_t k = 0; k < PRESETS; ++k) {
        sl_options* options = new_options("preset", presets[k].name);
        sl_model* model = NULL;
        for (size_t i = 0; presets[k].pairs[i][0]; ++i) {
            if (strcmp(get(options, presets[k].pairs[i][0]), presets[k].pairs[i][1]) != 0)
                fail_msg("%s sets %s to %s", presets[k].name, presets[k].pairs[i][0], get(options, presets[k].pairs[i][0]));
        }
        if (strcmp(presets[k].name, "langford-rounding") == 0) {
            assert_status(SL_ERROR_INVALID_OPTION, sl_model_create(options, &model, &error));
            assert_message("theta");
            assert_ok(sl_options_set(options, "theta", "0.1", &error));
        }
        assert_ok(sl_model_create(options, &model, &error));
        sl_model_free(model);
        sl_options_free(options);
    }
}

static void options_set_after_a_preset_win(void** state) {
    sl_options* options = new_options("average", "none", "storage", "dense", "preset", "xu-asgd", "eta0", "0.5");
    (void)state;
    assert_string_equal(get(options, "average"), "uniform");
    assert_string_equal(get(options, "storage"), "dense");
    assert_string_equal(get(options, "eta0"), "0.5");
    assert_string_equal(get(options, "average_start"), "auto");
    sl_options_free(options);
}

static void a_preset_trains_as_its_options_do(void** state) {
    sample s;
    (void)state;
    fill_sample(&s, 200, 40, 1);
    for (size_t k = 0; k < PRESETS; ++k) {
        const char* rounding = strcmp(presets[k].name, "langford-rounding") == 0 ? "theta" : NULL;
        sl_options* options = new_options(rounding, "0.05");
        sl_model *a = NULL, *b = NULL;
        for (size_t i = 0; presets[k].pairs[i][0]; ++i)
            assert_ok(sl_options_set(options, presets[k].pairs[i][0], presets[k].pairs[i][1], &error));
        assert_ok(sl_model_create(options, &a, &error));
        b = new_model("preset", presets[k].name, rounding, "0.05");
        for (size_t r = 0; strcmp(presets[k].name, "dekel-casgd") == 0 && r < 50; ++r) {
            assert_ok(sl_model_observe(a, s.indices + s.pointers[r], s.values + s.pointers[r], row_count(&s, r), 1, &error));
            assert_ok(sl_model_observe(b, s.indices + s.pointers[r], s.values + s.pointers[r], row_count(&s, r), 1, &error));
        }
        feed_rows(a, &s, 0, s.rows);
        feed_rows(b, &s, 0, s.rows);
        assert_same_models(a, b);
        sl_model_free(a);
        sl_model_free(b);
        sl_options_free(options);
    }
}

/* Options that a model refuses together, and the two names that its message must hold. */
typedef struct combination {
    const char* pairs[10];
    const char *one, *other;
} combination;

static void refused(const combination* c) {
    sl_options* options = options_from(c->pairs);
    sl_model* model = (sl_model*)options;
    error.status = SL_OK;
    error.message[0] = 0;
    if (sl_model_create(options, &model, &error) != SL_ERROR_INVALID_OPTION || !strstr(error.message, c->one) ||
        !strstr(error.message, c->other))
        fail_msg("%s %s, %s %s: %s", c->pairs[0], c->pairs[1], c->pairs[2], c->pairs[3] ? c->pairs[3] : "", error.message);
    assert_ptr_equal(model, options);
    sl_options_free(options);
}

static void excluded_combinations_are_refused_by_name(void** state) {
    static const combination combinations[] = {
        {{"update", "truncated_gradient", "l1", "0.1"}, "l1", "truncated_gradient"},
        {{"update", "truncated_gradient", "l2", "0.1"}, "l2", "truncated_gradient"},
        {{"update", "truncated_gradient", "l2", "1e-6"}, "l2", "truncated_gradient"},
        {{"update", "rounding", "theta", "1", "l1", "0.1"}, "l1", "rounding"},
        {{"update", "rounding", "theta", "1", "l2", "0.1"}, "l2", "rounding"},
        {{"gravity", "0.1"}, "gravity", "sgd"},
        {{"update", "fobos", "gravity", "0.1"}, "gravity", "fobos"},
        {{"update", "rounding", "theta", "1", "gravity", "0.1"}, "gravity", "rounding"},
        {{"theta", "1"}, "theta", "sgd"},
        {{"theta", "0"}, "theta", "sgd"},
        {{"period", "10"}, "period", "sgd"},
        {{"update", "fobos", "theta", "1"}, "theta", "fobos"},
        {{"update", "fobos", "period", "10"}, "period", "fobos"},
        {{"update", "rounding", "period", "10"}, "rounding", "theta"},
        {{"schedule", "inverse_lambda", "l2", "0"}, "inverse_lambda", "l2"},
        {{"schedule", "inverse_lambda", "update", "fobos", "l2", "0"}, "inverse_lambda", "l2"},
        {{"schedule", "inverse_lambda", "update", "truncated_gradient"}, "inverse_lambda", "l2"},
        {{"schedule", "constant", "eta0", "10", "l2", "0.2"}, "eta0", "l2"},
        {{"schedule", "inverse_scaling", "power", "0.5", "eta0", "2", "l2", "0.8"}, "eta0", "l2"},
        {{"schedule", "xu", "eta0", "10", "l2", "0.5", "decay", "0"}, "eta0", "l2"},
        {{"huber_delta", "2"}, "huber_delta", "log"},
        {{"loss", "squared", "epsilon", "0"}, "epsilon", "squared"},
        {{"loss", "absolute", "quantile", "0.9"}, "quantile", "absolute"},
        {{"schedule", "constant", "power", "0.5"}, "power", "constant"},
        {{"schedule", "inverse_scaling", "decay", "0.1"}, "decay", "inverse_scaling"},
        {{"schedule", "xu", "noise", "0.1"}, "noise", "xu"},
        {{"schedule", "inverse_lambda", "eta0", "0.1"}, "eta0", "inverse_lambda"},
        {{"average", "uniform", "average_power", "2"}, "average_power", "uniform"},
        {{"average", "none", "average_power", "2"}, "average_power", "none"},
        {{"average", "none", "average_start", "10"}, "average_start", "none"},
        {{"average", "none", "average_start", "auto"}, "average_start", "none"},
        {{"average", "none", "sparse_average", "true"}, "sparse_average", "none"},
        {{"bias", "false", "bias_regularized", "true"}, "bias_regularized", "bias"},
        {{"preset", "dekel-sgd", "average_start", "3"}, "average_start", "none"},
        {{"schedule", "adaptive", "eta0", "10", "l2", "0.5", "decay", "0"}, "eta0", "l2"},
        {{"center", "true", "sparse_average", "true"}, "center", "sparse_average"},
        {{"center", "true", "l1", "0.1"}, "center", "l1"},
        {{"center", "true", "update", "fobos", "l1", "0.1"}, "center", "l1"},
        {{"center", "true", "update", "truncated_gradient"}, "center", "truncated_gradient"},
        {{"center", "true", "update", "rounding", "theta", "1"}, "center", "rounding"},
        {{"clip_min", "1", "clip_max", "-1"}, "clip_min", "clip_max"},
        {{"clip_min", "inf"}, "clip_min", "clip_max"},
        {{"clip_max", "-inf"}, "clip_min", "clip_max"},
        {{"preset", "dekel-sgd", "l2", "0"}, "inverse_lambda", "l2"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof combinations / sizeof *combinations; ++k) refused(combinations + k);
}

static void their_neighbours_are_accepted(void** state) {
    static const char* const neighbours[][12] = {
        {"update", "truncated_gradient", "l1", "0", "l2", "0"},
        {"update", "truncated_gradient"},
        {"update", "truncated_gradient", "gravity", "0.1", "period", "3"},
        {"update", "truncated_gradient", "gravity", "0.1", "period", "3", "theta", "0.5"},
        {"update", "rounding", "theta", "0.5", "gravity", "0"},
        {"gravity", "0"},
        {"schedule", "inverse_lambda"},
        {"schedule", "inverse_lambda", "update", "fobos"},
        {"schedule", "constant", "eta0", "10", "l2", "0.09", "noise", "0"},
        {"theta", "inf", "period", "1", "huber_delta", "1", "average", "none", "average_start", "0"},
        {"preset", "langford-tg", "update", "sgd"},
        {"preset", "dekel-sgd", "bias", "false"},
        {"preset", "lipton-sgd", "schedule", "constant"},
        {"schedule", "constant", "update", "fobos", "eta0", "10", "l2", "0.2"},
        {"schedule", "inverse_scaling", "power", "0.5", "eta0", "2", "l2", "0.6"},
        {"schedule", "xu", "eta0", "10", "l2", "0.5", "decay", "1", "power", "1"},
        {"schedule", "constant", "eta0", "auto", "l2", "1000"},
        {"schedule", "adaptive", "decay", "1", "power", "0", "noise", "1", "eta0", "0.1"},
        {"center", "true", "update", "fobos"},
        {"center", "true", "scale", "rms", "normalize", "l2", "l1", "0"},
        {"clip_min", "-1", "clip_max", "1"},
        {"clip_min", "5"},
        {"clip_max", "-5"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof neighbours / sizeof *neighbours; ++k) sl_model_free(model_from(neighbours[k]));
}

static void a_model_keeps_its_own_copy(void** state) {
    sl_options* options = new_options("preset", "xu-asgd", "l1", "0.25", "seed", "18446744073709551615");
    sl_model* model = NULL;
    (void)state;
    assert_ok(sl_model_create(options, &model, &error));
    assert_ok(sl_options_set(options, "l1", "0.5", &error));
    for (size_t i = 0; i < sl_option_count(); ++i) {
        const char* name = NULL;
        char text[256];
        size_t length = 0;
        assert_ok(sl_option_describe(i, &name, NULL, NULL, NULL, &error));
        assert_ok(sl_model_option(model, name, text, sizeof text, &length, &error));
        assert_string_equal(text, strcmp(name, "l1") == 0 ? "0.25" : get(options, name));
    }
    sl_options_free(options);
    sl_model_free(model);
}

/* Whatever a model was made with, read from it and set again, in the table's order, makes the same model. */
static void options_survive_a_round_trip(void** state) {
    sample s;
    (void)state;
    fill_sample(&s, 60, 40, 2);
    for (uint64_t n = 1; n <= 500; ++n) {
        uint64_t random = n;
        sl_model *model = draw_model(&random, NULL), *again = NULL;
        sl_options* options = new_options(NULL);
        for (size_t i = 0; i < sl_option_count(); ++i) {
            const char* name;
            char text[256];
            size_t length;
            assert_ok(sl_option_describe(i, &name, NULL, NULL, NULL, &error));
            assert_ok(sl_model_option(model, name, text, sizeof text, &length, &error));
            assert_ok(sl_options_set(options, name, text, &error));
        }
        assert_ok(sl_model_create(options, &again, &error));
        for (size_t r = 0; r < s.rows; ++r) {
            const sl_status status = feed_row(model, &s, r);
            assert_int_equal(status, feed_row(again, &s, r));
        }
        assert_same_models(model, again);
        sl_options_free(options);
        sl_model_free(model);
        sl_model_free(again);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(presets_set_their_options),         cmocka_unit_test(options_set_after_a_preset_win),
        cmocka_unit_test(a_preset_trains_as_its_options_do), cmocka_unit_test(excluded_combinations_are_refused_by_name),
        cmocka_unit_test(their_neighbours_are_accepted),     cmocka_unit_test(a_model_keeps_its_own_copy),
        cmocka_unit_test(options_survive_a_round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
