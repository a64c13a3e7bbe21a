// Rows that are scanned: the bits of the plain sums, no flaw unseen at any place, and nothing read but the row and the weights below its
// last index: the arrays end where memory does.
#include "row_scan.h"

#ifdef _WIN32
#define NOMINMAX 1
#include <windows.h>
#else
#include <sys/mman.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "example.h"
#include "random.h"

namespace {

using namespace sparselin;

int failures = 0;

void expect(bool condition, const std::string& what) {
    if (condition) return;
    ++failures;
    std::fprintf(stderr, "%s\n", what.c_str());
}

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

// Room for numbers right before memory that must not be touched.
template <class T>
class AtTheEnd {
  public:
    AtTheEnd() {
#ifdef _WIN32
        constexpr size_t page = 4096;
        DWORD before;
        char* const memory = static_cast<char*>(VirtualAlloc(nullptr, 2 * page, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE));
        VirtualProtect(memory + page, page, PAGE_NOACCESS, &before);
#else
        const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
        char* const memory = static_cast<char*>(mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        mprotect(memory + page, page, PROT_NONE);
#endif
        end_ = reinterpret_cast<T*>(memory + page);
    }
    T* put(const std::vector<T>& numbers) {
        T* const start = end_ - numbers.size();
        if (!numbers.empty()) std::memcpy(start, numbers.data(), numbers.size() * sizeof(T));
        return start;
    }

  private:
    T* end_;
};

struct Scanner {
    AtTheEnd<uint32_t> indices;
    AtTheEnd<double> values, weights;

