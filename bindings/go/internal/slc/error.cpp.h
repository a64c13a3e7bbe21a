#include "error.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

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
    std::from_chars(text.data(), text.data() + text.size(), read);
    return read == value;
}

}  // namespace

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

void Part::append_to(std::string& text) const {
    switch (kind_) {
        case Kind::text: text += text_; break;
        case Kind::real: text += to_text(real_); break;
        case Kind::whole: text += std::to_string(whole_); break;
        case Kind::natural: text += std::to_string(natural_); break;
    }
}

std::string join(std::initializer_list<Part> parts) {
    std::string text;
    for (const Part& part : parts) part.append_to(text);
    return text;
}

void throw_error(sl_status status, std::initializer_list<Part> parts) { throw Error(status, join(parts)); }

}  // namespace sparselin
