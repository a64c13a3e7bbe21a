#include "archive.h"

#include <array>

namespace sparselin {
namespace {

constexpr size_t kAtOnce = 4;  // bytes

// What a byte that 0, 1, 2 or 3 others follow adds to the checksum.
using CrcTables = std::array<std::array<uint64_t, 256>, kAtOnce>;

constexpr CrcTables crc_tables() {
    CrcTables tables{};
    for (size_t i = 0; i < 256; ++i) {
        uint64_t remainder = i;
        for (size_t behind = 0; behind < kAtOnce; ++behind) {
            for (int bit = 0; bit < 8; ++bit) remainder = remainder >> 1 ^ (remainder & 1 ? 0xc96c5795d7870f42u : 0);
            tables[behind][i] = remainder;
        }
    }
    return tables;
}
constexpr CrcTables kCrcTables = crc_tables();

uint64_t byte_of(uint64_t word, size_t i) { return word >> (8 * i) & 0xff; }

}  // namespace

uint64_t crc64(std::string_view bytes) {
    const auto at = [=](size_t i) { return uint64_t{static_cast<unsigned char>(bytes[i])}; };
    uint64_t crc = ~uint64_t{0};
    size_t i = 0;
    for (; i + kAtOnce <= bytes.size(); i += kAtOnce) {
        const uint64_t low = crc ^ (at(i) | at(i + 1) << 8 | at(i + 2) << 16 | at(i + 3) << 24);
        crc >>= 8 * kAtOnce;
        for (size_t k = 0; k < kAtOnce; ++k) crc ^= kCrcTables[kAtOnce - 1 - k][byte_of(low, k)];
    }
    for (; i < bytes.size(); ++i) crc = kCrcTables[0][byte_of(crc ^ at(i), 0)] ^ crc >> 8;
    return ~crc;
}

}  // namespace sparselin
