// What a line of svmlight text may hold, and what is said of one that is malformed.
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "random.h"
#include "text_source.h"

using namespace sparselin;

namespace {

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
    {"1 1:0.123456789 2:-9.00719925474099 3:0.1234567890123456\n", "1 0:0.123456789 1:-9.00719925474099 2:0.1234567890123456;"},
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
    {"3:1 4:1\n", "line 1, column 1", "the label is missing: the line begins with a pair index:value", "\"3:1\""},
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
    SvmlightReader reader({&Source::read, &source}, 1);
    Dataset data;
    reader.next(SIZE_MAX, data);
    assert_int_equal(data.rows(), expected.size());
    for (size_t r = 0; r < expected.size(); ++r)
        if (data.label(r) != expected[r] || std::signbit(data.label(r)) != std::signbit(expected[r]))
            fail_msg("number %zu: %.17g instead of %.17g", r, data.label(r), expected[r]);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(good_text),
        cmocka_unit_test(bad_text),
        cmocka_unit_test(a_norm_that_overflows_is_told_with_its_line),
        cmocka_unit_test(numbers_are_those_of_strtod),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
