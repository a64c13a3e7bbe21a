/* Bytes that are no model, or not any more, are refused at once. */
#include <math.h>

#include "hostile.h"

static void a_part_of_a_model_is_none(void** state) {
    const folder f = new_folder();
    (void)state;
    for (int which = 0; which < MODELS; ++which) {
        bytes kept = new_kept(which);
        for (size_t size = 0; size < kept.size; ++size) {
            bytes part = spliced(kept, size, kept.size - size, "", 0);
            assert_int_equal(try(part), SL_ERROR_FORMAT);
            if (size % 97 == 0) {
                sl_model* model = NULL;
                write_bytes(path_in(&f, "part"), part);
                assert_status(SL_ERROR_FORMAT, sl_model_load(path_in(&f, "part"), &model, &error));
                assert_message(f.path);
                assert_null(model);
            }
            if (size > BODY_AT + CRC_SIZE) { /* as a whole file of its own, which just ends too soon */
                seal(part);
                assert_int_equal(try(part), SL_ERROR_FORMAT);
            }
            free(part.data);
        }
        bytes longer = spliced(kept, kept.size, 0, "", 1);
        assert_int_equal(try(longer), SL_ERROR_FORMAT);
        free(longer.data);
        longer = spliced(kept, kept.size - CRC_SIZE, 0, "", 1);
        seal(longer);
        assert_int_equal(try(longer), SL_ERROR_FORMAT);
        free(longer.data);
        free(kept.data);
    }
    remove_folder(&f);
}

static void a_flipped_bit_is_seen(void** state) {
    (void)state;
    for (int which = 0; which < MODELS; ++which) {
        bytes kept = new_kept(which);
        assert_int_equal(try(kept), SL_OK);
        for (size_t bit = 0; bit < 8 * kept.size; ++bit) {
            kept.data[bit / 8] ^= (unsigned char)(1 << bit % 8);
            assert_true(try(kept) != SL_OK);
            kept.data[bit / 8] ^= (unsigned char)(1 << bit % 8);
        }
        for (size_t i = 0; i < kept.size; ++i) {
            kept.data[i] ^= 0xff;
            assert_true(try(kept) != SL_OK);
            kept.data[i] ^= 0xff;
        }
        assert_int_equal(try(kept), SL_OK);
        free(kept.data);
    }
}

static void a_length_that_lies_is_refused(void** state) {
    (void)state;
    for (int which = 0; which < MODELS; ++which) {
        bytes kept = new_kept(which);
        const uint64_t lengths[] = {
            0, 1, kept.size - 1, kept.size + 1, 2 * kept.size, (uint64_t)kept.size << 32, UINT64_MAX, UINT64_MAX - 7};
        for (int i = 0; i < 8; ++i) {
            put_number(kept.data + LENGTH_AT, lengths[i], 8);
            put_number(kept.data + kept.size - CRC_SIZE, crc64(kept.data, kept.size - CRC_SIZE), 8);
            assert_int_equal(try(kept), SL_ERROR_FORMAT);
        }
        seal(kept);
        assert_int_equal(try(kept), SL_OK);
        free(kept.data);
    }
}

static void other_files_are_told_apart(void** state) {
    const char* const texts[] = {"", "1", "+1 3:1 17:0.5\n-1 5:2\n",
                                 "PK\003\004 and so on, for more bytes than a head has, and a few on top of that"};
    bytes kept = new_kept(0);
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        bytes text = new_bytes(strlen(texts[i]));
        memcpy(text.data, texts[i], text.size);
        assert_int_equal(try(text), SL_ERROR_FORMAT);
        assert_message("not a model");
        free(text.data);
    }
    /* Moved as text: line ends changed. */
    bytes moved = spliced(kept, 4, 2, "\n", 1);
    assert_int_equal(try(moved), SL_ERROR_FORMAT);
    free(moved.data);
    free(kept.data);
}

static void newer_versions_are_named(void** state) {
    const uint32_t versions[] = {2, 3, 256, 0x80000000u, 0xffffffffu};
    (void)state;
    for (int sealed = 0; sealed < 2; ++sealed)
        for (int i = 0; i < 5; ++i) {
            bytes kept = new_kept(0);
            put_number(kept.data + VERSION_AT, versions[i], 4);
            if (sealed) seal(kept);
            assert_int_equal(try(kept), SL_ERROR_VERSION);
            assert_message("newer");
            free(kept.data);
        }
    bytes kept = new_kept(0);
    put_number(kept.data + VERSION_AT, 0, 4);
    seal(kept);
    assert_int_equal(try(kept), SL_ERROR_FORMAT);
    free(kept.data);
}

