// svmlight text against a slow reader that follows the header's words: the same rows to the bit, or an error in the same line; whatever
// the source gives at once, whatever is asked for at once.
#include <algorithm>
#include <cfloat>
#include <map>
#include <optional>

#include "fuzz.h"

namespace {

using namespace fuzz;

struct ReferenceRow {
    double label = 0;
    std::map<uint32_t, double> entries;
};
struct Reference {
    std::vector<ReferenceRow> rows;
    size_t bad_line = 0;  // 0: none
};

bool all_digits(const std::string& text) { return !text.empty() && text.find_first_not_of("0123456789") == text.npos; }

// [+-]digits[.digits][e[+-]digits] with a digit before or after the point; no infinity.
std::optional<double> number_of(const std::string& text) {
    std::string mantissa = text.substr(!text.empty() && (text[0] == '+' || text[0] == '-'));
    if (const size_t e = mantissa.find_first_of("eE"); e != mantissa.npos) {
        const std::string exponent = mantissa.substr(e + 1);
        if (!all_digits(exponent.substr(!exponent.empty() && (exponent[0] == '+' || exponent[0] == '-')))) return {};
        mantissa.resize(e);
    }
    if (const size_t point = mantissa.find('.'); point != mantissa.npos) mantissa.erase(point, 1);
    if (!all_digits(mantissa)) return {};
    const double value = std::strtod(text.c_str(), nullptr);
    if (value > DBL_MAX || value < -DBL_MAX) return {};
    return value;
}

std::vector<std::string> tokens_of(const std::string& line) {
    std::vector<std::string> tokens;
    for (size_t at = 0; (at = line.find_first_not_of(" \t", at)) != line.npos;) {
        const size_t end = std::min(line.find_first_of(" \t", at), line.size());
        tokens.push_back(line.substr(at, end - at));
        at = end;
    }
    return tokens;
}

// False for a malformed line.
bool read_row(const std::vector<std::string>& tokens, uint64_t base, ReferenceRow& row) {
    const std::optional<double> label = number_of(tokens[0]);
    if (!label) return false;
    row.label = *label;
    size_t next = 1;
    if (next < tokens.size() && tokens[next].compare(0, 4, "qid:") == 0 && !all_digits(tokens[next++].substr(4))) return false;
    for (; next < tokens.size(); ++next) {
        const size_t colon = tokens[next].find(':');
        if (colon == std::string::npos) return false;
        std::string digits = tokens[next].substr(0, colon);
        const std::optional<double> value = number_of(tokens[next].substr(colon + 1));
        if (!all_digits(digits) || !value) return false;
        digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
        if (digits.size() > 10) return false;
        const uint64_t index = std::stoull(digits);
        if (index < base || index - base > UINT32_MAX) return false;
        row.entries[static_cast<uint32_t>(index - base)] += *value;
    }
    double squares = 0;
    for (auto entry = row.entries.begin(); entry != row.entries.end();) {
        squares += entry->second * entry->second;
        entry = entry->second == 0 ? row.entries.erase(entry) : std::next(entry);
    }
    return squares <= DBL_MAX;
}

Reference read_slowly(std::string text, uint64_t base) {
    Reference result;
    if (text.compare(0, 3, "\xef\xbb\xbf") == 0) text.erase(0, 3);
    size_t line_number = 1;
    for (size_t at = 0; at < text.size(); ++line_number) {
        const size_t end = std::min(text.find_first_of("\r\n", at), text.size());
        std::string line = text.substr(at, end - at);
        at = end + (text.compare(end, 2, "\r\n") == 0 ? 2 : 1);
        if (const size_t comment = line.find('#'); comment != line.npos) line.resize(comment);
        const std::vector<std::string> tokens = tokens_of(line);
        if (tokens.empty()) continue;
        ReferenceRow row;
        if (!read_row(tokens, base, row)) {
            result.bad_line = line_number;
            return result;
        }
        result.rows.push_back(row);
    }
    return result;
}

struct Source {
    const std::string& text;
    size_t chunk, at;

