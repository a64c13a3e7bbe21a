/* Names: what a dictionary learns, freezes and drops, and the names of hashed features where they are kept. */
#include "encoder.h"

static void memory_follows_the_names(void** state) {
    sl_encoder* encoder = new_encoder("features", "dictionary");
    uint64_t before = 0, after = 0;
    (void)state;
    assert_ok(sl_encoder_memory(encoder, &before, &error));
    assert_in_range(before, sizeof(void*), 1 << 14);
    for (int k = 0; k < 10000; ++k) {
        char value[64];
        snprintf(value, sizeof value, "a value that takes some forty bytes, %d", k);
        assert_ok(sl_encoder_clear(encoder, &error));
        assert_ok(sl_encoder_category(encoder, "", value, &error));
    }
    assert_ok(sl_encoder_memory(encoder, &after, &error));
    assert_in_range(after, before + 10000 * 36, before + 10000 * 200);
    sl_encoder_free(encoder);
}

static void a_frozen_dictionary_leaves_out_what_it_does_not_know(void** state) {
    sl_encoder* encoder = new_encoder("features", "dictionary");
    uint64_t dimension = 0;
    (void)state;
    assert_ok(sl_encoder_cross(encoder, "a", "b", &error));
    assert_ok(sl_encoder_category(encoder, "a", "x", &error));
    assert_ok(sl_encoder_category(encoder, "b", "y", &error));
    assert_row(encoder, 0, 1, 1, 1, 2, 1);
    assert_ok(sl_encoder_freeze(encoder, &error));
    assert_int_equal(row_of(encoder).count, 0); /* a new record */
    assert_ok(sl_encoder_category(encoder, "a", "x", &error));
    assert_ok(sl_encoder_category(encoder, "a", "new", &error));
    assert_ok(sl_encoder_category(encoder, "b", "y", &error));
    assert_ok(sl_encoder_number(encoder, "new", 7, &error));
    assert_row(encoder, 0, 1, 1, 1, 2, 1);
    assert_ok(sl_encoder_freeze(encoder, &error)); /* once more is no change, nor a new record */
    assert_row(encoder, 0, 1, 1, 1, 2, 1);
    assert_ok(sl_encoder_dimension(encoder, &dimension, &error));
    assert_int_equal(dimension, 3);
    sl_encoder_free(encoder);
}

static void freezing_drops_rare_names_and_moves_no_index(void** state) {
    sl_encoder* encoder = new_encoder("features", "dictionary", "min_count", "2");
    uint64_t dimension = 0;
    (void)state;
    add_text(encoder, "", "rare often rare rare"); /* three times, but in one row */
    assert_row(encoder, 0, 3, 1, 1);
    assert_row(encoder, 0, 3, 1, 1); /* asked for again, it is no other row */
    assert_ok(sl_encoder_clear(encoder, &error));
    add_text(encoder, "", "often other");
    assert_row(encoder, 1, 1, 2, 1);
    assert_ok(sl_encoder_clear(encoder, &error));
    add_text(encoder, "", "rare"); /* whose row nobody asks for */
    assert_ok(sl_encoder_clear(encoder, &error));
    add_text(encoder, "", "other");
    assert_row(encoder, 2, 1);
    add_text(encoder, "", "often"); /* added after its row was made, and then asked for */
    assert_row(encoder, 1, 1, 2, 1);
    assert_ok(sl_encoder_freeze(encoder, &error));
    add_text(encoder, "", "other rare often new");
    assert_row(encoder, 1, 1, 2, 1);
    assert_ok(sl_encoder_dimension(encoder, &dimension, &error));
    assert_int_equal(dimension, 3);
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_encoder_name(encoder, 0, NULL, 0, &(size_t){0}, &error));
    assert_message("dropped");
    assert_string_equal(name_of(encoder, 1), "often");
    sl_encoder_free(encoder);
}

static void names_of_hashed_features_where_they_are_kept(void** state) {
    sl_encoder *plain = new_encoder("hash_bits", "20"), *kept = new_encoder("hash_bits", "20", "keep_names", "true");
    size_t length = 77;
    uint32_t first, second;
    (void)state;
    add_text(plain, "", "hello");
    assert_status(SL_ERROR_STATE, sl_encoder_name(plain, row_of(plain).indices[0], NULL, 0, &length, &error));
    assert_message("keep_names");
    assert_int_equal(length, 77);
    assert_ok(sl_encoder_freeze(plain, &error));
    add_text(plain, "", "hello");

    add_text(kept, "", "hello");
    first = row_of(kept).indices[0];
    assert_string_equal(name_of(kept, first), "hello");
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_encoder_name(kept, first + 1, NULL, 0, &length, &error));
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_encoder_name(kept, 1 << 20, NULL, 0, &length, &error));
    assert_message("1048576");
    assert_ok(sl_encoder_freeze(kept, &error));
    add_text(kept, "", "world"); /* is a feature all the same, whose name is not kept */
    second = row_of(kept).indices[0];
    assert_int_equal(row_of(kept).count, 1);
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_encoder_name(kept, second, NULL, 0, &length, &error));
    sl_encoder_free(plain);
    sl_encoder_free(kept);
}

/* With one bit every other name shares an index: the first is kept. */
static void of_names_that_share_an_index_the_first_is_kept(void** state) {
    sl_encoder* encoder = new_encoder("hash_bits", "1", "keep_names", "true");
    (void)state;
    for (int k = 0; k < 40; ++k) {
        char name[2] = {(char)('A' + k), 0};
        assert_ok(sl_encoder_number(encoder, name, 1, &error));
    }
    assert_int_equal(row_of(encoder).count, 2);
    assert_true(name_of(encoder, 0)[0] == 'A' || name_of(encoder, 1)[0] == 'A');
    sl_encoder_free(encoder);
}

static void a_name_needs_room(void** state) {
    sl_encoder* encoder = new_encoder("features", "dictionary");
    char name[4] = "###";
    size_t length = 0;
    (void)state;
    assert_ok(sl_encoder_number(encoder, "abc", 1, &error));
    assert_ok(sl_encoder_name(encoder, 0, name, 3, &length, &error));
    assert_int_equal(length, 4);
    assert_string_equal(name, "###");
    assert_ok(sl_encoder_name(encoder, 0, name, 4, &length, &error));
    assert_string_equal(name, "abc");
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_encoder_name(encoder, 1, name, 4, &length, &error));
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_encoder_name(encoder, UINT32_MAX, name, 4, &length, &error));
    assert_message("4294967295");
    sl_encoder_free(encoder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_follows_the_names),
        cmocka_unit_test(a_frozen_dictionary_leaves_out_what_it_does_not_know),
        cmocka_unit_test(freezing_drops_rare_names_and_moves_no_index),
        cmocka_unit_test(names_of_hashed_features_where_they_are_kept),
        cmocka_unit_test(of_names_that_share_an_index_the_first_is_kept),
        cmocka_unit_test(a_name_needs_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
