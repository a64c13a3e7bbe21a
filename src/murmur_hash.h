// MurmurHash3 of 32 bits for x86 (Austin Appleby, public domain): words of four bytes, little-endian, are mixed into h one by one.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "little_endian.h"

namespace sparselin {

[[gnu::always_inline]] inline uint32_t murmur_hash(std::string_view bytes, uint32_t seed) {
    const auto rotated = [](uint32_t x, int by) { return x << by | x >> (32 - by); };
    const auto mixed = [&](uint32_t k) { return rotated(k * 0xcc9e2d51u, 15) * 0x1b873593u; };
    const auto* const data = reinterpret_cast<const unsigned char*>(bytes.data());
    const auto at = [=](size_t i) { return uint32_t{data[i]}; };
    const auto word = [=](size_t i) { return load<uint32_t>(data + i); };
    const size_t size = bytes.size(), whole = size / 4 * 4;
    uint32_t h = seed;
    for (size_t i = 0; i < whole; i += 4) h = rotated(h ^ mixed(word(i)), 13) * 5 + 0xe6546b64u;
    // What is left, of which lengths in any order should not make branches in any order: the end of the last four bytes, or three that may
    // be the same.
    uint32_t rest = 0;
    if (size >= 4)
        rest = static_cast<uint32_t>(uint64_t{word(size - 4)} >> (32 - 8 * (size - whole)));
    else if (size > 0)
        rest = at(0) | at(size / 2) << (8 * (size / 2)) | at(size - 1) << (8 * (size - 1));
    h ^= mixed(rest);
    h ^= static_cast<uint32_t>(size);
    h = (h ^ h >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    return h ^ h >> 16;
}

}  // namespace sparselin
