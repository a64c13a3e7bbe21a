// MurmurHash3 of 32 bits for x86 (Austin Appleby, public domain): words of four bytes, little-endian, are mixed into h one by one.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sparselin {

inline uint32_t murmur_hash(std::string_view bytes, uint32_t seed) {
    const auto rotated = [](uint32_t x, int by) { return x << by | x >> (32 - by); };
    const auto mixed = [&](uint32_t k) { return rotated(k * 0xcc9e2d51u, 15) * 0x1b873593u; };
    const auto at = [&](size_t i) { return uint32_t{static_cast<unsigned char>(bytes[i])}; };
    const size_t whole = bytes.size() / 4 * 4;
    uint32_t h = seed;
    for (size_t i = 0; i < whole; i += 4)
        h = rotated(h ^ mixed(at(i) | at(i + 1) << 8 | at(i + 2) << 16 | at(i + 3) << 24), 13) * 5 + 0xe6546b64u;
    uint32_t rest = 0;
    switch (bytes.size() - whole) {
        case 3: rest = at(whole + 2) << 16; [[fallthrough]];
        case 2: rest |= at(whole + 1) << 8; [[fallthrough]];
        case 1: h ^= mixed(rest | at(whole));
    }
    h ^= static_cast<uint32_t>(bytes.size());
    h = (h ^ h >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    return h ^ h >> 16;
}

}  // namespace sparselin
