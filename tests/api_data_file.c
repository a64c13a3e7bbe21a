/* Data sets as files: what is saved is loaded, to the bit; what is damaged or lies is refused. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "helpers.h"
#include "seal.h"

#define GOLDEN SL_TEST_DATA "/data-1.0.sld"

enum { HEADER = 40, LARGEST = 1 << 16 };
static const char path[] = "api_data_file.sld";

typedef struct file_bytes {
    size_t length;
    unsigned char bytes[LARGEST];
} file_bytes;

static void read_bytes(const char* from, file_bytes* file) {
    FILE* in = fopen(from, "rb");
    assert_non_null(in);
    file->length = fread(file->bytes, 1, sizeof file->bytes, in);
    assert_true(file->length < sizeof file->bytes);
    fclose(in);
}

static void write_bytes(const file_bytes* file) {
    FILE* out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(file->bytes, 1, file->length, out), file->length);
    assert_int_equal(fclose(out), 0);
}

/* All rows of b are those of a from `first` on. */
static uint64_t assert_same_rows(const sl_dataset* a, uint64_t first, const sl_dataset* b) {
    uint64_t rows;
    assert_ok(sl_dataset_shape(b, &rows, NULL, NULL, &error));
    for (uint64_t r = 0; r < rows; ++r) {
        uint32_t indices[2][100];
        double values[2][100], labels[2], weights[2];
        size_t count[2];
        assert_ok(sl_dataset_row(a, first + r, indices[0], values[0], 100, &count[0], &labels[0], &weights[0], &error));
        assert_ok(sl_dataset_row(b, r, indices[1], values[1], 100, &count[1], &labels[1], &weights[1], &error));
        assert_true(count[0] == count[1] && count[0] <= 100);
        assert_memory_equal(indices[0], indices[1], count[0] * sizeof **indices);
        assert_memory_equal(values[0], values[1], count[0] * sizeof **values);
        assert_bits(labels[0], labels[1]);
        assert_bits(weights[0], weights[1]);
    }
    return rows;
}

static void assert_same_data(const sl_dataset* a, const sl_dataset* b) {
    uint64_t shape_a[3], shape_b[3];
    assert_ok(sl_dataset_shape(a, &shape_a[0], &shape_a[1], &shape_a[2], &error));
    assert_ok(sl_dataset_shape(b, &shape_b[0], &shape_b[1], &shape_b[2], &error));
    assert_memory_equal(shape_a, shape_b, sizeof shape_a);
    assert_same_rows(a, 0, b);
}

static sl_dataset* load(void) {
    sl_dataset* data = NULL;
    assert_ok(sl_dataset_load(path, NULL, &data, &error));
    return data;
}

/* The file as a stream, a few bytes at a time. */
static int64_t give_some(void* file, void* buffer, size_t capacity) {
    return (int64_t)fread(buffer, 1, capacity < 13 ? capacity : 13, file);
}

/* As a file, as a stream and as a stream in chunks, whose failure stays. */
static void assert_refused(sl_status status, const char* message) {
    sl_dataset* data = NULL;
    sl_reader* reader = NULL;
    FILE* stream = fopen(path, "rb");
    assert_non_null(stream);
    assert_status(status, sl_dataset_load(path, NULL, &data, &error));
    assert_message(message);
    assert_message(path);
    assert_status(status, sl_dataset_read(give_some, stream, NULL, &data, &error));
    assert_message(message);
    rewind(stream);
    assert_ok(sl_reader_create(give_some, stream, NULL, &reader, &error));
    for (int k = 0; k < 2; ++k) {
        assert_status(status, sl_reader_next(reader, 1, &data, &error));
        assert_message(message);
        rewind(stream); /* what was not asked for again is not read */
    }
    sl_reader_free(reader);
    fclose(stream);
    assert_null(data);
}

enum { FLOATS, DOUBLES, ONES };

