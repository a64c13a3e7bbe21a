// The text reader: what a line may hold, what is said of one that is malformed, and that neither the sizes of the reads nor a
// shortage of memory makes a difference to the rows.
#include "svmlight.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "error.h"
#include "random.h"

extern "C" {
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
}

#include "short_memory.h"

using namespace sparselin;

namespace {

struct Source {
    std::string text;
    size_t chunk = SIZE_MAX;  // bytes a read gives at most
    size_t at = 0;
    int reads = 0;

    static int64_t read(void* user, void* buffer, size_t capacity) {
        auto& self = *static_cast<Source*>(user);
        const size_t count = std::min({self.text.size() - self.at, self.chunk, capacity});
        std::memcpy(buffer, self.text.data() + self.at, count);
        self.at += count;
        ++self.reads;
        return static_cast<int64_t>(count);
    }
};

// Rows as `label index:value ...`, indices as they are held (0-based), each closed by a semicolon.
std::string shown(const Dataset& data) {
    std::string text;
    for (size_t r = 0; r < data.rows(); ++r) {
        text += to_text(data.label(r));
        const Row row = data.row(r);
        for (size_t j = 0; j < row.count; ++j) text += concat(" ", row.indices[j], ":", row.values[j]);
        text += ";";
    }
    return text;
}

std::string read_text(const std::string& text, uint32_t base = 1, size_t chunk = SIZE_MAX, size_t rows_a_call = SIZE_MAX) {
    Source source{text, chunk};
    SvmlightReader reader(&Source::read, &source, base);
    Dataset data;
    for (size_t before = SIZE_MAX; data.rows() != before;) {
        before = data.rows();
        reader.next(rows_a_call, data);
    }
    return shown(data);
}

// The error that `call` ends in; its status is SL_OK if it ends in none.
Error error_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        return error;
    }
    return Error(SL_OK, "no error");
}

#define ASSERT_TEXT(actual, expected) assert_string_equal((actual).c_str(), std::string(expected).c_str())

struct GoodText {
    std::string text, rows;
    uint32_t base = 1;
};

const std::string kZeros(400, '0');

const std::vector<GoodText> kGood = {
    {"", ""},
    {"\n\n\r\n\r", ""},
    {" \t \n# nothing\n\t# nothing\r\n", ""},
    {"\xef\xbb\xbf", ""},
    {"\xef\xbb\xbf"
     "1 1:2\n",
     "1 0:2;"},
    {"1", "1;"},
    {"1\n-1\n", "1;-1;"},
    {"+1 1:2", "1 0:2;"},
    {"1 1:2\n-1 3:4\n", "1 0:2;-1 2:4;"},
    {"1 1:2\r\n-1 3:4\r\n", "1 0:2;-1 2:4;"},
    {"1 1:2\r-1 3:4\r", "1 0:2;-1 2:4;"},
    {"1 1:2\n\n \n-1 3:4\r", "1 0:2;-1 2:4;"},
    {" \t1 \t 1:2\t\t3:4 \t\n", "1 0:2 2:4;"},
    {"1 3:4 1:2\n", "1 0:2 2:4;"},
    {"1 3:4 1:2 3:0.5\n", "1 0:2 2:4.5;"},
    {"1 1:0 2:-0 3:0.0 4:0e9 5:5 5:-5 6:0e999999\n", "1;"},
    {"1 qid:12 1:2\n", "1 0:2;"},
    {"1 qid:0\n", "1;"},
    {"1 qid:123456789012345678901234567890 1:2#x\n", "1 0:2;"},
    {"1 # 1:2 nan \x01\n2#\n", "1;2;"},
    {"1 1:2# 2:3\n1 1:2 #\n", "1 0:2;1 0:2;"},
    {"1 1:+2 2:.5 3:5. 4:-.25 5:1e2 6:1E+2 7:25e-2 8:+1.5e1 9:007\n", "1 0:2 1:0.5 2:5 3:-0.25 4:100 5:100 6:0.25 7:15 8:7;"},
    {"-.5e1\n+5.\n", "-5;5;"},
    {"1 007:1 4294967296:1 0000000000000000000000001:3\n", "1 0:3 6:1 4294967295:1;"},
    {"1 0:2 4294967295:1\n", "1 0:2 4294967295:1;", 0},
    {"1.7976931348623157e308\n-1.7976931348623157e+308\n", "1.7976931348623157e+308;-1.7976931348623157e+308;"},
    {"1e-999\n-1e-999\n1e-99999999999999999999\n5e-324\n2e-324\n2.2250738585072014e-308\n1e-310\n",
     "0;-0;0;5e-324;0;2.2250738585072014e-308;1e-310;"},
    {"0e99999999999999999999\n" + kZeros + "1e-400\n0." + kZeros + "1e401\n1" + kZeros + "e-400\n0." + kZeros + kZeros + "1e400\n",
     "0;0;1;1;0;"},
};

