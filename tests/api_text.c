/* svmlight text through callbacks, files and readers. What exactly a line may hold is the business of the reader's own tests. */
#include <stdio.h>

#include "helpers.h"

/* A source of text that gives out `chunk` bytes at a time and fails once `fail_at` of them are read. */
typedef struct source {
    const char* text;
    size_t size, at, chunk, fail_at;
    int64_t failure; /* what to return then */
} source;

static int64_t give(void* user, void* buffer, size_t capacity) {
    source* s = user;
    size_t n = s->size - s->at;
    if (s->at >= s->fail_at) return s->failure;
    n = n < s->chunk ? n : s->chunk;
    n = n < capacity ? n : capacity;
    memcpy(buffer, s->text + s->at, n);
    s->at += n;
    return (int64_t)n;
}

static source source_of(const char* text, size_t chunk) {
    const source s = {text, strlen(text), 0, chunk, SIZE_MAX, 0};
    return s;
}

static sl_status read_text(const char* text, size_t chunk, const sl_options* options, sl_dataset** data) {
    source s = source_of(text, chunk);
    return sl_dataset_read(give, &s, options, data, &error);
}

static const char good[] =
    "# a comment of its own\n"
    "+1 1:0.5 3:-2e1 4294967296:1 # and one behind\r\n"
    "\n"
    "-1 qid:7\t3:1  1:.25 3:1.5 \n"
    "   \t \n"
    "0\n"
    "-1e-3 2:+4";

static void assert_good(const sl_dataset* data) {
    uint64_t rows = 0, nonzeros = 0, dimension = 0;
    uint32_t indices[3];
    double values[3], label = 0, weight = 0;
    size_t count = 0;
    assert_ok(sl_dataset_shape(data, &rows, &nonzeros, &dimension, &error));
    assert_true(rows == 4 && nonzeros == 6 && dimension == 4294967296u);
    assert_ok(sl_dataset_row(data, 0, indices, values, 3, &count, &label, &weight, &error));
    assert_true(count == 3 && indices[0] == 0 && indices[1] == 2 && indices[2] == 4294967295u && label == 1 && weight == 1);
    assert_true(values[0] == 0.5 && values[1] == -20 && values[2] == 1);
    assert_ok(sl_dataset_row(data, 1, indices, values, 3, &count, &label, &weight, &error));
    assert_true(count == 2 && indices[0] == 0 && indices[1] == 2 && values[0] == 0.25 && values[1] == 2.5 && label == -1);
    assert_ok(sl_dataset_row(data, 2, indices, values, 3, &count, &label, &weight, &error));
    assert_true(count == 0 && label == 0);
    assert_ok(sl_dataset_row(data, 3, indices, values, 3, &count, &label, &weight, &error));
    assert_true(count == 1 && indices[0] == 1 && values[0] == 4 && label == -1e-3);
}

static void any_size_of_chunk_reads_the_same(void** state) {
    (void)state;
    for (size_t chunk = 1; chunk < sizeof good + 1; ++chunk) {
        sl_dataset* data = NULL;
        assert_ok(read_text(good, chunk, NULL, &data));
        assert_good(data);
        sl_dataset_free(data);
    }
}

static void the_base_is_an_option(void** state) {
    size_t count = 0;
    uint32_t index = 0;
    double value = 0;
    sl_options *zero = new_options("index_base", "zero"), *one = new_options("index_base", "one");
    sl_dataset* data = NULL;
    (void)state;
    assert_ok(read_text("1 0:2\n", 99, zero, &data));
    assert_ok(sl_dataset_row(data, 0, &index, &value, 1, &count, NULL, NULL, &error));
    assert_true(count == 1 && index == 0 && value == 2);
    sl_dataset_free(data);
    data = NULL;
    assert_status(SL_ERROR_FORMAT, read_text("1 0:2\n", 99, one, &data));
    assert_status(SL_ERROR_FORMAT, read_text("1 0:2\n", 99, NULL, &data));
    assert_status(SL_ERROR_FORMAT, read_text("1 4294967296:2\n", 99, zero, &data));
    assert_status(SL_ERROR_FORMAT, read_text("1 4294967297:2\n", 99, one, &data));
    assert_null(data);
    sl_options_free(zero);
    sl_options_free(one);
}

