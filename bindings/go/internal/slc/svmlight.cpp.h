// Lines are parsed in a buffer of which every line is known to end, so that no loop here tests for the end of memory: no loop passes
// the line end, because no token contains one.
#include "svmlight.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <string>

#include "error.h"
#include "file.h"

namespace sparselin {
namespace {

constexpr size_t kChunk = size_t{1} << 18;
constexpr size_t kQuoted = 24;  // bytes of the text that a message shows

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

// Of a decimal number that no double is close to: whether it is too large, not too small. The place of its first digit other than 0
// (1 for units, 0 for tenths) plus the exponent tells.
bool is_too_large(const char* p, const char* end) {
    int64_t place = 0;
    bool fraction = false, significant = false;
    for (; p < end && *p != 'e' && *p != 'E'; ++p) {
        if (*p == '.') {
            fraction = true;
        } else if (*p != '0' || significant) {
            significant = true;
            place += !fraction;
        } else {
            place -= fraction;
        }
    }
    int64_t exponent = 0;
    if (p < end) {
        const bool negative = p[1] == '-';
        p += p[1] == '-' || p[1] == '+' ? 2 : 1;
        if (std::from_chars(p, end, exponent).ec != std::errc()) return !negative;
        if (negative) exponent = -exponent;
    }
    return place > -exponent;
}

// Reads `[+-]digits[.digits][e[+-]digits]`, with a digit before or after the point, into the nearest double, and returns where it ends.
// What is too small for a double becomes 0. Null where there is no such number, and where it is too large: `value` is then infinite.
const char* parse_number(const char* p, double& value) {
    static constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                         1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
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
    } else if (std::from_chars(begin, p, value).ec != std::errc()) {
        value = is_too_large(begin, p) ? std::numeric_limits<double>::infinity() : 0.0;
        if (value != 0) return nullptr;
    }
    if (negative) value = -value;
    return p;
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

}  // namespace

SvmlightReader::SvmlightReader(sl_read_fn read, void* user, uint32_t index_base)
    : read_(read), user_(user), index_base_(index_base), buffer_(kChunk) {}

void SvmlightReader::next(size_t rows, Dataset& data) {
    if (failure_) std::rethrow_exception(failure_);
    try {
        add_rows(rows, data);
    } catch (...) {
        failure_ = std::current_exception();
        throw;
    }
}

void SvmlightReader::add_rows(size_t rows, Dataset& data) {
    while (rows > 0 && (begin_ < whole_ || fill())) {
        bool is_example;
        const char* const after = parse_line(buffer_.data() + begin_, is_example);
        if (is_example) {
            try {
                data.add({indices_.data(), values_.data(), indices_.size()}, label_, 1.0, row_buffer_);
            } catch (const Error& error) {
                fail(error.status(), "line ", line_number_, ": ", error.message());
            }
            --rows;
        }
        const auto next_line = static_cast<size_t>(after - buffer_.data());
        bytes_done_ += next_line - begin_;
        begin_ = next_line;
        ++line_number_;
    }
}

// Reads until there is a whole line; false at the end of the stream. Only called when no whole line is left.
bool SvmlightReader::fill() {
    const bool at_start = line_number_ == 1;
    end_ -= begin_;
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_);
    begin_ = whole_ = 0;
    while (whole_ == 0 && !at_end_) {
        if (end_ + 1 == buffer_.size()) buffer_.resize(2 * buffer_.size());
        const size_t capacity = buffer_.size() - 1 - end_;  // the last byte is for the line feed that the last line may lack
        const int64_t count = read_(user_, buffer_.data() + end_, capacity);
        if (count < 0) fail(SL_ERROR_IO, "the read function failed");
        if (static_cast<uint64_t>(count) > capacity)
            fail(SL_ERROR_IO, "the read function returned ", count, ", more than the ", uint64_t{capacity}, " bytes it was asked for");
        // A CR is known to be a line end of its own, not half of one, only when the byte after it is there.
        size_t first = end_ == 0 ? 0 : end_ - 1;
        end_ += static_cast<size_t>(count);
        if (count == 0) {
            at_end_ = true;
            if (end_ > 0) buffer_[end_++] = '\n';
            whole_ = end_;
        }
        for (size_t k = end_; k > first && whole_ == 0; --k)
            if (buffer_[k - 1] == '\n' || (buffer_[k - 1] == '\r' && k < end_)) whole_ = k;
    }
    if (at_start && whole_ >= 3 && std::memcmp(buffer_.data(), "\xef\xbb\xbf", 3) == 0) begin_ = 3;
    return whole_ > 0;
}

// Parses the line at `line` into label_, indices_ and values_ and returns where the next line begins.
const char* SvmlightReader::parse_line(const char* line, bool& is_example) {
    const char* p = skip_blanks(line);
    is_example = !is_line_end(*p) && *p != '#';
    if (is_example) {
        const char* after = parse_number(p, label_);
        if (!after || !ends_token(*after)) refuse_number(line, p, "the label");
        p = skip_blanks(after);
        if (std::strncmp(p, "qid:", 4) == 0) {
            after = p + 4;
            while (is_digit(*after)) ++after;
            if (after == p + 4 || !ends_token(*after)) refuse(line, p, "qid: is not followed by a whole number");
            p = skip_blanks(after);
        }
        indices_.clear();
        values_.clear();
        for (; !is_line_end(*p) && *p != '#'; p = skip_blanks(p)) p = parse_pair(line, p);
    }
    while (!is_line_end(*p)) ++p;
    return p + (p[0] == '\r' && p[1] == '\n' ? 2 : 1);
}

const char* SvmlightReader::parse_pair(const char* line, const char* p) {
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
    double value;
    const char* const after = parse_number(p, value);
    if (!after || !ends_token(*after)) refuse_number(line, p, "the value");
    indices_.push_back(static_cast<uint32_t>(index));
    values_.push_back(value);
    return after;
}

void SvmlightReader::refuse(const char* line, const char* at, std::string_view what) const {
    fail(SL_ERROR_FORMAT, "line ", line_number_, ", column ", int64_t{at - line + 1}, ": ", what, ", found ", quote(at));
}

void SvmlightReader::refuse_number(const char* line, const char* at, const char* what) const {
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

namespace {

// Makes room for what a whole file holds, judged by its first rows with a 16th to spare, which takes half the memory of growing and
// saves a quarter of the time. Where there is not so much memory the guess may be wrong, so the rows are left to grow.
void reserve_for(uint64_t size, uint64_t bytes_done, Dataset& data) {
    const double factor = 1.0625 * static_cast<double>(size) / static_cast<double>(bytes_done);
    try {
        data.reserve(static_cast<size_t>(factor * static_cast<double>(data.rows())),
                     static_cast<uint64_t>(factor * static_cast<double>(data.nonzeros())));
    } catch (const std::bad_alloc&) {
    }
}

}  // namespace

Dataset load_svmlight(const char* path, uint32_t index_base) {
    InputFile file(path);
    if (file.error()) fail_io("open", path, file.error());
    SvmlightReader reader(&InputFile::read, &file, index_base);
    Dataset data;
    constexpr size_t kSample = 2000;
    try {
        reader.next(kSample, data);
        if (data.rows() == kSample) reserve_for(file.size(), reader.bytes_done(), data);
        reader.next(std::numeric_limits<size_t>::max(), data);
    } catch (const Error&) {
        if (file.error()) fail_io("read", path, file.error());
        throw;
    }
    return data;
}

}  // namespace sparselin
