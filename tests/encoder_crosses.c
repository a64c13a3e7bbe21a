/* Crosses: the features of two fields, multiplied. */
#include <math.h>

#include "encoder.h"

static void crosses_multiply_the_features_of_two_fields(void** state) {
    sl_encoder* encoder = new_encoder("features", "dictionary");
    (void)state;
    assert_ok(sl_encoder_cross(encoder, "n", "c", &error));
    assert_ok(sl_encoder_cross(encoder, "c", "", &error));
    assert_ok(sl_encoder_category(encoder, "c", "x", &error)); /* 0 */
    add_text(encoder, "", "aa bb aa");                         /* 1, 2 */
    assert_ok(sl_encoder_category(encoder, "c", "y", &error)); /* 3 */
    assert_ok(sl_encoder_number(encoder, "n", 0.1, &error));   /* 4 */
    assert_ok(sl_encoder_number(encoder, "other", 5, &error)); /* 5 */
    assert_row(encoder, 0, 1, 1, 2, 2, 1, 3, 1, 4, 0.1, 5, 5, 6, 0.1, 7, 0.1, 8, 2, 9, 1, 10, 2, 11, 1);
    static const char* const names[] = {"n*c=x", "n*c=y", "c=x*aa", "c=x*bb", "c=y*aa", "c=y*bb"};
    for (uint32_t i = 0; i < 6; ++i) assert_string_equal(name_of(encoder, 6 + i), names[i]);
    assert_ok(sl_encoder_number(encoder, "n", 0.1, &error)); /* the fields' sums are multiplied */
    assert_row(encoder, 0, 1, 1, 2, 2, 1, 3, 1, 4, 0.1 + 0.1, 5, 5, 6, 0.1 + 0.1, 7, 0.1 + 0.1, 8, 2, 9, 1, 10, 2, 11, 1);
    assert_ok(sl_encoder_clear(encoder, &error));
    assert_ok(sl_encoder_number(encoder, "n", 3, &error)); /* no category, no cross */
    assert_row(encoder, 4, 3);
    assert_ok(sl_encoder_category(encoder, "c", "x", &error));
    assert_row(encoder, 0, 1, 4, 3, 6, 3);
    sl_encoder_free(encoder);
}

static void crosses_of_numbers_are_products_of_sums(void** state) {
    sl_encoder* encoder = new_encoder("features", "dictionary");
    double sum = 0;
    (void)state;
    assert_ok(sl_encoder_cross(encoder, "a", "b", &error));
    for (int k = 0; k < 6; ++k) {
        assert_ok(sl_encoder_number(encoder, "a", 0.1, &error));
        sum += 0.1;
    }
    assert_ok(sl_encoder_number(encoder, "b", 0.3, &error));
    assert_row(encoder, 0, sum, 1, 0.3, 2, sum * 0.3);
    assert_ok(sl_encoder_number(encoder, "b", -0.3, &error)); /* sums to 0: neither it nor its cross is there */
    assert_row(encoder, 0, sum);
    sl_encoder_free(encoder);
}

static void a_cross_has_the_sign_of_its_own_name(void** state) {
    static const char* const signs[] = {"false", "true"};
    double values[2][3];
    (void)state;
    for (int k = 0; k < 2; ++k) {
        sl_encoder* encoder = new_encoder("hash_bits", "30", "hash_sign", signs[k]);
        assert_ok(sl_encoder_cross(encoder, "a", "b", &error));
        assert_ok(sl_encoder_number(encoder, "a", 3, &error));
        assert_ok(sl_encoder_number(encoder, "b", 5, &error));
        const encoded row = row_of(encoder);
        assert_int_equal(row.count, 3);
        memcpy(values[k], row.values, sizeof values[k]);
        sl_encoder* plain = new_encoder("hash_bits", "30", "hash_sign", signs[k]);
        assert_ok(sl_encoder_number(plain, "a", 3, &error));
        assert_ok(sl_encoder_number(plain, "b", 5, &error));
        assert_ok(sl_encoder_number(plain, "a*b", 15, &error));
        const encoded same = row_of(plain);
        assert_memory_equal(same.values, values[k], sizeof values[k]);
        sl_encoder_free(plain);
        sl_encoder_free(encoder);
    }
    for (int j = 0; j < 3; ++j) assert_true(fabs(values[0][j]) == fabs(values[1][j]));
}

static void crosses_come_before_records(void** state) {
    sl_encoder* encoder = new_encoder("features", "dictionary");
    (void)state;
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_encoder_cross(encoder, "a", "a", &error));
    assert_message("'a' cannot be crossed with itself");
    assert_ok(sl_encoder_cross(encoder, "a", "b", &error));
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_encoder_cross(encoder, "a", "b", &error));
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_encoder_cross(encoder, "b", "a", &error));
    assert_message("crossed already");
    assert_ok(sl_encoder_clear(encoder, &error)); /* is no record yet, nor is one that failed */
    assert_status(SL_ERROR_INVALID_DATA, sl_encoder_number(encoder, "a", NAN, &error));
    assert_ok(sl_encoder_cross(encoder, "a", "c", &error));
    assert_ok(sl_encoder_number(encoder, "a", 1, &error));
    assert_status(SL_ERROR_STATE, sl_encoder_cross(encoder, "b", "c", &error));
    assert_message("before the first record");
    sl_encoder_free(encoder);
    encoder = new_encoder("features", "dictionary");
    assert_ok(sl_encoder_freeze(encoder, &error));
    assert_status(SL_ERROR_STATE, sl_encoder_cross(encoder, "b", "c", &error));
    sl_encoder_free(encoder);
}

static void too_many_crossed_features_are_refused(void** state) {
    sl_encoder* encoder = new_encoder("tokens", "char", "ngram_max", "4");
    char text[4200];
    uint64_t random = 5;
    (void)state;
    assert_ok(sl_encoder_cross(encoder, "a", "b", &error));
    for (size_t k = 0; k < sizeof text; ++k) text[k] = (char)next_random(&random);
    assert_ok(sl_encoder_text(encoder, "a", text, sizeof text, &error));
    assert_ok(sl_encoder_text(encoder, "b", text, sizeof text, &error));
    assert_status(SL_ERROR_INVALID_DATA, sl_encoder_row(encoder, &(const uint32_t*){NULL}, &(const double*){NULL}, &(size_t){0}, &error));
    assert_message("the cross of 'a' and 'b'");
    assert_message("16777216");
    sl_encoder_free(encoder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crosses_multiply_the_features_of_two_fields), cmocka_unit_test(crosses_of_numbers_are_products_of_sums),
        cmocka_unit_test(a_cross_has_the_sign_of_its_own_name),        cmocka_unit_test(crosses_come_before_records),
        cmocka_unit_test(too_many_crossed_features_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