static void malformed_lines_are_told_by_number(void** state) {
    static const char* const bad[][2] = {
        {"1 1:2\n1 2:x\n", "x"},
        {"1 1:2\n\n1 2;5\n", "2;5"},
        {"1 1:2\n#\n\nspam 1:1\n", "spam"},
        {"1 1:2\n1 -3:1\n", "-3"},
        {"1 1:2\n1 3:nan\n", "nan"},
        {"1 1:2\n1 3:inf", "inf"},
        {"1 1:2\nnan 1:1\n", "nan"},
        {"1 1:2\n1 1:1,5\n", ","},
        {"1 1:2\n1 1:2 3\n", "3"},
        {"1 1:2\n1 18446744073709551617:1\n", "18446744073709551617"},
        {"1 1:2\n3:1 4:1\n", "label is missing: the line begins with a pair index:value, found \"3:1\""},
    };
    static const int lines[] = {2, 3, 4, 2, 2, 2, 2, 2, 2, 2, 2};
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        for (size_t chunk = 1; chunk < 40; chunk += 6) {
            char number[32];
            sl_dataset* data = NULL;
            assert_status(SL_ERROR_FORMAT, read_text(bad[k][0], chunk, NULL, &data));
            snprintf(number, sizeof number, "line %d", lines[k]);
            assert_message(number);
            assert_message(bad[k][1]);
            assert_message("column");
            assert_null(data);
        }
    }
}

static void a_failing_source_is_told(void** state) {
    (void)state;
    for (size_t at = 0; at < sizeof good; at += 10) {
        sl_dataset* data = NULL;
        source s = source_of(good, 10);
        s.fail_at = at;
        s.failure = -5;
        assert_status(SL_ERROR_IO, sl_dataset_read(give, &s, NULL, &data, &error));
        s.at = 0;
        s.failure = INT64_MAX; /* more than it was asked for */
        assert_status(SL_ERROR_IO, sl_dataset_read(give, &s, NULL, &data, &error));
        assert_null(data);
    }
}

/* A file in the folder the test runs in. */
static const char path[] = "api_text.tmp";

static void write_file(const char* text, size_t size) {
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void files_are_read_whole(void** state) {
    sl_dataset* data = NULL;
    (void)state;
    write_file(good, sizeof good - 1);
    assert_ok(sl_dataset_load(path, NULL, &data, &error));
    assert_good(data);
    sl_dataset_free(data);
    data = NULL;
    write_file("1 1:1\n2 :1\n", 11);
    assert_status(SL_ERROR_FORMAT, sl_dataset_load(path, NULL, &data, &error));
    assert_message("line 2");
    write_file("", 0);
    assert_ok(sl_dataset_load(path, NULL, &data, &error));
    sl_dataset_free(data);
    data = NULL;
    remove(path);
    assert_status(SL_ERROR_IO, sl_dataset_load(path, NULL, &data, &error));
    assert_message(path);
    assert_status(SL_ERROR_IO, sl_dataset_load(".", NULL, &data, &error));
    assert_null(data);
}

/* Enough text for many blocks of reading: row r is `r (r % 100 + 1):1 101:r`. */
enum { LINES = 60000 };

static char* long_text(void) {
    char *text = malloc(LINES * 40), *at = text;
    assert_non_null(text);
    *at = 0;
    for (int r = 0; r < LINES; ++r) at += sprintf(at, "%d %d:1 101:%d.5\n", r, r % 100 + 1, r);
    return text;
}

static void check_long_row(const sl_dataset* data, uint64_t row, uint32_t r) {
    uint32_t indices[2];
    double values[2], label = 0;
    size_t count = 0;
    assert_ok(sl_dataset_row(data, row, indices, values, 2, &count, &label, NULL, &error));
    assert_true(count == 2 && indices[0] == r % 100 && indices[1] == 100 && label == r && values[1] == r + 0.5);
}

static void long_text_is_read_alike_by_any_number_of_threads(void** state) {
    char* text = long_text();
    (void)state;
    write_file(text, strlen(text));
    for (int threads = 0; threads < 4; ++threads) {
        uint64_t rows = 0;
        sl_dataset* data = NULL;
        sl_options* options = new_options(NULL);
        assert_ok(sl_options_set_number(options, "threads", threads, &error));
        assert_ok(sl_dataset_load(path, options, &data, &error));
        assert_ok(sl_dataset_shape(data, &rows, NULL, NULL, &error));
        assert_int_equal(rows, LINES);
        for (uint32_t r = 0; r < LINES; ++r) check_long_row(data, r, r);
        sl_dataset_free(data);
        sl_options_free(options);
    }
    remove(path);
    free(text);
}

static void readers_hand_out_chunks(void** state) {
    static const size_t sizes[] = {1000, 7, LINES, SIZE_MAX};
    char* text = long_text();
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
        source s = source_of(text, k % 2 ? 4093 : 1000000);
        uint64_t seen = 0, rows = 0;
        sl_reader* reader = NULL;
        assert_ok(sl_reader_create(give, &s, NULL, &reader, &error));
        do {
            sl_dataset* data = NULL;
            assert_ok(sl_reader_next(reader, sizes[k], &data, &error));
            assert_ok(sl_dataset_shape(data, &rows, NULL, NULL, &error));
            assert_true(rows > 0 || seen == LINES);
            for (uint64_t r = 0; r < rows; ++r) check_long_row(data, r, (uint32_t)(seen + r));
            seen += rows;
            if (sizes[k] == 1000 || sizes[k] == 7) assert_in_range(rows, 0, 10 * sizes[k]);
            sl_dataset_free(data);
        } while (rows);
        assert_int_equal(seen, LINES);
        for (int again = 0; again < 2; ++again) {
            sl_dataset* data = NULL;
            assert_ok(sl_reader_next(reader, 5, &data, &error));
            assert_ok(sl_dataset_shape(data, &rows, NULL, NULL, &error));
            assert_int_equal(rows, 0);
            sl_dataset_free(data);
        }
        sl_reader_free(reader);
    }
    free(text);
}

