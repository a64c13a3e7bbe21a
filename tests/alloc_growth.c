/* Memory that runs out while a hash table of more than 2^17 buckets grows where it is, by a further block, while it becomes an array, and
   while an array becomes a table: nothing has changed. */
#include "failing_malloc.h"

enum { NEW = 4096 }; /* features a row that nobody has seen before */

static const uint32_t* new_features(uint32_t row) {
    static uint32_t indices[NEW];
    for (uint32_t k = 0; k < NEW; ++k) indices[k] = row * NEW + k;
    return indices;
}

static sl_status feed_new(sl_model* to, uint32_t row) { return sl_model_feed(to, new_features(row), NULL, NEW, 1, 1, &error); }

static sl_model* empty_model(const char* storage) {
    const char* const pairs[] = {"storage", storage, "average", "none", NULL, NULL};
    return model_from(pairs);
}

static uint64_t memory_of(const sl_model* model) {
    uint64_t memory = 0;
    assert_ok(sl_model_memory(model, &memory, &error));
    return memory;
}

static unsigned char* all_bytes(const sl_model* of, size_t* size) {
    unsigned char* all = NULL;
    assert_ok(sl_model_to_bytes(of, SL_KEEP_EVERYTHING, NULL, 0, size, &error));
    all = malloc(*size);
    assert_non_null(all);
    assert_ok(sl_model_to_bytes(of, SL_KEEP_EVERYTHING, all, *size, size, &error));
    return all;
}

static void assert_all_bytes(const sl_model* of, const unsigned char* expected, size_t expected_size) {
    size_t size = 0;
    unsigned char* all = all_bytes(of, &size);
    assert_int_equal(size, expected_size);
    assert_memory_equal(all, expected, size);
    free(all);
}

/* Every allocation that a row of features makes fails, by itself and with all that follow; what is learned in the end is the same. Says how
   many failed. Frees the model. */
static size_t every_allocation_of(sl_model* model, const uint32_t* indices, size_t count) {
    sl_model *grown = NULL, *made = NULL;
    size_t size = 0, grown_size = 0, failures = 0;
    assert_ok(sl_model_clone(model, &grown, &error));
    assert_ok(sl_model_feed(grown, indices, NULL, count, 1, 1, &error));
    unsigned char *kept = all_bytes(model, &size), *grown_kept = all_bytes(grown, &grown_size);
    for (int on = 0; on < 2; ++on) {
        sl_status status = SL_ERROR_OUT_OF_MEMORY;
        for (size_t n = 1; status != SL_OK; ++n) {
            const long live_before = live;
            assert_ok(sl_model_clone(model, &made, &error));
            arm(n, on);
            status = sl_model_feed(made, indices, NULL, count, 1, 1, &error);
            failures += refusals;
            arm(0, 0);
            if (status != SL_OK) {
                assert_int_equal(status, SL_ERROR_OUT_OF_MEMORY);
                assert_all_bytes(made, kept, size);
                assert_ok(sl_model_feed(made, indices, NULL, count, 1, 1, &error));
            }
            assert_all_bytes(made, grown_kept, grown_size);
            sl_model_free(made);
            assert_int_equal(live, live_before);
        }
    }
    free(kept);
    free(grown_kept);
    sl_model_free(grown);
    sl_model_free(model);
    return failures;
}

/* Feeds rows of new features until the next one, whose number it returns, makes the model take other memory, of `least` to `most` bytes. */
static uint32_t feed_until_it_grows(sl_model** model, uint64_t least, uint64_t most) {
    sl_model* grown = NULL;
    for (uint32_t row = 0;; ++row) {
        const uint64_t before = memory_of(*model);
        assert_ok(sl_model_clone(*model, &grown, &error));
        assert_ok(feed_new(grown, row));
        const uint64_t after = memory_of(grown);
        if (after != before && after >= least && after <= most) {
            sl_model_free(grown);
            return row;
        }
        sl_model_free(*model);
        *model = grown;
    }
}

static void a_table_grows_by_a_block(void** state) {
    (void)state;
    need_failing_malloc();
    sl_model* model = empty_model("hash");
    const uint32_t row = feed_until_it_grows(&model, ((uint64_t)64 << 17) + 1, UINT64_MAX);
    assert_true(every_allocation_of(model, new_features(row), NEW) >=
                6); /* the block, where its parts are, and the list of blocks, twice */
}

static void a_table_becomes_an_array(void** state) {
    static const uint32_t last = 1000000;
    const uint64_t array = sizeof(double) * 2 * (last + 1 + last / 8); /* it may grow by an eighth */
    (void)state;
    need_failing_malloc();
    sl_model* model = empty_model("auto");
    assert_ok(sl_model_feed(model, &last, NULL, 1, 1, 1, &error));
    const uint32_t row = feed_until_it_grows(&model, array, array + array / 50);
    assert_true(every_allocation_of(model, new_features(row), NEW) >= 2);
}

static void an_array_becomes_a_table(void** state) {
    static const uint32_t indices[] = {5, 4000000000u};
    (void)state;
    need_failing_malloc();
    sl_model* model = empty_model("auto");
    for (uint32_t row = 0; row < 10; ++row) assert_ok(feed_new(model, row));
    assert_true(memory_of(model) >= sizeof(double) * 2 * 10 * NEW);
    assert_true(every_allocation_of(model, indices, 2) >= 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_grows_by_a_block),
        cmocka_unit_test(a_table_becomes_an_array),
        cmocka_unit_test(an_array_becomes_a_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