/* Three rows, the second empty; values that floats hold or not, or that are all 1, weights or none. */
static sl_dataset* small_data(int kind, int weighted) {
    static const int64_t pointers[] = {0, 2, 2, 5};
    static const uint32_t indices[] = {1, 4294967295u, 0, 7, 9};
    static const double shorts[] = {0.5, -3, 1, 2, 1024}, longs[] = {0.5, -3, 0.1, 1e100, 5e-324}, labels[] = {1, -1, 2.5};
    static const double weights[] = {1, 0, 2.25};
    sl_dataset* data = NULL;
    assert_ok(sl_dataset_from_csr(3, pointers, indices,
                                  kind == ONES      ? NULL
                                  : kind == DOUBLES ? longs
                                                    : shorts,
                                  labels, weighted ? weights : NULL, &data, &error));
    return data;
}

static void what_is_saved_is_loaded(void** state) {
    sample s;
    (void)state;
    for (int k = 0; k < 8; ++k) {
        static const size_t value_bytes[] = {24, 40, 0}; /* filled up to 8 */
        sl_dataset *data, *back;
        if (k >= 6) fill_sample(&s, k == 6 ? 200 : 0, 60, 1);
        data = k < 6 ? small_data(k % 3, k / 3) : dataset_of(&s);
        assert_ok(sl_dataset_save(data, path, &error));
        if (k < 6) {
            file_bytes file;
            read_bytes(path, &file);
            assert_int_equal(file.length, HEADER + (k / 3 ? 72u : 48u) + value_bytes[k % 3] + 24 + 8);
        }
        back = load();
        assert_same_data(data, back);
        sl_dataset_free(data);
        sl_dataset_free(back);
    }
    unlink(path);
}

/* A stream is told by its first bytes, too, however few come at a time. */
static void what_is_saved_is_read_from_a_stream(void** state) {
    static const size_t chunks[] = {1, 7, 199, 200, SIZE_MAX};
    sample s;
    (void)state;
    for (int k = 0; k < 6; ++k) {
        sl_dataset *data = k < 4 ? small_data(k % 3, k & 2) : (fill_sample(&s, k == 4 ? 200 : 0, 60, 1), dataset_of(&s)), *back = NULL;
        FILE* stream;
        uint64_t all;
        assert_ok(sl_dataset_save(data, path, &error));
        assert_ok(sl_dataset_shape(data, &all, NULL, NULL, &error));
        stream = fopen(path, "rb");
        assert_non_null(stream);
        assert_ok(sl_dataset_read(give_some, stream, NULL, &back, &error));
        assert_same_data(data, back);
        sl_dataset_free(back);
        for (size_t c = 0; c < sizeof chunks / sizeof *chunks; ++c) {
            sl_reader* reader = NULL;
            uint64_t done = 0, rows;
            rewind(stream);
            assert_ok(sl_reader_create(give_some, stream, NULL, &reader, &error));
            do {
                back = NULL;
                assert_ok(sl_reader_next(reader, chunks[c], &back, &error));
                rows = assert_same_rows(data, done, back);
                assert_true(rows == (all - done < chunks[c] ? all - done : chunks[c]));
                done += rows;
                sl_dataset_free(back);
            } while (rows > 0);
            assert_true(done == all);
            sl_reader_free(reader);
        }
        fclose(stream);
        sl_dataset_free(data);
    }
    unlink(path);
}