struct BadText {
    std::string text;
    std::string place, reason, found;
    uint32_t base = 1;
};

const std::string kNotAPair = "not a pair index:value", kValue = "the value is not a number", kLabel = "the label is not a number";

const std::vector<BadText> kBad = {
    {"x\n", "line 1, column 1", kLabel, "\"x\""},
    {"\n\n  x 1:2\n", "line 3, column 3", kLabel, "\"x\""},
    {"\r\r\n\nx", "line 4, column 1", kLabel, "\"x\""},
    {"\xef\xbb\xbfx", "line 1, column 1", kLabel, "\"x\""},
    {"1\n\xef\xbb\xbf", "line 2, column 1", kLabel, "\"\\xef\\xbb\\xbf\""},
    {"3:1 4:1\n", "line 1, column 1", kLabel, "\"3:1\""},
    {"1,5 1:1\n", "line 1, column 1", kLabel, "\"1,5\""},
    {"nan\n", "line 1, column 1", "the label is not finite", "\"nan\""},
    {"-Infinity\n", "line 1, column 1", "the label is not finite", "\"-Infinity\""},
    {"1e999\n", "line 1, column 1", "the label is beyond the range of a double", "\"1e999\""},
    {"1 0:1\n", "line 1, column 3", "option index_base zero", "\"0:1\""},
    {"1 1:1 00:1\n", "line 1, column 7", "index 0, but indices start at 1", "\"00:1\""},
    {"1 -1:1\n", "line 1, column 3", "a negative index", "\"-1:1\""},
    {"1 -0:1\n", "line 1, column 3", "a negative index", "\"-0:1\"", 0},
    {"1 +1:1\n", "line 1, column 3", kNotAPair, "\"+1:1\""},
    {"1 1.0:1\n", "line 1, column 3", kNotAPair, "\"1.0:1\""},
    {"1 4294967297:1\n", "line 1, column 3", "an index beyond 4294967296", "\"4294967297:1\""},
    {"1 4294967296:1\n", "line 1, column 3", "an index beyond 4294967295", "\"4294967296:1\"", 0},
    {"1 18446744073709551617:1\n", "line 1, column 3", "an index beyond 4294967296", "\"18446744073709551617:1\""},
    {"1 18446744073709551616:1\n", "line 1, column 3", "an index beyond 4294967296", "\"18446744073709551616:1\""},
    {"1 99999999999:1\n", "line 1, column 3", "an index beyond", "\"99999999999:1\""},
    {"1 1:1\n1\t1:1 2\n", "line 2, column 7", kNotAPair, "\"2\""},
    {"1 1 2:3\n", "line 1, column 3", kNotAPair, "\"1\""},
    {"1 1 :3\n", "line 1, column 3", kNotAPair, "\"1\""},
    {"1 :3\n", "line 1, column 3", kNotAPair, "\":3\""},
    {"1 1:\n", "line 1, column 5", kValue, "the end of the line"},
    {"1 1:", "line 1, column 5", kValue, "the end of the line"},
    {"1 1: 2\n", "line 1, column 5", kValue, "a blank"},
    {"1 1::2\n", "line 1, column 5", kValue, "\":2\""},
    {"1 1:2:3\n", "line 1, column 5", kValue, "\"2:3\""},
    {"1 1:2x\n", "line 1, column 5", kValue, "\"2x\""},
    {"1 1:2,5\n", "line 1, column 5", kValue, "\"2,5\""},
    {"1 1:0x1p3\n", "line 1, column 5", kValue, "\"0x1p3\""},
    {"1 1:1e\n", "line 1, column 5", kValue, "\"1e\""},
    {"1 1:1e+\n", "line 1, column 5", kValue, "\"1e+\""},
    {"1 1:1e5.5\n", "line 1, column 5", kValue, "\"1e5.5\""},
    {"1 1:.\n", "line 1, column 5", kValue, "\".\""},
    {"1 1:-\n", "line 1, column 5", kValue, "\"-\""},
    {"1 1:+-2\n", "line 1, column 5", kValue, "\"+-2\""},
    {"1 1:--2\n", "line 1, column 5", kValue, "\"--2\""},
    {"1 1:1.2.3\n", "line 1, column 5", kValue, "\"1.2.3\""},
    {"1 1:nan\n", "line 1, column 5", "the value is not finite", "\"nan\""},
    {"1 1:-NaN(7)\n", "line 1, column 5", "the value is not finite", "\"-NaN(7)\""},
    {"1 1:+INF\n", "line 1, column 5", "the value is not finite", "\"+INF\""},
    {"1 1:1e999\n", "line 1, column 5", "the value is beyond the range of a double", "\"1e999\""},
    {"1 1:-1.7976931348623159e308\n", "line 1, column 5", "the value is beyond", "\"-1.7976931348623159e308\""},
    {"1 1:1e99999999999999999999\n", "line 1, column 5", "the value is beyond", "\"1e99999999999999999999\""},
    {"1 1:0.01e400\n", "line 1, column 5", "the value is beyond", "\"0.01e400\""},
    {"1 1:1" + std::string(310, '0') + "\n", "line 1, column 5", "the value is beyond", "\"1" + std::string(23, '0') + "...\""},
    {"1 qid:\n", "line 1, column 3", "qid: is not followed by a whole number", "\"qid:\""},
    {"1 qid:x 1:1\n", "line 1, column 3", "qid: is not followed", "\"qid:x\""},
    {"1 qid:1.5\n", "line 1, column 3", "qid: is not followed", "\"qid:1.5\""},
    {"1 1:1 qid:1\n", "line 1, column 7", kNotAPair, "\"qid:1\""},
    {"1 cost:1 1:1\n", "line 1, column 3", kNotAPair, "\"cost:1\""},
    {"1 1:1\v2:2\n", "line 1, column 5", kValue, "\"1\\x0b2:2\""},
    {std::string("1 1:1\0\n", 7), "line 1, column 5", kValue, "\"1\\x00\""},
    {std::string("\0\n", 2), "line 1, column 1", kLabel, "\"\\x00\""},
    {"1 1:1 \x1b[31m\xc3\xa9\x7f\n", "line 1, column 7", kNotAPair, "\"\\x1b[31m\\xc3\\xa9\\x7f\""},
    {"1 123456789012345678901234\n", "line 1, column 3", kNotAPair, "\"123456789012345678901234\""},
    {"1 1234567890123456789012345\n", "line 1, column 3", kNotAPair, "\"123456789012345678901234...\""},
};