    // Whether the row is found canonical, by scan_norm and by scan_product, which has the first `size` of the weights.
    struct Found {
        bool canonical, multiplied;
        double squared_norm, product;
    };
    Found operator()(const std::vector<uint32_t>& i, const std::vector<double>& v, const std::vector<double>& w) {
        const RawRow row{indices.put(i), values.put(v), i.size()};
        Found found{};
        found.canonical = scan_norm(row, found.squared_norm);
        found.multiplied = scan_product(row, weights.put(w), w.size(), found.product);
        return found;
    }
};

#if defined(__SSE2__) && !defined(SL_WITHOUT_SSE2)
constexpr bool kScans = true;
#else
constexpr bool kScans = false;
#endif

constexpr size_t kLongest = 23;

void test_sound_rows(Scanner& scan) {
    const RandomStream random(7, 1);
    uint64_t draws = 0;
    const auto draw = [&](uint64_t below) { return random.below(below, draws++); };
    for (size_t count = 0; count <= kLongest; ++count)
        for (int repeat = 0; repeat < 50; ++repeat) {
            std::vector<uint32_t> indices;
            std::vector<double> values, weights;
            uint32_t next = 0;
            for (size_t j = 0; j < count; ++j) {
                indices.push_back(next += static_cast<uint32_t>(draw(9)));
                values.push_back(std::ldexp(1.0 + static_cast<double>(draw(1 << 20)), static_cast<int>(draw(200)) - 120) *
                                 (draw(2) ? 1 : -1));
                ++next;
            }
            for (uint32_t i = 0; i < next; ++i) weights.push_back(static_cast<double>(draw(1 << 20)) / 77 - 5000);
            const Scanner::Found found = scan(indices, values, weights);
            const std::string name = "row of " + std::to_string(count);
            expect(found.canonical == (kScans && count > 0) && found.multiplied == found.canonical, name + " is not taken");
            if (!found.canonical) continue;
            expect(same_bits(found.squared_norm, sum_in_lanes(count, [&](size_t j) { return values[j] * values[j]; })),
                   name + ": its norm");
            expect(same_bits(found.product, sum_in_lanes(count, [&](size_t j) { return weights[indices[j]] * values[j]; })),
                   name + ": its product");
            weights.pop_back();
            expect(!scan(indices, values, weights).multiplied, name + " has an index that is too large");
        }
}

void test_flaws(Scanner& scan) {
    const double infinity = std::numeric_limits<double>::infinity(), tiny = std::numeric_limits<double>::denorm_min();
    for (size_t count = 1; count <= kLongest; ++count)
        for (size_t at = 0; at < count; ++at) {
            std::vector<uint32_t> indices;
            for (size_t j = 0; j < count; ++j) indices.push_back(static_cast<uint32_t>(10 * j));
            const std::vector<double> values(count, 0.5), weights(10 * count, 2.0);
            const std::string name = "row of " + std::to_string(count) + " with a flaw at " + std::to_string(at);
            const auto refused = [&](const std::vector<uint32_t>& i, const std::vector<double>& v, bool by_norm, const char* flaw) {
                const Scanner::Found found = scan(i, v, weights);
                expect(!found.multiplied && !(by_norm && found.canonical), name + ": " + flaw);
            };
            const auto with_index = [&](uint32_t index, const char* flaw) {
                std::vector<uint32_t> changed = indices;
                changed[at] = index;
                refused(changed, values, at + 1 < count, flaw);
            };
            const auto with_value = [&](double value, bool by_norm, const char* flaw) {
                std::vector<double> changed = values;
                changed[at] = value;
                refused(indices, changed, by_norm, flaw);
            };
            with_index(static_cast<uint32_t>(10 * count), "an index that is too large");
            with_index(INT32_MAX, "the largest int");
            with_index(uint32_t{INT32_MAX} + 1, "a negative int");
            with_index(UINT32_MAX, "the largest index");
            if (at > 0) with_index(indices[at - 1], "a repeated index");
            if (at > 0) with_index(indices[at - 1] - 1, "a smaller index");
            if (at + 1 < count) with_index(indices[at + 1], "its next index");
            with_value(0.0, true, "a zero");
            with_value(-0.0, true, "a negative zero");
            with_value(tiny, true, "a number next to zero");
            with_value(1.01e150, false, "a square that is too large");
            with_value(-1.01e150, false, "a square that is too large");
            for (const double value : {std::nan(""), infinity, -infinity}) {
                std::vector<double> changed = values;
                changed[at] = value;
                const Scanner::Found found = scan(indices, changed, weights);
                expect(!found.multiplied && !(found.canonical && std::isfinite(found.squared_norm)), name + ": not finite");
            }
        }
}

// Indices far too large in the midst of others, each larger than the one before but for the way back.
void test_detours(Scanner& scan) {
    for (size_t count = 3; count <= kLongest; ++count)
        for (size_t start = 0; start + 2 <= count; ++start)
            for (size_t end = start + 1; end < count; ++end) {
                std::vector<uint32_t> indices;
                for (uint32_t j = 0; j < count; ++j) indices.push_back(j >= start && j < end ? (uint32_t{1} << 30) + j : j);
                expect(!scan(indices, std::vector<double>(count, 1.0), std::vector<double>(count, 1.0)).multiplied, "a detour is taken");
            }
}

// Rows in any order, with repetitions and sums of 0, of lengths and largest indices that take one to four passes or none: what a stable
// sort makes of them.
void test_orders() {
    const RandomStream random(7, 0);
    uint64_t draws = 0;
    RowBuffer buffer;
    for (const size_t count : {2u, 3u, 17u, 32u, 33u, 80u, 300u, 1000u, 5000u})
        for (unsigned bits = 1; bits <= 32; ++bits)
            for (const bool has_values : {true, false}) {
                std::vector<uint32_t> indices;
                std::vector<double> values;
                for (size_t j = 0; j < count; ++j) {
                    indices.push_back(static_cast<uint32_t>(random.below(uint64_t{1} << bits, draws++)));
                    values.push_back(0.1 * static_cast<double>(random.below(7, draws++)) - 0.3);
                }
                // One that is there again, or one beside which the others look alike.
                if (count > 2) indices.back() = random.below(2, draws++) ? indices.front() : UINT32_MAX;
                std::vector<size_t> order(count);
                for (size_t j = 0; j < count; ++j) order[j] = j;
                std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return indices[a] < indices[b]; });
                std::vector<uint32_t> expected;
                std::vector<double> sums;
                for (size_t j = 0; j < count;) {
                    const uint32_t index = indices[order[j]];
                    double sum = 0;
                    for (; j < count && indices[order[j]] == index; ++j) sum += has_values ? values[order[j]] : 1;
                    if (sum == 0) continue;
                    expected.push_back(index);
                    sums.push_back(sum);
                }
                const Row row = buffer.canonical({indices.data(), has_values ? values.data() : nullptr, count});
                bool same = row.count == expected.size();
                for (size_t j = 0; j < row.count && same; ++j) same = row.indices[j] == expected[j] && same_bits(row.values[j], sums[j]);
                expect(same, std::to_string(count) + " entries of " + std::to_string(bits) + " bits are not sorted");
            }
}

}  // namespace

int main() {
    test_orders();
    Scanner scan;
    test_sound_rows(scan);
    test_flaws(scan);
    test_detours(scan);
    if (failures) std::fprintf(stderr, "%d failures\n", failures);
    return failures ? 1 : 0;
}