    static int64_t read(void* user, void* buffer, size_t capacity) {
        auto& self = *static_cast<Source*>(user);
        const size_t count = std::min({self.text.size() - self.at, self.chunk, capacity});
        std::memcpy(buffer, self.text.data() + self.at, count);
        self.at += count;
        return static_cast<int64_t>(count);
    }
};

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

// The rows of `data` are those of the reference from number `first` on. Returns how many they are.
size_t check_rows(const sl_dataset* data, const Reference& reference, size_t first) {
    uint64_t rows = 0;
    CHECK(sl_dataset_shape(data, &rows, nullptr, nullptr, nullptr) == SL_OK);
    CHECK_SAYING(first + rows <= reference.rows.size(), "%zu rows and %zu more", first, static_cast<size_t>(rows));
    for (uint64_t r = 0; r < rows; ++r) {
        const ReferenceRow& row = reference.rows[first + r];
        std::vector<uint32_t> indices(row.entries.size());
        std::vector<double> values(row.entries.size());
        size_t count = 0;
        double label = 0, weight = 0;
        CHECK(sl_dataset_row(data, r, indices.data(), values.data(), values.size(), &count, &label, &weight, nullptr) == SL_OK);
        CHECK_SAYING(count == row.entries.size() && same_bits(label, row.label) && weight == 1, "row %zu: %zu entries, label %g, not %g",
                     static_cast<size_t>(first + r), count, label, row.label);
        size_t j = 0;
        for (const auto& [index, value] : row.entries) {
            CHECK_SAYING(indices[j] == index && same_bits(values[j], value), "%u:%.17g, not %u:%.17g", indices[j], values[j], index, value);
            ++j;
        }
    }
    return rows;
}

void check_failure(sl_status status, const sl_error& error, const Reference& reference) {
    told(status, error);
    CHECK_SAYING(status == SL_ERROR_FORMAT || status == SL_ERROR_INVALID_DATA, "%s", error.message);
    size_t line = 0;
    CHECK_SAYING(std::sscanf(error.message, "line %zu", &line) == 1 && line == reference.bad_line, "%s, not line %zu", error.message,
                 reference.bad_line);
}

}  // namespace

// The first byte tells how the rest, which is the text, is read.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
    Input input(bytes, size);
    const uint8_t how = input.byte();
    const size_t chunk = how & 4 ? SIZE_MAX : size_t{1} + (how >> 3 & 7), rows_at_once = how & 2 ? 1000 : size_t{1} + (how >> 6);
    const std::string text(reinterpret_cast<const char*>(bytes) + (size > 0), size - (size > 0));
    const Reference reference = read_slowly(text, how & 1);
    sl_options* options = nullptr;
    sl_error error;
    CHECK(sl_options_create(&options, nullptr) == SL_OK);
    CHECK(sl_options_set(options, "index_base", how & 1 ? "one" : "zero", nullptr) == SL_OK);
    CHECK(sl_options_set_number(options, "threads", how & 32 ? 3 : 1, nullptr) == SL_OK);

    Source source{text, chunk, 0};
    sl_dataset* data = nullptr;
    sl_status status = sl_dataset_read(&Source::read, &source, options, &data, &error);
    if (status == SL_OK)
        CHECK_SAYING(reference.bad_line == 0 && check_rows(data, reference, 0) == reference.rows.size(), "line %zu", reference.bad_line);
    else
        check_failure(status, error, reference);
    sl_dataset_free(data);

    source.at = 0;
    sl_reader* reader = nullptr;
    CHECK(sl_reader_create(&Source::read, &source, options, &reader, nullptr) == SL_OK);
    size_t rows = 0;
    for (size_t more = 1; more > 0;) {
        data = nullptr;
        status = sl_reader_next(reader, rows_at_once, &data, &error);
        if (status != SL_OK) {
            check_failure(status, error, reference);
            CHECK(!data && sl_reader_next(reader, rows_at_once, &data, nullptr) == status);
            break;
        }
        rows += more = check_rows(data, reference, rows);
        sl_dataset_free(data);
    }
    CHECK(status != SL_OK || (reference.bad_line == 0 && rows == reference.rows.size()));
    sl_reader_free(reader);
    sl_options_free(options);
    return 0;
}
