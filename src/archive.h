// Fields to bytes and back, little-endian on every machine. A class lists its fields once, in a function template that both a Writer and
// a Reader go through.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sparselin {

class Writer {
  public:
    static constexpr bool reads = false;

    template <class... Fields>
    void operator()(const Fields&... fields) {
        (put(fields), ...);
    }
    void put(uint64_t value);
    void put(uint32_t value);
    void put(bool value);
    void put(double value);
    void put(const std::string& text);
    void put_raw(std::string_view bytes) { bytes_ += bytes; }
    // Indices, which ascend, and what number of them. There is room afterwards for what follows, so many `bytes` an index.
    void put_indices(const std::vector<uint32_t>& indices, uint64_t bytes);
    std::string& bytes() { return bytes_; }

    // What a reader would refuse is not written. Only a model that was trained on from a forged file comes to that.
    void check(bool holds, const char* complaint) const {
        if (!holds) refuse(complaint);
    }

  private:
    [[noreturn]] static void refuse(const char* complaint);
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
    void get(uint64_t& value);
    void get(uint32_t& value);
    void get(bool& value);
    void get(double& value);
    void get(std::string& text);
    std::string_view get_raw(uint64_t count);
    std::vector<uint32_t> get_indices(uint64_t bytes, uint64_t limit);  // all of them below `limit`
    uint64_t left() const { return bytes_.size() - at_; }

    // Throws SL_ERROR_FORMAT if something is not as it must be.
    void check(bool holds, const char* complaint) const {
        if (!holds) refuse(complaint);
    }

  private:
    [[noreturn]] void refuse(const char* complaint) const;
    std::string_view bytes_;
    size_t at_ = 0;
};

// CRC-64/XZ (ECMA-182, reflected) of bytes.
uint64_t crc64(std::string_view bytes);

}  // namespace sparselin
