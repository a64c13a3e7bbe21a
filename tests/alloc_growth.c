/* Memory that runs out while a hash table of more than 2^17 buckets grows where it is, by a further block: nothing has changed. */
#include "failing_malloc.h"

enum { NEW = 4096 }; /* features a row that nobody has seen before */

static sl_status feed_new(sl_model* to, uint32_t row) {
    static uint32_t indices[NEW];
    for (uint32_t k = 0; k < NEW; ++k) indices[k] = row * NEW + k;
    return sl_model_feed(to, indices, NULL, NEW, 1, 1, &error);
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

static void every_allocation_of_a_further_block(void** state) {
    const char* const pairs[] = {"storage", "hash", "average", "none", NULL, NULL};
    sl_model *grown = NULL, *model = NULL, *made = NULL;
    uint64_t memory = 0, before = 0;
    uint32_t rows = 0;
    (void)state;
    need_failing_malloc();
    grown = model_from(pairs);
    model = model_from(pairs);
    for (; before <= (uint64_t)64 << 17 || memory == before; ++rows) {
        before = memory;
        assert_ok(feed_new(grown, rows));
        assert_ok(sl_model_memory(grown, &memory, &error));
    }
    for (uint32_t r = 0; r + 1 < rows; ++r) assert_ok(feed_new(model, r));
    size_t size = 0, grown_size = 0, failures = 0;
    unsigned char *kept = all_bytes(model, &size), *grown_kept = all_bytes(grown, &grown_size);
    for (int on = 0; on < 2; ++on) {
        sl_status status = SL_ERROR_OUT_OF_MEMORY;
        for (size_t n = 1; status != SL_OK; ++n) {
            const long live_before = live;
            assert_ok(sl_model_clone(model, &made, &error));
            arm(n, on);
            status = feed_new(made, rows - 1);
            failures += refusals;
            arm(0, 0);
            if (status != SL_OK) {
                assert_int_equal(status, SL_ERROR_OUT_OF_MEMORY);
                assert_all_bytes(made, kept, size);
                assert_ok(feed_new(made, rows - 1));
            }
            assert_all_bytes(made, grown_kept, grown_size);
            sl_model_free(made);
            assert_int_equal(live, live_before);
        }
    }
    print_message("%u rows, %zu allocations failed\n", (unsigned)rows, failures);
    assert_true(failures >= 6); /* the block, where its parts are, and the list of blocks, in both ways */
    free(kept);
    free(grown_kept);
    sl_model_free(grown);
    sl_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_of_a_further_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
