// The one exception type of the library, and the one way to throw it.
#pragma once
#include <sparselin.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace sparselin {

class Error {
  public:
    Error(sl_status status, std::string message) : status_(status), message_(std::move(message)) {}
    sl_status status() const { return status_; }
    const std::string& message() const { return message_; }

  private:
    sl_status status_;
    std::string message_;
};

// Shortest text that reads back to the same number, with a point in every locale.
std::string to_text(double value);

inline void append(std::string& text, std::string_view part) { text += part; }
inline void append(std::string& text, char part) { text += part; }
inline void append(std::string& text, double part) { text += to_text(part); }
inline void append(std::string& text, uint32_t part) { text += std::to_string(part); }
inline void append(std::string& text, int64_t part) { text += std::to_string(part); }
inline void append(std::string& text, uint64_t part) { text += std::to_string(part); }

template <class... Parts>
std::string concat(const Parts&... parts) {
    std::string text;
    (append(text, parts), ...);
    return text;
}

// Throws an Error whose message is the parts put together.
template <class... Parts>
[[noreturn]] void fail(sl_status status, const Parts&... parts) {
    throw Error(status, concat(parts...));
}

// Runs `body`; errors that it throws about a row are told with the row's number.
template <class Body>
void with_row(uint64_t row, Body body) {
    try {
        body();
    } catch (const Error& error) {
        fail(error.status(), "row ", row, ": ", error.message());
    }
}

}  // namespace sparselin
