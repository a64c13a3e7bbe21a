// Numbers as text: what std::from_chars reads and refuses, with it and without it.
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>

#include "expect.h"
#include "number.h"

using sparselin::read_number;
using sparselin::Reading;

namespace {

void reads(const char* text, Reading reading, double wanted) {
    double value = 0;
    if (read_number(text, value) != reading || std::memcmp(&value, &wanted, sizeof value) != 0)
        fail_msg("'%s' reads as %.17g", text, value);
}

void test_numbers(void**) {
    reads("0", Reading::number, 0);
    reads("-0", Reading::number, -0.0);
    reads("0e5", Reading::number, 0);
    reads("12", Reading::number, 12);
    reads("-.5", Reading::number, -0.5);
    reads("5.", Reading::number, 5);
    reads("1e3", Reading::number, 1000);
    reads("1E+3", Reading::number, 1000);
    reads("00012e-1", Reading::number, 1.2);
    reads("9007199254740993", Reading::number, 9007199254740992.0);
    reads("9007199254740993.0000000000000000000000000001", Reading::number, 9007199254740994.0);
    reads("2.2250738585072011e-308", Reading::number, 2.2250738585072011e-308);
    reads("5e-324", Reading::number, 5e-324);
    reads("1.7976931348623157e308", Reading::number, 1.7976931348623157e308);
    reads("inf", Reading::number, HUGE_VAL);
    reads("-Infinity", Reading::number, -HUGE_VAL);
    double value = 0;
    assert_true(read_number("nan", value) == Reading::number && std::isnan(value));
}

void test_out_of_range(void**) {
    reads("1e309", Reading::too_large, HUGE_VAL);
    reads("-1e999999999999", Reading::too_large, -HUGE_VAL);
    reads("1e-400", Reading::too_small, 0);
    reads("-0.00001e-400", Reading::too_small, -0.0);
}

void test_what_is_no_number(void**) {
    double value = 0;
    for (const char* text : {"",   " ",   "-",   "+",   ".",    "e5",     "1e",  "1e+",   " 1", "1 ",      "\t1",
                             "+1", "-+1", "--1", "- 1", "0x10", "-0X1p3", "1,5", "1.5.2", "1f", "infinit", "nano"})
        if (read_number(text, value) != Reading::none) fail_msg("'%s' reads as %.17g", text, value);
    assert_true(read_number(std::string_view("1\0", 2), value) == Reading::none);
}

// A text is a part of a longer one, which is not looked at.
void test_part_of_text(void**) {
    double value = 0;
    assert_true(read_number(std::string_view("12345").substr(1, 2), value) == Reading::number && value == 23);
}

void test_there_and_back(void**) {
    std::mt19937_64 random(1);
    for (int round = 0; round < 100000 / SL_SHARE; ++round) {
        const uint64_t bits = random();
        double number, back = 0;
        std::memcpy(&number, &bits, sizeof number);
        if (!std::isfinite(number)) continue;
        assert_true(read_number(sparselin::to_text(number), back) == Reading::number);
        assert_memory_equal(&back, &number, sizeof number);
    }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {cmocka_unit_test(test_numbers), cmocka_unit_test(test_out_of_range),
                                cmocka_unit_test(test_what_is_no_number), cmocka_unit_test(test_part_of_text),
                                cmocka_unit_test(test_there_and_back)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
