/* Models that lie, with a checksum that fits: refused, or, where nobody could tell, harmless. */
#include <math.h>

#include "draw_options.h"
#include "hostile.h"

/* State under options that it was not made with. */
static void other_options_than_its_own_do_no_harm(void** state) {
    size_t loaded = 0, refused = 0;
    (void)state;
    for (int which = 0; which < MODELS; ++which) {
        bytes kept = new_kept(which);
        for (uint64_t n = 0; n < 150 / SL_SHARE; ++n) {
            uint64_t random = n;
            sl_model* drawn = draw_model(&random, NULL);
            bytes b = copy_of(kept);
            for (size_t i = 0; i < sl_option_count(); ++i) {
                const char* name;
                char value[64];
                size_t length = 0;
                assert_ok(sl_option_describe(i, &name, NULL, NULL, NULL, &error));
                assert_ok(sl_model_option(drawn, name, value, sizeof value, &length, &error));
                if (!is_for_models(name) || strcmp(name, "threads") == 0) continue; /* which are not kept */
                if (n % 3 && next_random(&random) % 4) continue;                    /* all of them, or some */
                bytes changed = with_option(b, name, value);
                free(b.data);
                b = changed;
            }
            if (try(b) == SL_OK)
                ++loaded;
            else
                ++refused;
            free(b.data);
            sl_model_free(drawn);
        }
        free(kept.data);
    }
    print_message("%zu loaded and used, %zu refused\n", loaded, refused);
    assert_true(loaded > 100 / SL_SHARE);
}

/* Every place is taken for a count, a length or a number, whatever it is. */
static void lies_at_every_place(void** state) {
    const uint64_t counts[] = {UINT64_MAX, UINT64_MAX / 2 + 1, UINT64_MAX / 16, UINT64_MAX / 20 + 1, (uint64_t)1 << 32, 1000000, 0};
    const double numbers[] = {NAN, -1, 1e308, -1e308, 5e-324, -0.0, 1e-300};
    size_t loaded = 0, refused = 0;
    (void)state;
    for (int which = 0; which < MODELS; ++which) {
        bytes kept = new_kept(which);
        for (size_t at = BODY_AT; at + 8 + CRC_SIZE <= kept.size; at += SL_SHARE * (which == 0 ? 1 : 1 + at % 5))
            for (int i = 0; i < 14; ++i) {
                if ((at + (size_t)i) % 2) continue;
                bytes lie = copy_of(kept);
                if (i < 7)
                    put_number(lie.data + at, counts[i], at % 3 ? 8 : 4);
                else
                    put_double(lie.data + at, numbers[i - 7]);
                seal(lie);
                if (try(lie) == SL_OK)
                    ++loaded;
                else
                    ++refused;
                free(lie.data);
            }
        free(kept.data);
    }
    print_message("%zu loaded and used, %zu refused\n", loaded, refused);
    assert_true(loaded > 1000 / SL_SHARE && refused > 1000 / SL_SHARE);
}

static void random_changes(void** state) {
    uint64_t random = 1;
    size_t loaded = 0, refused = 0;
    bytes kept[MODELS];
    (void)state;
    for (int i = 0; i < MODELS; ++i) kept[i] = new_kept(i);
    for (int n = 0; n < 20000 / SL_SHARE; ++n) {
        const bytes from = kept[n % MODELS];
        bytes changed = copy_of(from);
        for (uint64_t changes = 1 + next_random(&random) % 4; changes > 0; --changes) {
            const size_t at = BODY_AT + next_random(&random) % (from.size - BODY_AT - CRC_SIZE);
            const uint64_t draw = next_random(&random);
            if (draw % 3 == 0)
                changed.data[at] ^= (unsigned char)(1 << (draw >> 8) % 8);
            else if (draw % 3 == 1)
                changed.data[at] = (unsigned char)(draw >> 8);
            else
                changed.data[at] = from.data[BODY_AT + (draw >> 8) % (from.size - BODY_AT)];
        }
        seal(changed);
        if (try(changed) == SL_OK)
            ++loaded;
        else
            ++refused;
        free(changed.data);
    }
    for (int i = 0; i < MODELS; ++i) free(kept[i].data);
    print_message("%zu loaded and used, %zu refused\n", loaded, refused);
    assert_true(loaded > 1000 / SL_SHARE && refused > 1000 / SL_SHARE);
}

