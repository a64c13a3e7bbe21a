// Every line is known to end, so that no loop here tests for the end of memory: no loop passes the line end, because no token contains one.
#include "svmlight_parser.h"

#if defined(__SSE2__) && !defined(SL_WITHOUT_SSE2)
#include <emmintrin.h>
#endif

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "error.h"
#include "little_endian.h"
#include "number.h"

namespace sparselin {
namespace {

constexpr size_t kQuoted = 24;  // bytes of the text that a message shows
constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                              1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr uint64_t kWholePowers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_line_end(char c) { return c == '\n' || c == '\r'; }
bool ends_token(char c) { return is_blank(c) || is_line_end(c) || c == '#'; }

// Appends the digits at `p` to `number`, modulo 2^64, and returns where they end.
const char* read_digits(const char* p, uint64_t& number) {
    for (unsigned digit; (digit = static_cast<unsigned>(*p) - '0') < 10; ++p) number = 10 * number + digit;
    return p;
}

const char* skip_blanks(const char* p) {
    while (is_blank(*p)) ++p;
    return p;
}

// Reads `[+-]digits[.digits][e[+-]digits]`, with a digit before or after the point, into the nearest double, and returns where it ends.
// What is too small for a double becomes 0. Null where there is no such number, and where it is too large: `value` is then infinite.
const char* parse_number(const char* p, double& value) {
    const bool negative = *p == '-';
    if (*p == '-' || *p == '+') ++p;
    const char* const begin = p;
    uint64_t digits = 0;
    p = read_digits(p, digits);
    int64_t count = p - begin, exponent = 0;
    if (*p == '.') {
        const char* const fraction = ++p;
        p = read_digits(p, digits);
        exponent = fraction - p;
        count += p - fraction;
    }
    if (count == 0) return nullptr;
    if (*p == 'e' || *p == 'E') {
        ++p;
        const bool small = *p == '-';
        if (*p == '-' || *p == '+') ++p;
        if (!is_digit(*p)) return nullptr;
        int64_t written = 0;
        for (; is_digit(*p); ++p)
            if (written < 1000000) written = 10 * written + (*p - '0');
        exponent += small ? -written : written;
    }
    // An integer below 2^53 and a power of ten up to 10^22 are doubles themselves, so one operation on them rounds correctly.
    if (count <= 19 && digits < uint64_t{1} << 53 && exponent >= -22 && exponent <= 22) {
        value = static_cast<double>(static_cast<int64_t>(digits));
        if (exponent < 0)
            value /= kPowers[-exponent];
        else
            value *= kPowers[exponent];
    } else if (read_number({begin, static_cast<size_t>(p - begin)}, value) == Reading::too_large) {
        return nullptr;
    }
    if (negative) value = -value;
    return p;
}

// The eight bytes at `p`, the first of them lowest.
uint64_t load_word(const char* p) { return load<uint64_t>(reinterpret_cast<const unsigned char*>(p)); }

// How many digits the word begins with. Of a byte that is no digit the top bit is set here; carries go upwards only, past the first one.
unsigned count_digits(uint64_t word) {
    const uint64_t offset = word ^ 0x3030303030303030u;
    const uint64_t others = ((offset + 0x7676767676767676u) | offset) & 0x8080808080808080u;
    return others ? static_cast<unsigned>(__builtin_ctzll(others)) >> 3 : 8;
}

// The number that the first `count` digits of the word, 1 to 8, make: pairs of digits are joined, then pairs of pairs, then those.
uint64_t number_of(uint64_t word, unsigned count) {
    word = (word << (8 * (8 - count) & 63)) & 0x0f0f0f0f0f0f0f0fu;
    word = (word * 10 + (word >> 8)) & 0x00ff00ff00ff00ffu;
    word = (word * 100 + (word >> 16)) & 0x0000ffff0000ffffu;
    return (word * 10000 + (word >> 32)) & 0xffffffffu;
}

// Where the first blank of the next 32 bytes is, so that the next pair can be begun before this one is parsed, whose digits then are
// counted only to check the guess. If there is none, somewhere that no plain pair, of 28 bytes at most, ends.
const char* likely_end(const char* p) {
#if defined(__SSE2__) && !defined(SL_WITHOUT_SSE2)
    const auto blanks = [p](size_t k) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + k));
        return static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(' '))));
    };
    return p + __builtin_ctz(blanks(0) | blanks(16) << 16 | 0x80000000u);
#else
    // Of a byte that is a blank the top bit is set, and perhaps of bytes behind it.
    const auto blanks = [p](size_t k) {
        const uint64_t others = load_word(p + k) ^ 0x2020202020202020u;
        return (others - 0x0101010101010101u) & ~others & 0x8080808080808080u;
    };
    for (size_t k = 0; k < 32; k += 8)
        if (const uint64_t found = blanks(k)) return p + k + (static_cast<unsigned>(__builtin_ctzll(found)) >> 3);
    return p;
#endif
}