void good_text(void**) {
    for (const GoodText& good : kGood) {
        ASSERT_TEXT(read_text(good.text, good.base), good.rows);
        for (size_t chunk = 1; chunk <= 64; ++chunk) ASSERT_TEXT(read_text(good.text, good.base, chunk), good.rows);
        ASSERT_TEXT(read_text(good.text, good.base, SIZE_MAX, 1), good.rows);
    }
}

void bad_text(void**) {
    for (const BadText& bad : kBad) {
        const Error error = error_of([&] { read_text(bad.text, bad.base); });
        if (error.status() != SL_ERROR_FORMAT) fail_msg("%s: %s", bad.text.c_str(), error.message().c_str());
        const std::string& message = error.message();
        if (message.find(bad.place + ": ") != 0 || message.find(bad.reason) == std::string::npos || message.size() < bad.found.size() ||
            message.substr(message.size() - bad.found.size()) != bad.found)
            fail_msg("%s: %s", bad.text.c_str(), message.c_str());
        for (const char c : message) assert_in_range(c, 0x20, 0x7e);
        for (size_t chunk = 1; chunk <= 64; ++chunk)
            ASSERT_TEXT(error_of([&] { read_text(bad.text, bad.base, chunk); }).message(), message);
    }
}

void a_norm_that_overflows_is_told_with_its_line(void**) {
    const Error error = error_of([] { read_text("1 1:1\n\n1 7:1e160\n"); });
    assert_int_equal(error.status(), SL_ERROR_INVALID_DATA);
    assert_int_equal(error.message().find("line 3: the squared norm"), 0);
}

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
    SvmlightReader reader(&Source::read, &source, 1);
    Dataset data;
    reader.next(SIZE_MAX, data);
    assert_int_equal(data.rows(), 2);
    const Row row = data.row(0);
    assert_int_equal(row.count, kCount);
    for (uint32_t j = 0; j < kCount; ++j)
        if (row.indices[j] != 2 * j + 1 || row.values[j] != j + 1) fail_msg("entry %u", j);
    assert_int_equal(data.row(1).count, 1);
    assert_int_equal(data.dimension(), 2 * kCount);
}

std::string random_decimal(const RandomStream& random, uint64_t& i) {
    static const char* const kSigns[] = {"", "-", "+"};
    std::string text = kSigns[random.below(3, i++)];
    const uint64_t style = random.below(4, i++);  // short, any number of digits, around 2^53, with a large exponent
    std::string digits;
    if (style == 2) {
        digits = concat((uint64_t{1} << 53) - 5 + random.below(10, i++));
    } else {
        const uint64_t count = 1 + random.below(style == 0 ? 8 : 25, i++);
        while (digits.size() < count) digits += static_cast<char>('0' + random.below(10, i++));
    }
    if (random.below(4, i++)) digits.insert(random.below(digits.size() + 1, i++), ".");
    text += digits;
    if (random.below(2, i++)) {
        const uint64_t reach = style == 3 ? 340 : 25;
        text += random.below(2, i++) ? "e" : "E";
        text += concat(static_cast<int64_t>(random.below(2 * reach + 1, i++)) - static_cast<int64_t>(reach));
    }
    return text;
}

