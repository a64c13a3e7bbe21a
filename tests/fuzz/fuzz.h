// What the fuzz targets share: random arguments out of the input's bytes, checks that end the program, and models as bytes.
#pragma once
#include <sparselin.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "../seal.h"

// Ends the program, which is what fuzzers and CTest take for a failure, unless the condition holds.
#define CHECK(holds) CHECK_SAYING(holds, "%s", "")
#define CHECK_SAYING(holds, ...)                                             \
    do {                                                                     \
        if (!(holds)) {                                                      \
            std::fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #holds); \
            std::fprintf(stderr, __VA_ARGS__);                               \
            std::fputc('\n', stderr);                                        \
            std::abort();                                                    \
        }                                                                    \
    } while (0)

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace fuzz {

// The bytes of the input in turn; zeros when there are no more.
class Input {
  public:
    Input(const uint8_t* data, size_t size) : at_(data), end_(data + size) {}

    bool left() const { return at_ < end_; }
    uint8_t byte() { return at_ < end_ ? *at_++ : uint8_t{0}; }
    uint64_t bits(int bytes) {
        uint64_t value = 0;
        for (int i = 0; i < bytes; ++i) value |= uint64_t{byte()} << 8 * i;
        return value;
    }
    size_t below(size_t bound) { return byte() % bound; }
    std::string text(size_t length) {
        std::string result;
        while (result.size() < length) result += static_cast<char>(byte());
        return result;
    }

  private:
    const uint8_t *at_, *end_;
};

// Checks that `error` tells what the call says, in one line of text.
inline sl_status told(sl_status status, const sl_error& error) {
    CHECK_SAYING(status >= SL_OK && status < SL_ERROR_INTERNAL, "status %d: %s", static_cast<int>(status), error.message);
    if (status == SL_OK) return status;
    CHECK_SAYING(error.status == status, "%d in the error, %d returned", static_cast<int>(error.status), static_cast<int>(status));
    const size_t length = strnlen(error.message, sizeof error.message);
    CHECK(length > 0 && length < sizeof error.message);
    for (size_t i = 0; i < length; ++i) CHECK_SAYING(static_cast<unsigned char>(error.message[i]) >= 0x20, "%s", error.message);
    return status;
}

// The bytes of a model that can be kept in this way.
inline std::string bytes_of(const sl_model* model, sl_keep keep) {
    size_t size = 0, again = 0;
    sl_error error;
    CHECK_SAYING(sl_model_to_bytes(model, keep, nullptr, 0, &size, &error) == SL_OK, "%s", error.message);
    std::string bytes(size, '\0');
    CHECK_SAYING(sl_model_to_bytes(model, keep, bytes.data(), size, &again, &error) == SL_OK && again == size, "%s", error.message);
    return bytes;
}

inline bool can_train(const sl_model* model) {
    size_t size = 0;
    return sl_model_to_bytes(model, SL_KEEP_EVERYTHING, nullptr, 0, &size, nullptr) != SL_ERROR_STATE;
}

// All that a model is.
inline std::string bytes_of(const sl_model* model) { return bytes_of(model, can_train(model) ? SL_KEEP_EVERYTHING : SL_KEEP_PREDICTOR); }

inline sl_model* model_of(const std::string& bytes) {
    sl_model* model = nullptr;
    sl_error error;
    CHECK_SAYING(sl_model_from_bytes(bytes.data(), bytes.size(), &model, &error) == SL_OK, "%s", error.message);
    return model;
}

}  // namespace fuzz