/* More than one piece of each array, and an odd number of indices. */
static void large_data_are_loaded(void** state) {
    enum { ROWS = 70001 };
    int64_t* pointers = malloc((ROWS + 1) * sizeof *pointers);
    uint32_t* indices = malloc(ROWS * sizeof *indices);
    double* labels = malloc(ROWS * sizeof *labels);
    sl_dataset *data = NULL, *back;
    FILE* stream;
    (void)state;
    for (uint32_t r = 0; r < ROWS; ++r) {
        pointers[r] = r;
        indices[r] = r * 2654435761u;
        labels[r] = 1.0 / (r + 1);
    }
    pointers[ROWS] = ROWS;
    assert_ok(sl_dataset_from_csr(ROWS, pointers, indices, labels, labels, NULL, &data, &error));
    assert_ok(sl_dataset_save(data, path, &error));
    back = load();
    assert_same_data(data, back);
    sl_dataset_free(back);
    back = NULL;
    stream = fopen(path, "rb");
    assert_non_null(stream);
    assert_ok(sl_dataset_read(give_some, stream, NULL, &back, &error));
    assert_same_data(data, back);
    fclose(stream);
    sl_dataset_free(data);
    sl_dataset_free(back);
    free(pointers);
    free(indices);
    free(labels);
    unlink(path);
}

/* A file of version 1.0 is loaded for ever, and for as long as the format is the same, saved again to the same bytes. */
static void a_golden_file_is_loaded(void** state) {
    static file_bytes golden, saved;
    sl_dataset *data = NULL, *expected = small_data(1, 1);
    (void)state;
    assert_ok(sl_dataset_load(GOLDEN, NULL, &data, &error));
    assert_same_data(data, expected);
    assert_ok(sl_dataset_save(expected, path, &error));
    read_bytes(GOLDEN, &golden);
    read_bytes(path, &saved);
    assert_int_equal(golden.length, saved.length);
    assert_memory_equal(golden.bytes, saved.bytes, saved.length);
    sl_dataset_free(data);
    sl_dataset_free(expected);
    unlink(path);
}

static void damaged_files_are_refused(void** state) {
    static file_bytes good, bad;
    sl_dataset* data = small_data(1, 1);
    (void)state;
    assert_ok(sl_dataset_save(data, path, &error));
    sl_dataset_free(data);
    read_bytes(path, &good);
    bad = good;
    for (bad.length = 8; bad.length < good.length; ++bad.length) {
        write_bytes(&bad);
        assert_refused(SL_ERROR_FORMAT, "not a whole data set");
    }
    bad.length = good.length + 1;
    write_bytes(&bad);
    assert_refused(SL_ERROR_FORMAT, "not a whole data set");
    for (size_t at = 8; at < good.length; ++at)
        for (int bit = 0; bit < 8; ++bit) {
            bad = good;
            bad.bytes[at] ^= (unsigned char)(1 << bit);
            write_bytes(&bad);
            data = NULL;
            assert_int_not_equal(sl_dataset_load(path, NULL, &data, &error), SL_OK);
            assert_true(error.status == (at >= 8 && at < 12 ? error.status : SL_ERROR_FORMAT));
            assert_null(data);
        }
    /* What a transfer as text would do, and a name that is not there. */
    bad = good;
    bad.bytes[4] = '\n';
    write_bytes(&bad);
    assert_status(SL_ERROR_FORMAT, sl_dataset_load(path, NULL, &data, &error));
    assert_message("line 1");
    unlink(path);
    assert_status(SL_ERROR_IO, sl_dataset_load(path, NULL, &data, &error));
}

