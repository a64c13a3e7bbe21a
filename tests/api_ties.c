/* Where SPEC says on which side equality lies, equality itself: numbers that are exact in binary, so that nothing is rounded. */
#include "helpers.h"

static double bias_of(const sl_model* model) {
    double bias = 0;
    assert_ok(sl_model_bias(model, &bias, &error));
    return bias;
}

/* An example without nonzeros moves the bias alone, here by the step size times the slope. */
static void expect_bias(sl_model* model, double label, double expected) {
    assert_ok(sl_model_feed(model, NULL, NULL, 0, label, 1, &error));
    assert_bits(bias_of(model), expected);
}

#define bias_model(...) new_model("schedule", "constant", "average", "none", "scale", "none", "l2", "0", __VA_ARGS__)

static void hinge_learns_at_a_margin_of_1(void** state) {
    sl_model* model = bias_model("loss", "hinge", "eta0", "1");
    (void)state;
    expect_bias(model, 1, 1);
    expect_bias(model, 1, 2);
    expect_bias(model, 1, 2);
    sl_model_free(model);
}

static void absolute_and_quantile_slope_down_where_they_are_0(void** state) {
    sl_model* model = bias_model("loss", "absolute", "eta0", "0.5");
    (void)state;
    expect_bias(model, 0, 0.5);
    expect_bias(model, 0.5, 1);
    expect_bias(model, 0.5, 0.5);
    sl_model_free(model);
    model = bias_model("loss", "quantile", "quantile", "0.25", "eta0", "0.5");
    expect_bias(model, 0, 0.125);
    expect_bias(model, 0.125, 0.25);
    expect_bias(model, 0.125, -0.125);
    sl_model_free(model);
}

static void epsilon_insensitive_is_flat_up_to_epsilon(void** state) {
    sl_model* model = bias_model("loss", "epsilon_insensitive", "epsilon", "0.5", "eta0", "0.25");
    (void)state;
    expect_bias(model, 0.5, 0);
    expect_bias(model, -0.5, 0);
    expect_bias(model, 0.625, 0.25);
    sl_model_free(model);
}

/* With squared loss, no bias and a step size of 1, one example of value 1 makes the weight its label; then the truncation comes. */
static double truncated(const char* update, const char* gravity, const char* period, double label) {
    const uint32_t index = 0;
    const double value = 1;
    double weight = 0;
    sl_model* model = new_model("loss", "squared", "schedule", "constant", "eta0", "1", "average", "none", "scale", "none", "bias", "false",
                                "update", update, "gravity", gravity, "period", period, "theta", "0.25");
    assert_ok(sl_model_feed(model, &index, &value, 1, label, 1, &error));
    assert_ok(sl_model_weight(model, index, &weight, &error));
    sl_model_free(model);
    return weight;
}

static void a_weight_of_theta_is_within_reach(void** state) {
    const double above = 0.25 + 0x1p-30;
    (void)state;
    assert_bits(truncated("truncated_gradient", "0.0625", "1", 0.25), 0.1875);
    assert_bits(truncated("truncated_gradient", "0.0625", "1", -0.25), -0.1875);
    assert_bits(truncated("truncated_gradient", "0.0625", "2", 0.25), 0.25);
    assert_near(truncated("truncated_gradient", "0.0625", "1", above), above, 1e-15);
    assert_true(truncated("truncated_gradient", "0.25", "1", 0.25) == 0);
    assert_true(truncated("rounding", "0", "1", 0.25) == 0);
    assert_bits(truncated("rounding", "0", "2", 0.25), 0.25);
    assert_near(truncated("rounding", "0", "1", -above), -above, 1e-15);
}

static void expect_created(sl_status expected, const char* schedule, const char* eta0, const char* l2) {
    sl_options* options = new_options("schedule", schedule, "eta0", eta0, "l2", l2);
    sl_model* model = NULL;
    if (strcmp(schedule, "constant") != 0) assert_ok(sl_options_set(options, "power", "1", &error));
    if (strcmp(schedule, "xu") == 0) assert_ok(sl_options_set(options, "decay", "1", &error));
    assert_status(expected, sl_model_create(options, &model, &error));
    if (expected != SL_OK) assert_message("l2");
    sl_options_free(options);
    sl_model_free(model);
}

/* 1 - eta l2 may be 0 at the first step, where all weights are 0, but not at the second. */
static void a_factor_below_0_at_step_2_is_refused(void** state) {
    (void)state;
    expect_created(SL_OK, "constant", "1", "0.999");
    expect_created(SL_ERROR_INVALID_OPTION, "constant", "1", "1.001");
    expect_created(SL_OK, "inverse_scaling", "1", "1.999");
    expect_created(SL_ERROR_INVALID_OPTION, "inverse_scaling", "1", "2.001");
    expect_created(SL_OK, "xu", "1", "2.999");
    expect_created(SL_ERROR_INVALID_OPTION, "xu", "1", "3.001");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hinge_learns_at_a_margin_of_1),
        cmocka_unit_test(absolute_and_quantile_slope_down_where_they_are_0),
        cmocka_unit_test(epsilon_insensitive_is_flat_up_to_epsilon),
        cmocka_unit_test(a_weight_of_theta_is_within_reach),
        cmocka_unit_test(a_factor_below_0_at_step_2_is_refused),
    };
    return cmocka_run_group_tests_name("ties", tests, NULL, NULL);
}
