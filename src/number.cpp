#include "number.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "system.h"

namespace sparselin {
namespace {

// printf's text of a number, but for the locale's decimal point.
std::string printed(const char* format, int digits, double value) {
    char buffer[64];
    static_cast<void>(std::snprintf(buffer, sizeof buffer, format, digits, value));  // what is longer will not be taken
    std::string text;
    for (const char* c = buffer; *c; ++c)
        if (std::strchr("+-0123456789e", *c))
            text += *c;
        else if (text.back() != '.')
            text += '.';
    return text;
}

bool reads_back(const std::string& text, double value) {
    double read = 0;
    read_number(text, read);
    return read == value;
}

// For what std::from_chars leaves undone, and for C++ libraries that have it for whole numbers alone. strtod takes more than it: blanks, a
// plus, hexadecimal digits.
[[maybe_unused]] Reading read_with_strtod(const std::string& text, double& value) {
    const size_t start = text[0] == '-';
    const bool hexadecimal = text[start] == '0' && (text[start + 1] | 0x20) == 'x';
    if (std::strchr(" \t\n\v\f\r+", text[0]) || hexadecimal) return Reading::none;
    char* end = nullptr;
    value = plain_strtod(text.c_str(), &end);
    if (end != text.c_str() + text.size()) return Reading::none;
    if (std::isinf(value)) return (text[start] | 0x20) == 'i' ? Reading::number : Reading::too_large;
    return value == 0 && text.find_first_of("123456789") < text.find_first_of("eE") ? Reading::too_small : Reading::number;
}

}  // namespace

// With more digits until it reads back. std::to_chars does the same faster, by tables of 104 KB.
std::string to_text(double value) {
    if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
    int digits = 0;  // behind the first
    std::string scientific = printed("%.*e", digits, value);
    while (digits < 16 && !reads_back(scientific, value)) scientific = printed("%.*e", ++digits, value);
    const int exponent = static_cast<int>(std::strtol(scientific.c_str() + scientific.find('e') + 1, nullptr, 10));
    const std::string fixed = printed("%.*f", std::max(0, digits - exponent), value);
    return fixed.size() <= scientific.size() ? fixed : scientific;
}

// std::from_chars leaves a number that is out of range as it was, and to GCC 11's library every denormal is so.
Reading read_number(std::string_view text, double& value) {
#if defined __cpp_lib_to_chars && !defined SL_WITHOUT_FROM_CHARS
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    if (read.ptr != end || read.ec == std::errc::invalid_argument) return Reading::none;
    if (read.ec == std::errc()) return Reading::number;
#endif
    return read_with_strtod(std::string(text), value);
}

bool read_whole(std::string_view text, uint64_t& number) {
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    return read.ec == std::errc() && read.ptr == text.data() + text.size();
}

}  // namespace sparselin
