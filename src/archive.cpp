#include "archive.h"

#include <array>
#include <cmath>

#include "error.h"
#include "little_endian.h"

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

void Writer::put_indices(const std::vector<uint32_t>& indices, uint64_t bytes) {
    bytes_.reserve(bytes_.size() + sizeof(uint64_t) + indices.size() * static_cast<size_t>(sizeof(uint32_t) + bytes));
    put(uint64_t{indices.size()});
    for (const uint32_t index : indices) put(index);
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

std::vector<uint32_t> Reader::get_indices(uint64_t bytes, uint64_t limit) {
    const auto count = next<uint64_t>(*this);
    check(count <= left() / (sizeof(uint32_t) + bytes), "there are more entries than bytes");
    std::vector<uint32_t> indices(static_cast<size_t>(count));
    for (uint32_t& index : indices) get(index);
    check(indices.empty() || indices.back() < limit, "an index is not below the option dimension");
    for (size_t i = 1; i < indices.size(); ++i) check(indices[i - 1] < indices[i], "indices do not ascend");
    return indices;
}

void Reader::refuse(const char* complaint) const { fail(SL_ERROR_FORMAT, complaint, ", at byte ", uint64_t{at_}); }

uint64_t crc64(std::string_view bytes) {
    const auto* const from = reinterpret_cast<const unsigned char*>(bytes.data());
    uint64_t crc = ~uint64_t{0};
    size_t i = 0;
    for (; i + kAtOnce <= bytes.size(); i += kAtOnce) {
        const uint64_t low = crc ^ load<uint32_t>(from + i);
        crc >>= 8 * kAtOnce;
        for (size_t k = 0; k < kAtOnce; ++k) crc ^= kCrcTables[kAtOnce - 1 - k][byte_of(low, k)];
    }
    for (; i < bytes.size(); ++i) crc = kCrcTables[0][byte_of(crc ^ from[i], 0)] ^ crc >> 8;
    return ~crc;
}

}  // namespace sparselin
