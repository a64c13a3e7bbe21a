#include "error.h"

#include <charconv>

namespace sparselin {

std::string to_text(double value) {
    char buffer[32];  // the longest double, -2.2250738585072014e-308, has 24 characters
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value);
    return std::string(buffer, end.ptr);
}

}  // namespace sparselin
