#include "text_floor.h"

#include <cstdlib>
#include <cstring>

namespace bench {
namespace {

constexpr double kTens[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8};
constexpr int64_t kWholeTens[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

uint64_t eight(const char* p) {
    uint64_t bytes;
    std::memcpy(&bytes, p, 8);
    return bytes;
}

unsigned leading_digits(uint64_t bytes) {
    const uint64_t x = bytes ^ 0x3030303030303030u, others = (x | (x + 0x7676767676767676u)) & 0x8080808080808080u;
    return others ? static_cast<unsigned>(__builtin_ctzll(others)) / 8 : 8;
}

int64_t decimal(uint64_t bytes, unsigned digits) {
    if (digits == 0) return 0;
    bytes = (bytes << (64 - 8 * digits)) & 0x0f0f0f0f0f0f0f0fu;
    bytes = (10 * bytes + (bytes >> 8)) & 0x00ff00ff00ff00ffu;
    bytes = (100 * bytes + (bytes >> 16)) & 0x0000ffff0000ffffu;
    return static_cast<int64_t>((10000 * bytes + (bytes >> 32)) & 0xffffffffu);
}

bool ends(char c) { return c == ' ' || c == '\n'; }

}  // namespace

void text_floor(const char* text, const char* end, uint32_t* indices, double* values) {
    char* after;
    for (const char* p = text; p < end; ++p) {
        std::strtol(p, &after, 10);
        for (p = after; *p == ' '; ++indices, ++values) {
            uint64_t bytes = eight(++p);
            unsigned digits = leading_digits(bytes);
            *indices = static_cast<uint32_t>(decimal(bytes, digits)) - 1;
            p += digits + 1;
            const auto units = static_cast<unsigned>(*p - '0');
            if (units < 10 && p[1] == '.') {
                bytes = eight(p + 2);
                digits = leading_digits(bytes);
                if (ends(p[2 + digits])) {
                    *values = static_cast<double>(units * kWholeTens[digits] + decimal(bytes, digits)) / kTens[digits];
                    p += 2 + digits;
                    continue;
                }
            } else if (units < 10 && ends(p[1])) {
                *values = units;
                ++p;
                continue;
            }
            *values = std::strtod(p, &after);
            p = after;
        }
    }
}

}  // namespace bench
