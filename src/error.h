// The one exception type of the library, and the one way to throw it.
#pragma once
#include <sparselin.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>

namespace sparselin {

class Error {
  public:
    static constexpr int64_t kNoRow = -1;

    Error(sl_status status, std::string message, int64_t row = kNoRow, int system = 0)
        : status_(status), message_(std::move(message)), row_(row), system_(system) {}
    sl_status status() const { return status_; }
    int64_t row() const { return row_; }    // of the caller's matrix or data set, if one is at fault
    int system() const { return system_; }  // the system's number of the reason, 0 if it is none of the system's
    const std::string& message() const { return message_; }

  private:
    sl_status status_;
    std::string message_;
    int64_t row_;
    int system_;
};

// A piece of a message: text, or a number. It refers to the text that it is made from, which has to last as long as the call.
class Part {
  public:
    explicit Part(std::string_view text) : kind_(Kind::text), text_(text) {}
    explicit Part(const std::string& text) : Part(std::string_view(text)) {}
    explicit Part(const char* text) : Part(std::string_view(text)) {}
    explicit Part(double number) : kind_(Kind::real), real_(number) {}
    template <class Integer, std::enable_if_t<std::is_integral_v<Integer>, int> = 0>  // whatever a machine calls size_t
    explicit Part(Integer number) : kind_(std::is_signed_v<Integer> ? Kind::whole : Kind::natural) {
        if constexpr (std::is_signed_v<Integer>)
            whole_ = number;
        else
            natural_ = number;
    }
    void append_to(std::string& text) const;

  private:
    enum class Kind { text, real, whole, natural } kind_;
    union {
        std::string_view text_;
        double real_;
        int64_t whole_;
        uint64_t natural_;
    };
};

std::string join(std::initializer_list<Part> parts);
[[noreturn]] void throw_error(sl_status status, std::initializer_list<Part> parts);

template <class... Parts>
std::string concat(const Parts&... parts) {
    return join({Part(parts)...});
}

// Throws an Error whose message is the parts put together.
template <class... Parts>
[[noreturn]] void fail(sl_status status, const Parts&... parts) {
    throw_error(status, {Part(parts)...});
}

// Names and values from outside, short enough for a message.
std::string shown(std::string_view text);

// Throws an error that a row is to blame for: see sl_error. reason_of() gives what its message says behind "row N: ", and of an error
// without a row all of it.
[[noreturn]] void throw_row_error(sl_status status, uint64_t row, const std::string& reason);
std::string_view reason_of(std::string_view message, int64_t row);

// Runs `body`, whose errors are about a row.
template <class Body>
void with_row(uint64_t row, Body body) {
    try {
        body();
    } catch (const Error& error) {
        throw_row_error(error.status(), row, error.message());
    }
}

}  // namespace sparselin
