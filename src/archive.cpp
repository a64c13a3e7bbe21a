#include "archive.h"

#include <array>
#include <cmath>

#include "error.h"
#include "little_endian.h"

namespace sparselin {
namespace {

constexpr size_t kAtOnce = 8;  // bytes

// What a byte that 0 to 7 others follow adds to the checksum.
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

size_t byte_of(uint64_t word, size_t i) { return static_cast<size_t>(word >> (8 * i) & 0xff); }

template <class Number>
void append(std::string& bytes, Number number) {
    unsigned char raw[sizeof number];
    store(raw, number);
    bytes.append(reinterpret_cast<const char*>(raw), sizeof raw);
}
template <class Number>
Number next(Reader& reader) {
    return load<Number>(reinterpret_cast<const unsigned char*>(reader.get_raw(sizeof(Number)).data()));
}

}  // namespace

void Writer::put(uint64_t value) { append(bytes_, value); }
void Writer::put(uint32_t value) { append(bytes_, value); }
void Writer::put(bool value) { bytes_ += value ? '\1' : '\0'; }

void Writer::put(double value) {
    check(std::isfinite(value), "a number is not finite");
    append(bytes_, value);
}

void Writer::put(const std::string& text) {
    append(bytes_, static_cast<uint32_t>(text.size()));
    bytes_ += text;
}

void Writer::refuse(const char* complaint) {
    fail(SL_ERROR_DIVERGED, "the model cannot be saved, since it could not be loaded again: ", complaint);
}

void Reader::get(uint64_t& value) { value = next<uint64_t>(*this); }
void Reader::get(uint32_t& value) { value = next<uint32_t>(*this); }

void Reader::get(bool& value) {
    const char byte = get_raw(1)[0];
    check(byte == 0 || byte == 1, "a flag is neither 0 nor 1");
    value = byte == 1;
}

void Reader::get(double& value) {
    value = next<double>(*this);
    check(std::isfinite(value), "a number is not finite");
}

void Reader::get(std::string& text) { text = get_raw(next<uint32_t>(*this)); }

std::string_view Reader::get_raw(uint64_t count) {
    check(count <= left(), "it ends within a field");
    const std::string_view raw = bytes_.substr(at_, static_cast<size_t>(count));
    at_ += static_cast<size_t>(count);
    return raw;
}

void Reader::refuse(const char* complaint) const { fail(SL_ERROR_FORMAT, complaint, ", at byte ", uint64_t{at_}); }

uint64_t crc64(std::string_view bytes) {
    const auto* const from = reinterpret_cast<const unsigned char*>(bytes.data());
    uint64_t crc = ~uint64_t{0};
    size_t i = 0;
    for (; i + kAtOnce <= bytes.size(); i += kAtOnce) {
        const uint64_t word = crc ^ load<uint64_t>(from + i);
        crc = 0;
        for (size_t k = 0; k < kAtOnce; ++k) crc ^= kCrcTables[kAtOnce - 1 - k][byte_of(word, k)];
    }
    for (; i < bytes.size(); ++i) crc = kCrcTables[0][byte_of(crc ^ from[i], 0)] ^ crc >> 8;
    return ~crc;
}

}  // namespace sparselin
