// Ascending order; of many indices in linear time.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sparselin {

// Sorts keys that hold an index of at most `largest` from bit `low` on, digit by digit from the lowest, in as many passes as their number
// makes cheapest. Each pass goes from one of the arrays to the other; the result is in the one that is returned.
template <class Key>
Key* sort_keys(Key* keys, Key* other, size_t count, unsigned low, uint32_t largest) {
    constexpr unsigned kWidest = 11;
    unsigned bits = 1, width = 0;
    while (bits < 32 && largest >> bits) ++bits;
    uint64_t cheapest = UINT64_MAX;
    for (unsigned passes = 1; passes <= bits; ++passes) {
        const unsigned wide = (bits + passes - 1) / passes;
        const uint64_t cost = passes * (4 * uint64_t{count} + (uint64_t{1} << wide));  // in cycles or so
        if (wide > kWidest || cost >= cheapest) continue;
        cheapest = cost;
        width = wide;
    }
    uint32_t places[size_t{1} << kWidest];
    const Key mask = (Key{1} << width) - 1;
    for (unsigned shift = low; shift < low + bits; shift += width) {
        std::fill_n(places, static_cast<size_t>(mask) + 1, 0u);
        for (size_t j = 0; j < count; ++j) ++places[keys[j] >> shift & mask];
        uint32_t place = 0;
        for (size_t digit = 0; digit <= mask; ++digit) place += std::exchange(places[digit], place);
        for (size_t j = 0; j < count; ++j) other[places[keys[j] >> shift & mask]++] = keys[j];
        std::swap(keys, other);
    }
    return keys;
}

void sort_indices(std::vector<uint32_t>& indices);
void sort_distinct(std::vector<uint32_t>& indices);  // leaves one of those that are alike

// The largest index + 1.
inline uint64_t dimension_of(const std::vector<uint32_t>& ascending) { return ascending.empty() ? 0 : uint64_t{ascending.back()} + 1; }

}  // namespace sparselin
