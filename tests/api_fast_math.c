/* A host that was compiled with -ffast-math, this file, and linked so: its threads take denormals for 0, its compiler believes that there
   are no NaNs. The library's numbers are IEEE 754's all the same. They are looked at as whole numbers, which such a host can. */
#include "helpers.h"

#ifndef __FAST_MATH__
#error "compile it with -ffast-math"
#endif

static double from_bits(uint64_t bits) {
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static uint64_t bits_of(double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* 1 where the host's own arithmetic has no denormals, as it is meant to be here. */
static int host_loses_denormals(void) {
    const volatile double smallest = 2.2250738585072014e-308, half = 0.5;
    return bits_of(smallest * half) == 0;
}

/* Its weight is the step's size times the label, 2^-1030. */
static void weights_may_be_denormal(void** state) {
    sl_model* model = new_model("loss", "squared", "schedule", "constant", "eta0", "0.5", "average", "none", "bias", "false", "l2", "0");
    const uint32_t index = 0;
    const double value = 1, label = from_bits((uint64_t)1 << 45); /* 2^-1029 */
    double weight = 0, score = 0;
    (void)state;
    assert_ok(sl_model_feed(model, &index, &value, 1, label, 1, &error));
    assert_ok(sl_model_weight(model, 0, &weight, &error));
    assert_ok(sl_model_predict(model, &index, &value, 1, &score, &error));
    assert_int_equal(bits_of(weight), (uint64_t)1 << 44);
    assert_int_equal(bits_of(score), (uint64_t)1 << 44);
    sl_model_free(model);
}

static void what_is_not_finite_is_refused(void** state) {
    sl_model* model = new_model(NULL);
    const uint32_t index = 0;
    const uint64_t refused[] = {0x7ff8000000000000u, 0x7ff0000000000000u, 0xfff0000000000000u};
    (void)state;
    for (size_t k = 0; k < sizeof refused / sizeof *refused; ++k) {
        const double value = from_bits(refused[k]), one = 1;
        assert_status(SL_ERROR_INVALID_DATA, sl_model_feed(model, &index, &value, 1, 1, 1, &error));
        assert_status(SL_ERROR_INVALID_DATA, sl_model_feed(model, &index, &one, 1, value, 1, &error));
        assert_status(SL_ERROR_INVALID_DATA, sl_model_feed(model, &index, &one, 1, 1, value, &error));
    }
    sl_model_free(model);
}

/* What the calls put aside is back. */
static void the_host_stays_as_it_was(void** state) {
    (void)state;
    if (SL_MEMCHECK) skip(); /* valgrind keeps denormals whatever it is told */
    assert_int_equal(host_loses_denormals(), SL_HOST_LOSES_DENORMALS);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_host_stays_as_it_was), cmocka_unit_test(weights_may_be_denormal),
                                       cmocka_unit_test(what_is_not_finite_is_refused), cmocka_unit_test(the_host_stays_as_it_was)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
