// Loops over classes give the bits that each class gives by itself, whatever number of doubles goes at a time: for every number of classes
// and of entries up to where tiles and lanes have been full and left over.
#include <cstdio>
#include <cstring>
#include <type_traits>
#include <vector>

#include "class_loops.h"
#include "random.h"
#include "row.h"

namespace {

using namespace sparselin;

int failures = 0;

void check(const char* what, size_t classes, size_t count, const std::vector<double>& actual, const std::vector<double>& expected) {
    for (size_t k = 0; k < classes; ++k) {
        if (std::memcmp(&actual[k], &expected[k], sizeof(double)) == 0) continue;
        if (++failures <= 10) std::printf("%s, %zu classes, %zu entries: %a, not %a\n", what, classes, count, actual[k], expected[k]);
    }
}

template <class Weight>
void check_sums(size_t classes, size_t count, const std::vector<const double*>& blocks, const std::vector<double>& x, Weight weight) {
    std::vector<double> expected(classes), widest(classes), twos(classes);
    for (size_t k = 0; k < classes; ++k) expected[k] = sum_in_lanes(count, [&](size_t j) { return weight(blocks[j][k]) * x[j]; });
    sum_blocks(classes, count, blocks.data(), x.data(), weight, widest.data());
    sum_blocks_by<Two>(classes, count, blocks.data(), x.data(), weight, twos.data());
    check("sums", classes, count, widest, expected);
    check("sums, two at a time", classes, count, twos, expected);
}

void check_product(size_t classes, const double* from, double x, const std::vector<double>& to) {
    std::vector<double> expected = to, widest = to, twos = to;
    for (size_t k = 0; k < classes; ++k) expected[k] += from[k] * x;
    run_widest(
        classes, [ =, to = widest.data() ](auto width)
                     __attribute__((always_inline)) { add_product<typename decltype(width)::type>(classes, from, x, to); });
    add_product<Two>(classes, from, x, twos.data());
    check("products", classes, 1, widest, expected);
    check("products, two at a time", classes, 1, twos, expected);
}

}  // namespace

int main() {
    constexpr size_t kClasses = 40, kEntries = 21;
    const RandomStream random(1, 0);
    uint64_t drawn = 0;
    const auto draw = [&] { return (static_cast<double>(random.below(uint64_t{1} << 52, drawn++)) - 0x1p51) * 0x1p-50; };
    std::vector<std::vector<double>> numbers(kEntries, std::vector<double>(kClasses + 1));
    std::vector<double> x(kEntries);
    for (auto& block : numbers)
        for (double& number : block) number = draw();
    for (double& value : x) value = draw();
    for (size_t shift = 0; shift < 2; ++shift) {  // blocks lie at any multiple of 8
        std::vector<const double*> blocks;
        for (const auto& block : numbers) blocks.push_back(block.data() + shift);
        for (size_t classes = 2; classes <= kClasses; ++classes) {
            check_product(classes, blocks[0], x[0], std::vector<double>(blocks[1], blocks[1] + classes));
            for (size_t count = 0; count <= kEntries; ++count) {
                check_sums(
                    classes, count, blocks, x, [](const auto& u) __attribute__((always_inline)) { return u; });
                check_sums(
                    classes, count, blocks, x,
                    [](const auto& u) __attribute__((always_inline)) { return beyond(u, same_in_all<std::decay_t<decltype(u)>>(0.5)); });
            }
        }
    }
    return failures > 0;
}
