// Fields to bytes and back, little-endian on every machine. A class lists its fields once, in a function template that both a Writer and
// a Reader go through.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "error.h"

namespace sparselin {

class Writer {
  public:
    static constexpr bool reads = false;

    template <class... Fields>
    void operator()(const Fields&... fields) {
        (put(fields), ...);
    }
    void put(uint64_t value) { put_bytes(value, 8); }
    void put(uint32_t value) { put_bytes(value, 4); }
    void put(bool value) { put_bytes(value, 1); }
    void put(double value) {
        check(std::isfinite(value), "a number is not finite");
        uint64_t bits;
        std::memcpy(&bits, &value, sizeof bits);
        put_bytes(bits, 8);
    }
    void put(const std::string& text) {
        put_bytes(text.size(), 4);
        bytes_ += text;
    }
    void put_raw(std::string_view bytes) { bytes_ += bytes; }
    std::string& bytes() { return bytes_; }

    // Nothing is written that would not be read. Only training on from a file that somebody made up comes to that.
    void check(bool holds, const char* complaint) const {
        if (!holds) fail(SL_ERROR_DIVERGED, "the model cannot be saved, since it could not be loaded again: ", complaint);
    }

  private:
    void put_bytes(uint64_t value, size_t count) {
        char raw[8];
        for (size_t i = 0; i < count; ++i) raw[i] = static_cast<char>(value >> (8 * i) & 0xff);
        bytes_.append(raw, count);
    }
    std::string bytes_;
};

// Trusts nothing: every field is checked against the bytes that are left, and every double must be finite.
class Reader {
  public:
    static constexpr bool reads = true;

    explicit Reader(std::string_view bytes) : bytes_(bytes) {}

    template <class... Fields>
    void operator()(Fields&... fields) {
        (get(fields), ...);
    }
    void get(uint64_t& value) { value = get_bytes(8); }
    void get(uint32_t& value) { value = static_cast<uint32_t>(get_bytes(4)); }
    void get(bool& value) {
        const uint64_t byte = get_bytes(1);
        check(byte <= 1, "a flag is neither 0 nor 1");
        value = byte == 1;
    }
    void get(double& value) {
        const uint64_t bits = get_bytes(8);
        std::memcpy(&value, &bits, sizeof value);
        check(std::isfinite(value), "a number is not finite");
    }
    void get(std::string& text) {
        const uint64_t length = get_bytes(4);
        text = get_raw(length);
    }
    std::string_view get_raw(uint64_t count) {
        check(count <= left(), "it ends within a field");
        const std::string_view raw = bytes_.substr(at_, static_cast<size_t>(count));
        at_ += static_cast<size_t>(count);
        return raw;
    }
    uint64_t left() const { return bytes_.size() - at_; }

    // Throws SL_ERROR_FORMAT if something is not as it must be.
    void check(bool holds, const char* complaint) const {
        if (!holds) fail(SL_ERROR_FORMAT, complaint, ", at byte ", uint64_t{at_});
    }

  private:
    uint64_t get_bytes(size_t count) {
        const std::string_view raw = get_raw(count);
        uint64_t value = 0;
        for (size_t i = 0; i < count; ++i) value |= uint64_t{static_cast<unsigned char>(raw[i])} << (8 * i);
        return value;
    }
    std::string_view bytes_;
    size_t at_ = 0;
};

// CRC-64/XZ (ECMA-182, reflected) of bytes.
uint64_t crc64(std::string_view bytes);

}  // namespace sparselin