void numbers_are_those_of_strtod(void**) {
    const RandomStream random(2, 0);
    std::string text;
    std::vector<double> expected;
    for (uint64_t i = 0; expected.size() < 1000000;) {
        const std::string number = random_decimal(random, i);
        const double value = std::strtod(number.c_str(), nullptr);
        if (std::isinf(value)) {
            assert_int_equal(error_of([&] { read_text(number); }).status(), SL_ERROR_FORMAT);
            continue;
        }
        expected.push_back(value);
        text += number + "\n";
    }
    Source source{text};
    SvmlightReader reader(&Source::read, &source, 1);
    Dataset data;
    reader.next(SIZE_MAX, data);
    assert_int_equal(data.rows(), expected.size());
    for (size_t r = 0; r < expected.size(); ++r)
        if (data.label(r) != expected[r] || std::signbit(data.label(r)) != std::signbit(expected[r]))
            fail_msg("number %zu: %.17g instead of %.17g", r, data.label(r), expected[r]);
}

void a_failure_stays(void**) {
    Source source{"1 1:2\n2 2:3\n3 x\n4 4:5\n"};
    SvmlightReader reader(&Source::read, &source, 1);
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
        SvmlightReader reader(read, nullptr, 1);
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
        SvmlightReader reader(&Source::read, &source, 1);
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
            SvmlightReader reader(&Source::read, &source, 1);
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
        const int descriptor = ::mkstemp(path_);
        assert_true(descriptor >= 0);
        assert_int_equal(::write(descriptor, text.data(), text.size()), text.size());
        ::close(descriptor);
    }
    ~TemporaryFile() { ::unlink(path_); }
    const char* path() const { return path_; }

  private:
    char path_[32] = "test_svmlight_XXXXXX";
};

void files(void**) {
    std::string text;
    for (uint32_t r = 0; r < 5000; ++r) text += concat(r, " ", r + 1, ":0.5 9999:", r + 1, "\n");
    ASSERT_TEXT(shown(load_svmlight(TemporaryFile(text).path(), 1)), read_text(text));
    ASSERT_TEXT(shown(load_svmlight(TemporaryFile("1 0:2").path(), 0)), "1 0:2;");
    ASSERT_TEXT(shown(load_svmlight(TemporaryFile("").path(), 1)), "");
    const Error error = error_of([] { load_svmlight(TemporaryFile("1 1:1\n1 2\n").path(), 1); });
    assert_int_equal(error.status(), SL_ERROR_FORMAT);
    assert_int_equal(error.message().find("line 2, column 3: "), 0);
}

void pipes(void**) {
    int ends[2];
    assert_int_equal(::pipe(ends), 0);
    const std::string text = "1 1:2\n-1 3:4";
    assert_int_equal(::write(ends[1], text.data(), text.size()), text.size());
    ::close(ends[1]);
    const Dataset data = load_svmlight(concat("/dev/fd/", int64_t{ends[0]}).c_str(), 1);
    ::close(ends[0]);
    ASSERT_TEXT(shown(data), "1 0:2;-1 2:4;");
}

void files_that_cannot_be_read(void**) {
    const auto message = [](const std::string& path) {
        const Error error = error_of([&] { load_svmlight(path.c_str(), 1); });
        assert_int_equal(error.status(), SL_ERROR_IO);
        return error.message();
    };
    ASSERT_TEXT(message("no/such/file"), "cannot open no/such/file: No such file or directory");
    ASSERT_TEXT(message("."), "cannot read .: Is a directory");
    const std::string kept(150, 'y');
    ASSERT_TEXT(message("x" + kept), "cannot open ..." + kept + ": No such file or directory");
    ASSERT_TEXT(message("\xc3\xa9" + kept.substr(1)), "cannot open ..." + kept.substr(1) + ": No such file or directory");
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(good_text),
        cmocka_unit_test(bad_text),
        cmocka_unit_test(a_norm_that_overflows_is_told_with_its_line),
        cmocka_unit_test(lines_may_lie_anywhere_in_the_reads),
        cmocka_unit_test(a_row_of_a_million_nonzeros),
        cmocka_unit_test(numbers_are_those_of_strtod),
        cmocka_unit_test(a_failure_stays),
        cmocka_unit_test(a_read_function_that_fails),
        cmocka_unit_test(a_line_is_read_no_later_than_the_byte_after_it),
        cmocka_unit_test(memory_may_run_out_anywhere),
        cmocka_unit_test(files),
        cmocka_unit_test(pipes),
        cmocka_unit_test(files_that_cannot_be_read),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