// The next pair if it is written as most are: an index of up to eight digits, and a value d or d.ddd with at most 16 digits behind the
// point that make an integer below 2^53. Returns where it ends, null for whatever else there may be.
const char* parse_plain_pair(const char* p, uint32_t index_base, uint32_t& index, double& value) {
    uint64_t word = load_word(p);
    unsigned count = count_digits(word);
    const uint64_t number = number_of(word, count);
    if (p[count] != ':' || count == 0 || number < index_base) return nullptr;
    index = static_cast<uint32_t>(number) - index_base;
    p += count + 1;
    const bool negative = *p == '-';
    if (negative) ++p;  // a branch: what follows does not wait for it
    const unsigned units = static_cast<unsigned>(*p) - '0';
    if (units > 9) return nullptr;
    if (p[1] == '.') {
        word = load_word(p + 2);
        count = count_digits(word);
        if (count == 0) return nullptr;
        uint64_t digits = units * kWholePowers[count] + number_of(word, count);
        p += 2 + count;
        if (count == 8 && is_digit(*p)) {
            word = load_word(p);
            const unsigned more = count_digits(word);
            digits = digits * kWholePowers[more] + number_of(word, more);
            if (digits >> 53) return nullptr;
            p += more;
            count += more;
        }
        value = static_cast<double>(static_cast<int64_t>(digits)) / kPowers[count];
    } else {
        value = units;
        ++p;
    }
    value = negative ? -value : value;
    return ends_token(*p) ? p : nullptr;
}

// Whether the text at `p` begins with `word`, in capitals or not.
bool has_prefix(const char* p, const char* word) {
    while (*word && (*p | 0x20) == *word) ++p, ++word;
    return !*word;
}

// The token at `p` for a message, in one printable line.
std::string quote(const char* p) {
    if (is_line_end(*p)) return "the end of the line";
    if (is_blank(*p)) return "a blank";
    std::string text = "\"";
    for (size_t n = 0; !is_blank(*p) && !is_line_end(*p); ++p, ++n) {
        if (n == kQuoted) {
            text += "...";
            break;
        }
        const auto byte = static_cast<unsigned char>(*p);
        constexpr char kHex[] = "0123456789abcdef";
        if (byte < 0x20 || byte >= 0x7f)
            text += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
        else
            text += *p;
    }
    return text + '"';
}

[[noreturn]] void refuse(const char* line, const char* at, std::string_view what) {
    fail(SL_ERROR_FORMAT, ", column ", int64_t{at - line + 1}, ": ", what, ", found ", quote(at));
}

[[noreturn]] void refuse_number(const char* line, const char* at, const char* what) {
    double value = 0;
    parse_number(at, value);
    const char* const word = at + (*at == '-' || *at == '+');
    const char* reason = " is not a number";
    if (std::isinf(value))
        reason = " is beyond the range of a double";
    else if (has_prefix(word, "nan") || has_prefix(word, "inf"))
        reason = " is not finite";
    refuse(line, at, concat(what, reason));
}

[[noreturn]] void refuse_label(const char* line, const char* at) {
    uint64_t index = 0;
    if (is_digit(*at) && *read_digits(at, index) == ':') refuse(line, at, "the label is missing: the line begins with a pair index:value");
    refuse_number(line, at, "the label");
}

}  // namespace

const char* SvmlightParser::parse(const char* text, const char* end, size_t rows, Dataset& data, uint64_t& lines) {
    RowWriter writer(data);
    for (const size_t wanted = data.rows() + std::min(rows, SIZE_MAX - data.rows()); text < end && data.rows() < wanted; ++lines)
        text = parse_line(text, writer);
    return text;
}

// Adds the row that the line at `line` makes, if it makes one, and returns where the next line begins.
const char* SvmlightParser::parse_line(const char* line, RowWriter& writer) {
    const char* p = skip_blanks(line);
    if (!is_line_end(*p) && *p != '#') {
        double label = 0;
        const char* after = parse_number(p, label);
        if (!after || !ends_token(*after)) refuse_label(line, p);
        p = skip_blanks(after);
        if (std::strncmp(p, "qid:", 4) == 0) {
            after = p + 4;
            while (is_digit(*after)) ++after;
            if (after == p + 4 || !ends_token(*after)) refuse(line, p, "qid: is not followed by a whole number");
            p = skip_blanks(after);
        }
        size_t count = 0, room = writer.room();
        uint32_t* indices = writer.indices();
        double* values = writer.values();
        for (;; ++count) {
            if (count == room) {
                writer.add_room();
                room = writer.room();
                indices = writer.indices();
                values = writer.values();
            }
            const char* const end = likely_end(p);
            after = parse_plain_pair(p, index_base_, indices[count], values[count]);
            if (after == end) {
                p = end + 1;
                continue;
            }
            if (!after) {
                p = skip_blanks(p);
                if (is_line_end(*p) || *p == '#') break;
                after = parse_pair(line, p, indices[count], values[count]);
            }
            p = after + (*after == ' ');
        }
        try {
            writer.add(count, label, row_buffer_);
        } catch (const Error& error) {
            fail(error.status(), ": ", error.message());
        }
    }
    while (!is_line_end(*p)) ++p;
    return p + (p[0] == '\r' && p[1] == '\n' ? 2 : 1);
}

const char* SvmlightParser::parse_pair(const char* line, const char* p, uint32_t& result, double& value) const {
    const char* const pair = p;
    while (*p == '0') ++p;
    const char* const significant = p;
    uint64_t index = 0;
    p = read_digits(p, index);
    const auto length = p - significant;
    if (p == pair) refuse(line, pair, *p == '-' && is_digit(p[1]) ? "a negative index" : "not a pair index:value");
    if (*p != ':') refuse(line, pair, "not a pair index:value");
    if (index < index_base_ && length == 0)
        refuse(line, pair, "index 0, but indices start at 1 (option index_base zero reads text where they start at 0)");
    index -= index_base_;
    if (length > 10 || index > std::numeric_limits<uint32_t>::max())
        refuse(line, pair, index_base_ ? "an index beyond 4294967296" : "an index beyond 4294967295");
    ++p;
    const char* const after = parse_number(p, value);
    if (!after || !ends_token(*after)) refuse_number(line, p, "the value");
    result = static_cast<uint32_t>(index);
    return after;
}

}  // namespace sparselin
