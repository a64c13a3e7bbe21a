// exp and its kind: beside exact values, and to the bit on every machine.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "elementary.h"
#include "expect.h"
#include "random.h"

using sparselin::exponential;
using sparselin::log_1_plus;
using sparselin::to_power;

namespace {

double value_of(const char* function, double x, double y) {
    if (std::strcmp(function, "exp") == 0) return exponential(x);
    return std::strcmp(function, "log1p") == 0 ? log_1_plus(x) : to_power(x, y);
}

void test_exact_values(void**) {
    std::FILE* const file = std::fopen(SL_TEST_DATA "/elementary.txt", "r");
    assert_non_null(file);
    char line[200], function[8], x[32], y[32], exact[32];
    int values = 0, nearest = 0;
    while (std::fgets(line, sizeof line, file)) {
        if (std::sscanf(line, "%7s %31s %31s %31s", function, x, y, exact) != 4 || *function == '#') continue;
        const double got = value_of(function, std::strtod(x, nullptr), std::strtod(y, nullptr)), wanted = std::strtod(exact, nullptr);
        if (got != wanted && got != std::nextafter(wanted, got)) fail_msg("%s(%s, %s) is %a, not %s", function, x, y, got, exact);
        ++values;
        nearest += got == wanted;
    }
    std::fclose(file);
    print_message("%d of %d values are the nearest double\n", nearest, values);
    assert_true(values > 500 && nearest >= values * 0.98);
}

void test_the_same_bits(void**) {
    uint64_t hash = 0;
    const auto add = [&](double value) {
        uint64_t bits;
        std::memcpy(&bits, &value, sizeof bits);
        hash = sparselin::mix64(hash ^ bits);
    };
    for (uint64_t i = 0; i < 20000; ++i) {
        const double u = static_cast<double>(sparselin::mix64(i) >> 11) * 0x1p-53;
        add(exponential(1500 * u - 750));
        add(exponential(20 * u - 10));
        add(log_1_plus(u));
        add(log_1_plus(std::ldexp(u, static_cast<int>(i % 100))));
        add(to_power(1 + std::ldexp(u, static_cast<int>(i % 60)), -2 * u));
    }
    if (hash != 0xf42455e5a0f1fcc1) fail_msg("the bits' hash is %llx", static_cast<unsigned long long>(hash));
}

void test_ends(void**) {
    const double inf = HUGE_VAL, nan = std::nan("");
    assert_true(exponential(inf) == inf && exponential(-inf) == 0 && std::isnan(exponential(nan)));
    assert_true(exponential(1e308) == inf && exponential(-1e308) == 0);
    assert_true(log_1_plus(inf) == inf && std::isnan(log_1_plus(nan)));
    assert_true(to_power(inf, -0.5) == 0 && to_power(inf, 0) == 1 && to_power(inf, 1) == inf);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {cmocka_unit_test(test_exact_values), cmocka_unit_test(test_the_same_bits), cmocka_unit_test(test_ends)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
