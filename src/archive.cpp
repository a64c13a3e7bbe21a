#include "archive.h"

#include <array>

namespace sparselin {
namespace {

constexpr std::array<uint64_t, 256> crc_table() {
    std::array<uint64_t, 256> table{};
    for (size_t i = 0; i < table.size(); ++i) {
        uint64_t remainder = i;
        for (int bit = 0; bit < 8; ++bit) remainder = remainder >> 1 ^ (remainder & 1 ? 0xc96c5795d7870f42u : 0);
        table[i] = remainder;
    }
    return table;
}
constexpr std::array<uint64_t, 256> kCrcTable = crc_table();

}  // namespace

void Writer::put_bytes(uint64_t value, int count) {
    for (int i = 0; i < count; ++i) bytes_ += static_cast<char>(value >> (8 * i) & 0xff);
}

uint64_t Reader::get_bytes(int count) {
    const std::string_view raw = get_raw(static_cast<uint64_t>(count));
    uint64_t value = 0;
    for (int i = 0; i < count; ++i) value |= uint64_t{static_cast<unsigned char>(raw[static_cast<size_t>(i)])} << (8 * i);
    return value;
}

uint64_t crc64(std::string_view bytes) {
    uint64_t crc = ~uint64_t{0};
    for (const char byte : bytes) crc = kCrcTable[(crc ^ static_cast<unsigned char>(byte)) & 0xff] ^ crc >> 8;
    return ~crc;
}

}  // namespace sparselin