/* Files with a checksum that fits and contents that do not. */
static void lies_are_refused(void** state) {
    enum { ENDS = HEADER, LABELS = ENDS + 24, WEIGHTS = LABELS + 24, VALUES = WEIGHTS + 24, INDICES = VALUES + 40 };
    static const size_t sizes[] = {HEADER, 24, 24, 24, 40, 24};
    static const struct {
        size_t at;
        int width;
        uint64_t number;
        sl_status status;
        const char* message;
    } lies[] = {
        {8, 4, 2, SL_ERROR_VERSION, "format 2"},
        {8, 4, 0, SL_ERROR_FORMAT, "no known kind"},
        {12, 4, 6, SL_ERROR_FORMAT, "no known kind"},
        {12, 4, 4, SL_ERROR_FORMAT, "header is wrong"},
        {12, 4, 0, SL_ERROR_FORMAT, "header is wrong"},
        {16, 8, 4, SL_ERROR_FORMAT, "header is wrong"},
        {16, 8, UINT64_MAX, SL_ERROR_FORMAT, "header is wrong"},
        {24, 8, UINT64_C(1) << 60, SL_ERROR_FORMAT, "header is wrong"},
        {ENDS, 8, 6, SL_ERROR_FORMAT, "row 0: it ends at entry 6 of 5"},
        {ENDS + 8, 8, 1, SL_ERROR_FORMAT, "row 1: it ends at entry 1 of 5, and begins at 2"},
        {ENDS + 16, 8, 4, SL_ERROR_FORMAT, "the rows end at entry 4 of 5"},
        {ENDS + 16, 8, UINT64_MAX, SL_ERROR_FORMAT, "row 2: it ends"},
        {INDICES + 16, 4, 7, SL_ERROR_FORMAT, "row 2: its indices do not ascend"},
        {INDICES + 4, 4, 0, SL_ERROR_FORMAT, "row 0: its indices do not ascend"},
    };
    static const struct {
        size_t at;
        double number;
        const char* message;
    } numbers[] = {
        {LABELS + 16, INFINITY, "row 2: the label is inf"},
        {WEIGHTS + 8, -1, "row 1: the weight is -1"},
        {WEIGHTS, NAN, "row 0: the weight is"},
        {VALUES + 8, NAN, "row 0: the value of index 4294967295 is"},
        {VALUES + 16, 0, "row 2: its indices do not ascend, or a value is 0"},
        {VALUES, 1e200, "row 0: the squared norm"},
    };
    static file_bytes good, bad;
    sl_dataset* data = small_data(1, 1);
    (void)state;
    assert_ok(sl_dataset_save(data, path, &error));
    sl_dataset_free(data);
    read_bytes(path, &good);
    bad = good;
    seal_data(bad.bytes, sizes, 6);
    assert_memory_equal(bad.bytes, good.bytes, good.length); /* the checksum is as described */
    for (size_t k = 0; k < sizeof lies / sizeof *lies; ++k) {
        bad = good;
        put_number(bad.bytes + lies[k].at, lies[k].number, lies[k].width);
        seal_data(bad.bytes, sizes, 6);
        write_bytes(&bad);
        assert_refused(lies[k].status, lies[k].message);
    }
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k) {
        bad = good;
        put_double(bad.bytes + numbers[k].at, numbers[k].number);
        seal_data(bad.bytes, sizes, 6);
        write_bytes(&bad);
        assert_refused(SL_ERROR_FORMAT, numbers[k].message);
    }
    unlink(path);
}

static void saving_replaces_a_file_or_leaves_it(void** state) {
    sl_dataset *data = small_data(0, 0), *other = small_data(1, 1), *back;
    (void)state;
    assert_ok(sl_dataset_save(data, path, &error));
    assert_ok(sl_dataset_save(other, path, &error));
    back = load();
    assert_same_data(other, back);
    sl_dataset_free(back);
    assert_status(SL_ERROR_IO, sl_dataset_save(data, "no/such/folder.sld", &error));
    assert_int_equal(errno, ENOENT);
    assert_status(SL_ERROR_IO, sl_dataset_save(data, "/dev/null", &error));
    assert_int_equal(errno, 0); /* what is not a regular file is not replaced: our reason */
    sl_dataset_free(data);
    sl_dataset_free(other);
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_saved_is_loaded),
        cmocka_unit_test(what_is_saved_is_read_from_a_stream),
        cmocka_unit_test(large_data_are_loaded),
        cmocka_unit_test(a_golden_file_is_loaded),
        cmocka_unit_test(damaged_files_are_refused),
        cmocka_unit_test(lies_are_refused),
        cmocka_unit_test(saving_replaces_a_file_or_leaves_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
