#include "number.h"

#include <stdlib.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <new>

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

}  // namespace

PlainLocale::PlainLocale() : locale_(::newlocale(LC_ALL_MASK, "C", nullptr)) {
    if (!locale_) throw std::bad_alloc();
}

// std::to_chars does the same by tables of 104 KB.
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
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    if (read.ptr != end || read.ec == std::errc::invalid_argument) return Reading::none;
    if (read.ec == std::errc()) return Reading::number;
    value = ::strtod_l(std::string(text).c_str(), nullptr, PlainLocale());
    return std::isinf(value) ? Reading::too_large : value == 0 ? Reading::too_small : Reading::number;
}

bool read_whole(std::string_view text, uint64_t& number) {
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    return read.ec == std::errc() && read.ptr == text.data() + text.size();
}

}  // namespace sparselin