static void readers_count_lines_over_chunks(void** state) {
    char *text = long_text(), first[sizeof error.message];
    uint64_t seen = 0;
    source s;
    sl_reader* reader = NULL;
    sl_status status = SL_OK;
    (void)state;
    strstr(text, "\n4321 ")[1] = 'x'; /* the line of row 4321 is number 4322 */
    s = source_of(text, 1000);
    assert_ok(sl_reader_create(give, &s, NULL, &reader, &error));
    while (status == SL_OK) {
        sl_dataset* data = NULL;
        status = sl_reader_next(reader, 100, &data, &error);
        if (status == SL_OK) {
            uint64_t rows = 0;
            assert_ok(sl_dataset_shape(data, &rows, NULL, NULL, &error));
            assert_true(rows > 0);
            seen += rows;
            sl_dataset_free(data);
        } else {
            assert_null(data);
        }
    }
    assert_int_equal(status, SL_ERROR_FORMAT);
    assert_message("line 4322");
    assert_in_range(seen, 4000, 4321);
    strcpy(first, error.message);
    for (int again = 0; again < 2; ++again) {
        sl_dataset* data = NULL;
        assert_status(SL_ERROR_FORMAT, sl_reader_next(reader, 100, &data, &error));
        assert_string_equal(error.message, first);
        assert_null(data);
    }
    sl_reader_free(reader);
    free(text);
}

static void a_stream_is_learned_in_chunks(void** state) {
    char text[4000], *at = text;
    uint64_t rows = 1, seed = 5;
    source s;
    sl_reader* reader = NULL;
    sl_dataset* whole = NULL;
    sl_model *a = new_model(NULL), *b = new_model(NULL);
    (void)state;
    for (int r = 0; r < 200; ++r) {
        at += sprintf(at, "%d ", (int)(next_random(&seed) % 2));
        at += sprintf(at, "%d:%d\n", (int)(next_random(&seed) % 30 + 1), (int)(next_random(&seed) % 5));
    }
    s = source_of(text, 77);
    assert_ok(sl_reader_create(give, &s, NULL, &reader, &error));
    while (rows) {
        sl_dataset* data = NULL;
        assert_ok(sl_reader_next(reader, 13, &data, &error));
        assert_ok(sl_dataset_shape(data, &rows, NULL, NULL, &error));
        assert_ok(sl_model_feed_dataset(a, data, NULL, &error));
        sl_dataset_free(data);
    }
    assert_ok(read_text(text, 4000, NULL, &whole));
    assert_ok(sl_model_feed_dataset(b, whole, NULL, &error));
    assert_same_models(a, b);
    sl_dataset_free(whole);
    sl_reader_free(reader);
    sl_model_free(a);
    sl_model_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_size_of_chunk_reads_the_same),
        cmocka_unit_test(the_base_is_an_option),
        cmocka_unit_test(malformed_lines_are_told_by_number),
        cmocka_unit_test(a_failing_source_is_told),
        cmocka_unit_test(files_are_read_whole),
        cmocka_unit_test(long_text_is_read_alike_by_any_number_of_threads),
        cmocka_unit_test(readers_hand_out_chunks),
        cmocka_unit_test(readers_count_lines_over_chunks),
        cmocka_unit_test(a_stream_is_learned_in_chunks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