/* The average's sums cannot be negative: the history that training adds would descend. */
static void negative_sums_are_refused(void** state) {
    unsigned char scalars[32] = {0};
    sl_model* model = new_model("l1", "0.1", "average", "uniform");
    (void)state;
    put_double(scalars, 1); /* and three zeros */
    for (size_t k = 2; k < 4; ++k) {
        bytes b = bytes_of(model, SL_KEEP_EVERYTHING);
        put_double(b.data + position_of(b, scalars, sizeof scalars) + 8 * k, -1);
        seal(b);
        assert_int_equal(try(b), SL_ERROR_FORMAT);
        free(b.data);
    }
    sl_model_free(model);
}

/* A weight far beyond the bound on all weights, by as much as is let pass, is moved on. */
static void what_could_not_be_loaded_is_not_saved(void** state) {
    static const uint32_t index = 7;
    static const double value = 3, further = 1e90, lie = 2e100;
    const folder f = new_folder();
    sl_model* model = new_model("loss", "absolute", "schedule", "constant", "eta0", "1", "l2", "0", "average", "none", "bias", "false");
    unsigned char entry[20] = {1, 0, 0, 0, 0, 0, 0, 0, 7};
    size_t length = 0;
    (void)state;
    assert_ok(sl_model_feed(model, &index, &value, 1, 10, 1, &error));
    bytes b = bytes_of(model, SL_KEEP_EVERYTHING);
    put_double(entry + 12, value);
    put_double(b.data + position_of(b, entry, sizeof entry) + 12, lie);
    seal(b);
    sl_model_free(model);
    model = model_of(b);
    assert_ok(sl_model_feed(model, &index, &further, 1, 1e200, 1, &error));
    assert_status(SL_ERROR_DIVERGED, sl_model_to_bytes(model, SL_KEEP_EVERYTHING, NULL, 0, &length, &error));
    assert_message("cannot be saved");
    assert_status(SL_ERROR_DIVERGED, sl_model_save(model, SL_KEEP_EVERYTHING, path_in(&f, "model"), &error));
    remove_folder(&f);
    free(b.data);
    sl_model_free(model);
}

/* A large model needs a few times its size, whatever it is read from. */
static void a_large_model_needs_a_few_times_its_size(void** state) {
    const char* const storages[] = {"hash", "dense"};
    const folder f = new_folder();
    (void)state;
    for (int i = 0; i < 2; ++i) {
        sl_model *model = new_model("storage", storages[i], "l2", "0"), *loaded = NULL;
        uint64_t memory = 0;
        for (uint32_t r = 0; r < 30000; ++r) {
            uint32_t indices[10];
            for (uint32_t k = 0; k < 10; ++k) indices[k] = 10 * r + k;
            assert_ok(sl_model_feed(model, indices, NULL, 10, 1, 1, &error));
        }
        bytes kept = bytes_of(model, SL_KEEP_EVERYTHING);
        assert_true(kept.size > 300000 * 20);
        assert_ok(sl_model_save(model, SL_KEEP_EVERYTHING, path_in(&f, "model"), &error));
        sl_model_free(model);
        const uint64_t before = memory_limit();
        allow_memory(6 * kept.size);
        assert_ok(sl_model_from_bytes(kept.data, kept.size, &loaded, &error));
        assert_ok(sl_model_memory(loaded, &memory, &error));
        sl_model_free(loaded);
        assert_ok(sl_model_load(path_in(&f, "model"), &loaded, &error));
        sl_model_free(loaded);
        set_memory_limit(before);
        assert_in_range(memory, 0, 4 * kept.size);
        free(kept.data);
    }
    remove_folder(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_options_than_its_own_do_no_harm),
        cmocka_unit_test(lies_at_every_place),
        cmocka_unit_test(random_changes),
        cmocka_unit_test(negative_sums_are_refused),
        cmocka_unit_test(what_could_not_be_loaded_is_not_saved),
        cmocka_unit_test(a_large_model_needs_a_few_times_its_size),
    };
    allow_memory(64 << 20);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
