// Neither the sizes of the reads, nor where the text comes from, nor a shortage of memory makes a difference to the rows.
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "dataset_reader.h"
#include "random.h"
#include "short_memory.h"
#include "text_source.h"

using namespace sparselin;

namespace {

// Rows of many lengths, comments and empty lines, larger in all than what the reader asks for at a time.
void lines_may_lie_anywhere_in_the_reads(void**) {
    static const char* const kEnds[] = {"\n", "\r\n", "\r", " # about\n", "\n\n", "\t\r\n#\n"};
    const RandomStream random(1, 0);
    std::string text, rows;
    for (uint64_t i = 0, row = 0; row < 3000; ++row) {
        text += concat(row);
        rows += concat(row);
        const uint64_t count = random.below(row % 100 == 0 ? 2000 : 20, i++);
        uint64_t index = 0;
        for (uint64_t j = 0; j < count; ++j) {
            index += 1 + random.below(99, i++);
            const double value = 0.25 * static_cast<double>(1 + random.below(999, i++));
            text += concat(" ", index, ":", value);
            rows += concat(" ", index - 1, ":", value);
        }
        text += kEnds[random.below(6, i++)];
        rows += ";";
    }
    assert_true(text.size() > 600000);
    for (const size_t chunk : {size_t{1}, size_t{7}, size_t{4096}, size_t{100003}, SIZE_MAX})
        for (const size_t rows_a_call : {size_t{1}, size_t{10}, SIZE_MAX}) assert_true(read_text(text, 1, chunk, rows_a_call) == rows);
}

void a_row_of_a_million_nonzeros(void**) {
    constexpr uint32_t kCount = 1000000;
    std::string text = "1";
    for (uint32_t j = kCount; j > 0; --j) text += concat(" ", 2 * j, ":", j);
    Source source{text + "\n-1 1:5\n"};
    SvmlightReader reader({&Source::read, &source}, 1);
    Dataset data;
    reader.next(SIZE_MAX, data);
    assert_int_equal(data.rows(), 2);
    ValueBuffer values;
    const Row row = data.row(0, values);
    assert_int_equal(row.count, kCount);
    for (uint32_t j = 0; j < kCount; ++j)
        if (row.indices[j] != 2 * j + 1 || row.values[j] != j + 1) fail_msg("entry %u", j);
    assert_int_equal(data.pattern(1).count, 1);
    assert_int_equal(data.dimension(), 2 * kCount);
}

// However the line ends, wherever the reads end, and in any number of threads. Of one that is longer no more is read than that much.
void a_line_has_its_longest_length(void**) {
    constexpr size_t kLongest = 400000;
    const auto read = [](Source& source, uint32_t threads) {
        SvmlightReader reader({&Source::read, &source}, 1, threads, kLongest);
        Dataset data;
        reader.next(SIZE_MAX, data);
        return shown(data);
    };
    for (const char* end : {"\n", "\r\n", "\r"})
        for (const uint32_t threads : {1, 3})
            for (const size_t chunk : {size_t{999}, SIZE_MAX})
                for (size_t length = kLongest - 2; length <= kLongest; ++length) {
                    Source source{concat("1 1:2", end, "2", std::string(length - 4, ' '), "3:4", end, "5", end), chunk};
                    ASSERT_TEXT(read(source, threads), "1 0:2;2 2:4;5;");
                }
    for (const uint32_t threads : {1, 3})
        for (const char filling : {' ', '0', '#'}) {
            Source source{"1 1:2\n2" + std::string(kLongest + 1, filling) + "\n"};
            ASSERT_TEXT(error_of([&] { read(source, threads); }).message(), "line 2 is longer than 400000 bytes");
            source.text += std::string(kLongest, '\n');
            source.at = 0;
            error_of([&] { read(source, threads); });
            assert_in_range(source.at, kLongest, kLongest + 20);
        }
}

void a_failure_stays(void**) {
    Source source{"1 1:2\n2 2:3\n3 x\n4 4:5\n"};
    DatasetReader reader({&Source::read, &source}, 1);
    Dataset data;
    const Error first = error_of([&] { reader.next(SIZE_MAX, data); });
    assert_int_equal(first.status(), SL_ERROR_FORMAT);
    ASSERT_TEXT(shown(data), "1 0:2;2 1:3;");
    const int reads = source.reads;
    const Error second = error_of([&] { reader.next(1, data); });
    assert_int_equal(second.status(), SL_ERROR_FORMAT);
    ASSERT_TEXT(second.message(), first.message());
    ASSERT_TEXT(shown(data), "1 0:2;2 1:3;");
    assert_int_equal(source.reads, reads);
}

void a_read_function_that_fails(void**) {
    static int64_t result;
    static int reads;
    const sl_read_fn read = [](void*, void*, size_t capacity) {
        ++reads;
        return result < 0 ? result : static_cast<int64_t>(capacity) + result;
    };
    for (const int64_t returned : {int64_t{-1}, INT64_MIN, int64_t{1}, int64_t{1} << 40}) {
        result = returned;
        reads = 0;
        DatasetReader reader({read, nullptr}, 1);
        Dataset data;
        for (int call = 0; call < 2; ++call) {
            const Error error = error_of([&] { reader.next(1, data); });
            assert_int_equal(error.status(), SL_ERROR_IO);
            ASSERT_TEXT(error.message().substr(0, 26), returned < 0 ? "the read function failed" : "the read function returned");
        }
        assert_int_equal(reads, 1);
        assert_int_equal(data.rows(), 0);
    }
}

// A reader that waits for more than the line needs would keep an old Macintosh file, or a slow pipe, in memory.
void a_line_is_read_no_later_than_the_byte_after_it(void**) {
    for (const char* end : {"\n", "\r", "\r\n"}) {
        Source source{concat("1", end, "2", end, "3", end, "4"), 1};
        SvmlightReader reader({&Source::read, &source}, 1);
        for (size_t r = 0; r < 3; ++r) {
            Dataset data;
            reader.next(1, data);
            assert_int_equal(data.rows(), 1);
            assert_in_range(source.at, 0, (r + 1) * (1 + std::strlen(end)) + 1);
        }
    }
}

// With the n-th allocation failing, for every n: whole rows only, and the reader fails from then on.
void memory_may_run_out_anywhere(void**) {
    std::string text;
    for (uint32_t r = 0; r < 40; ++r) text += concat(r, " 9:1 3:2 ", r + 1, ":3\n");
    text += "40 1:1" + std::string(300000, ' ') + "2:1\n";
    const std::string rows = read_text(text);
    Source source{text};
    bool complete = false;
    for (int64_t n = 0; !complete; ++n) {
        source.at = 0;
        Dataset data;
        bool failed_again = false;
        allocations_left = n;
        try {
            DatasetReader reader({&Source::read, &source}, 1);
            try {
                reader.next(SIZE_MAX, data);
                complete = true;
            } catch (const std::bad_alloc&) {
                allocations_left = -1;
                try {
                    reader.next(SIZE_MAX, data);
                } catch (const std::bad_alloc&) {
                    failed_again = true;
                }
                assert_true(failed_again);
            }
        } catch (const std::bad_alloc&) {
        }
        allocations_left = -1;
        const std::string read = shown(data);
        assert_true(rows.compare(0, read.size(), read) == 0);
        assert_true(!complete || read == rows);
        assert_true(n < 1000);
    }
}

// A file of some text in the current folder, removed at the end.
class TemporaryFile {
  public:
    explicit TemporaryFile(const std::string& text) {
        std::FILE* const file = std::fopen(path(), "wb");
        assert_non_null(file);
        assert_int_equal(std::fwrite(text.data(), 1, text.size(), file), text.size());
        std::fclose(file);
    }
    ~TemporaryFile() { std::remove(path()); }
    const char* path() const { return "test_svmlight_stream.tmp"; }
};

Dataset load(const std::string& path, uint32_t base) { return load_dataset(path.c_str(), base); }

// Large arrays are given room beyond what is needed next, but not where that is more than there is.
void memory_may_be_short_of_spare_room(void**) {
    std::string row = "1";
    for (uint32_t j = 1; j <= 1000; ++j) row += concat(" ", j, ":1");
    std::string text;
    for (int r = 0; r < 600; ++r) text += row + "\n";
    Source source{text};
    SvmlightReader reader({&Source::read, &source}, 1);
    Dataset data;
    largest_allocation = size_t{10} << 20;
    const Error error = error_of([&] { reader.next(SIZE_MAX, data); });
    largest_allocation = SIZE_MAX;
    ASSERT_TEXT(error.message(), "no error");
    assert_int_equal(data.nonzeros(), 600000);
}

void files(void**) {
    std::string text;
    for (uint32_t r = 0; r < 5000; ++r) text += concat(r, " ", r + 1, ":0.5 9999:", r + 1, "\n");
    ASSERT_TEXT(shown(load(TemporaryFile(text).path(), 1)), read_text(text));
    ASSERT_TEXT(shown(load(TemporaryFile("1 0:2").path(), 0)), "1 0:2;");
    ASSERT_TEXT(shown(load(TemporaryFile("").path(), 1)), "");
    const Error error = error_of([] { load(TemporaryFile("1 1:1\n1 2\n").path(), 1); });
    assert_int_equal(error.status(), SL_ERROR_FORMAT);
    assert_int_equal(error.message().find("line 2, column 3: "), 0);
}

// The first rows say nothing of the rest, which is empty lines: the room that they ask for is more than there is.
void memory_may_be_short_of_what_a_file_seems_to_hold(void**) {
    std::string row = "1", text;
    for (uint32_t j = 1; j <= 100; ++j) row += concat(" ", j, ":1");
    for (int r = 0; r < 2000; ++r) text += row + "\n";
    const TemporaryFile file(text + std::string(size_t{4} << 20, '\n'));
    Dataset data;
    largest_allocation = size_t{4} << 20;
    bool short_of_memory = false;
    try {
        data = load(file.path(), 1);
    } catch (const std::bad_alloc&) {
        short_of_memory = true;
    }
    largest_allocation = SIZE_MAX;
    assert_false(short_of_memory);
    assert_int_equal(data.rows(), 2000);
    assert_int_equal(data.nonzeros(), 200000);
}

#ifndef _WIN32  // where a pipe has no name
void pipes(void**) {
    int ends[2];
    assert_int_equal(::pipe(ends), 0);
    const std::string text = "1 1:2\n-1 3:4";
    assert_int_equal(::write(ends[1], text.data(), text.size()), text.size());
    ::close(ends[1]);
    const Dataset data = load(concat("/dev/fd/", int64_t{ends[0]}), 1);
    ::close(ends[0]);
    ASSERT_TEXT(shown(data), "1 0:2;-1 2:4;");
}
#endif

void files_that_cannot_be_read(void**) {
    const auto message = [](const std::string& path) {
        const Error error = error_of([&] { load(path, 1); });
        assert_int_equal(error.status(), SL_ERROR_IO);
        return error.message();
    };
    ASSERT_TEXT(message("no/such/file"), "cannot open no/such/file: No such file or directory");
    assert_true(message(".").find(" .: Is a directory") != std::string::npos);  // which cannot be read, or not even opened
    const std::string kept(150, 'y');
    ASSERT_TEXT(message("x" + kept), "cannot open ..." + kept + ": No such file or directory");
    ASSERT_TEXT(message("\xc3\xa9" + kept.substr(1)), "cannot open ..." + kept.substr(1) + ": No such file or directory");
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(lines_may_lie_anywhere_in_the_reads),
        cmocka_unit_test(a_row_of_a_million_nonzeros),
        cmocka_unit_test(a_line_has_its_longest_length),
        cmocka_unit_test(a_failure_stays),
        cmocka_unit_test(a_read_function_that_fails),
        cmocka_unit_test(a_line_is_read_no_later_than_the_byte_after_it),
        cmocka_unit_test(memory_may_run_out_anywhere),
        cmocka_unit_test(memory_may_be_short_of_spare_room),
        cmocka_unit_test(files),
        cmocka_unit_test(memory_may_be_short_of_what_a_file_seems_to_hold),
#ifndef _WIN32
        cmocka_unit_test(pipes),
#endif
        cmocka_unit_test(files_that_cannot_be_read),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