static void the_wrong_kind_is_refused(void** state) {
    (void)state;
    for (int which = 0; which < MODELS; ++which)
        for (uint32_t kind = 0; kind < 4; ++kind) {
            bytes kept = new_kept(which);
            const uint32_t own = kept.data[KIND_AT];
            put_number(kept.data + KIND_AT, kind, 4);
            seal(kept);
            assert_int_equal(try(kept), kind == own ? SL_OK : SL_ERROR_FORMAT);
            free(kept.data);
        }
}

static void numbers_that_are_none_are_refused(void** state) {
    const double wrong[] = {NAN, -NAN, INFINITY, -INFINITY};
    (void)state;
    for (int predictor = 0; predictor < 2; ++predictor) {
        sample s;
        sl_model* model = new_model("average", "none", "storage", "hash", "l2", "0");
        double bias = 0, *weights;
        uint32_t* indices;
        size_t count = 0;
        fill_sample(&s, 30, 40, 3);
        feed_rows(model, &s, 0, s.rows);
        assert_ok(sl_model_bias(model, &bias, &error));
        assert_ok(sl_model_nonzeros(model, NULL, NULL, 0, &count, &error));
        indices = malloc(count * sizeof *indices);
        weights = malloc(count * sizeof *weights);
        assert_ok(sl_model_nonzeros(model, indices, weights, count, &count, &error));
        bytes kept = bytes_of(model, (sl_keep)predictor);
        for (size_t i = 0; i <= count; ++i) {
            unsigned char pattern[8];
            put_double(pattern, i < count ? weights[i] : bias);
            const size_t at = position_of(kept, pattern, sizeof pattern);
            for (int k = 0; k < 4; ++k) {
                bytes bad = copy_of(kept);
                put_double(bad.data + at, wrong[k]);
                seal(bad);
                assert_int_equal(try(bad), SL_ERROR_FORMAT);
                assert_message("finite");
                free(bad.data);
            }
        }
        free(kept.data);
        free(indices);
        free(weights);
        sl_model_free(model);
    }
}

static void options_must_be_known_and_go_together(void** state) {
    bytes kept = new_kept(0), bad = copy_of(kept);
    (void)state;
    bad.data[position_of(kept, "huber_delta", 11)] = 'x';
    seal(bad);
    assert_int_equal(try(bad), SL_ERROR_FORMAT);
    assert_message("xuber_delta");
    free(bad.data);
    const char* const wrong[][2] = {
        {"l1", "-1"},        {"l1", "nan"},    {"loss", "log|hinge"}, {"period", "0"}, {"theta", "1"},
        {"center", "true"},  {"epochs", "0"},  {"clip_min", "inf"},   {"loss", ""},    {"dimension", "4294967297"},
        {"update", "round"}, {"bias", "maybe"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        bad = with_option(kept, wrong[i][0], wrong[i][1]);
        assert_int_equal(try(bad), SL_ERROR_FORMAT);
        assert_message(wrong[i][0]);
        free(bad.data);
    }
    bad = with_option(kept, "l1", "0.25");
    assert_int_equal(try(bad), SL_OK);
    free(bad.data);
    free(kept.data);
}

/* What no training under these options can have led to. */
static void state_that_the_options_rule_out_is_refused(void** state) {
    bytes kept = new_kept(0), limited = new_kept(4), bad;
    (void)state;
    bad = with_option(kept, "average", "none"); /* but there is a history, which only averages need */
    assert_int_equal(try(bad), SL_ERROR_FORMAT);
    free(bad.data);
    bad = with_option(limited, "dimension", "5");
    assert_int_equal(try(bad), SL_ERROR_FORMAT);
    free(bad.data);
    free(limited.data);
    free(kept.data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_part_of_a_model_is_none),
        cmocka_unit_test(a_flipped_bit_is_seen),
        cmocka_unit_test(a_length_that_lies_is_refused),
        cmocka_unit_test(other_files_are_told_apart),
        cmocka_unit_test(newer_versions_are_named),
        cmocka_unit_test(the_wrong_kind_is_refused),
        cmocka_unit_test(numbers_that_are_none_are_refused),
        cmocka_unit_test(options_must_be_known_and_go_together),
        cmocka_unit_test(state_that_the_options_rule_out_is_refused),
    };
    allow_memory(64 << 20);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
