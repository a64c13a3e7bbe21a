#include "csv.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "library.h"

namespace cli {

namespace {
constexpr size_t kBufferSize = 1 << 16;
constexpr size_t kLongestRecord = size_t{1} << 28;

bool is_space(char c) { return c == ' ' || c == '\t'; }
}  // namespace

void Fields::add(std::string_view field) {
    text_ += field;
    ends_.push_back(text_.size());
    text_ += '\0';
}

void Fields::clear() {
    text_.clear();
    ends_.clear();
}

CsvReader::CsvReader(Read read, char delimiter) : read_(std::move(read)), buffer_(kBufferSize, '\0') {
    if (csv_init(&parser_, CSV_STRICT | CSV_STRICT_FINI) != 0) throw std::bad_alloc();
    csv_set_delim(&parser_, static_cast<unsigned char>(delimiter));
    csv_set_blk_size(&parser_, kBufferSize);
}

CsvReader::~CsvReader() { csv_free(&parser_); }

void CsvReader::add_field(void* text, size_t length, void* reader) noexcept {
    auto& self = *static_cast<CsvReader*>(reader);
    try {
        self.fields_->add({static_cast<const char*>(text), length});
    } catch (const std::bad_alloc&) {
        self.out_of_memory_ = true;
    }
}

void CsvReader::end_record(int, void* reader) noexcept { static_cast<CsvReader*>(reader)->record_done_ = true; }

bool CsvReader::next(Fields& fields) {
    fields.clear();
    fields_ = &fields;
    fields.line = line_;
    bool begun = false;
    record_done_ = false;
    record_bytes_ = 0;
    while (!record_done_) {
        if (begin_ == end_ && !fill()) {
            if (!at_end_) finish();
            at_end_ = true;
            return record_done_;
        }
        const size_t length = piece();
        begun = begun || !is_blank({buffer_.data() + begin_, length});
        parse(length);
        if (!begun) fields.line = line_;
    }
    return true;
}

// False at the end.
bool CsvReader::fill() {
    using namespace std::string_view_literals;
    begin_ = end_ = 0;
    if (at_end_) return false;
    const size_t wanted = at_start_ ? 3 : 1;
    while (end_ < wanted) {
        const int64_t count = read_(buffer_.data() + end_, buffer_.size() - end_);
        if (count < 0) throw Failure(kBadData, "it cannot be read");  // whoever reads knows more
        if (count == 0) break;
        end_ += static_cast<size_t>(count);
    }
    if (at_start_) {
        const std::string_view text(buffer_.data(), end_);
        if (text.substr(0, 3) == "\xef\xbb\xbf") begin_ = 3;
        if (text.substr(0, 2) == "\xff\xfe"sv || text.substr(0, 2) == "\xfe\xff"sv)
            throw Failure(kBadData, "it is UTF-16: make it UTF-8 on the way, as in iconv -f UTF-16 -t UTF-8 FILE | sparselin train -");
    }
    at_start_ = false;
    return begin_ < end_ || (end_ > 0 && fill());
}

// The bytes to the end of the line, so that a record ends where a piece does.
size_t CsvReader::piece() const {
    const auto begin = buffer_.begin() + static_cast<std::ptrdiff_t>(begin_), end = buffer_.begin() + static_cast<std::ptrdiff_t>(end_);
    const auto found = std::find_if(begin, end, [](char c) { return c == '\n' || c == '\r'; });
    return static_cast<size_t>(found - begin) + (found != end);
}

bool CsvReader::is_blank(std::string_view piece) const {
    return piece.find_first_not_of(csv_get_delim(const_cast<csv_parser*>(&parser_)) == '\t' ? " \r\n" : " \t\r\n") == piece.npos;
}

void CsvReader::parse(size_t length) {
    const char* const text = buffer_.data() + begin_;
    const size_t done = csv_parse(&parser_, text, length, &add_field, &end_record, this);
    if (out_of_memory_) throw std::bad_alloc();
    if (done != length) fail(column_ + done);
    record_bytes_ += length;
    if (record_bytes_ > kLongestRecord)
        throw Failure(kBadData, "line " + std::to_string(fields_->line) +
                                    ": the record that begins here has more than 256 MiB: is a quote not closed?");
    const char last = text[length - 1];
    if (last == '\r' || (last == '\n' && !(after_return_ && length == 1))) ++line_;
    after_return_ = last == '\r';
    column_ = last == '\n' || last == '\r' ? 0 : column_ + length;
    begin_ += length;
}

void CsvReader::finish() {
    if (csv_fini(&parser_, &add_field, &end_record, this) != 0) fail(0);
    if (out_of_memory_) throw std::bad_alloc();
}

void CsvReader::fail(size_t column) const {
    const std::string field = "field " + std::to_string(fields_->size() + 1) + ": ";
    if (csv_error(const_cast<csv_parser*>(&parser_)) == CSV_ENOMEM) throw std::bad_alloc();
    if (begin_ == end_)
        throw Failure(kBadData,
                      "line " + std::to_string(fields_->line) + ", " + field + "its quote is not closed before the end of the text");
    throw Failure(kBadData, "line " + std::to_string(line_) + ", column " + std::to_string(column + 1) + ", " + field +
                                "a quote stands inside: put the whole field in quotes, and write each quote in it twice");
}

std::string csv_field(std::string_view text, char delimiter) {
    const bool plain = text.find_first_of(std::string("\"\r\n") + delimiter) == text.npos && !text.empty() && !is_space(text.front()) &&
                       !is_space(text.back());
    if (plain || text.empty()) return std::string(text);
    std::string quoted(csv_write(nullptr, 0, text.data(), text.size()), '\0');
    csv_write(quoted.data(), quoted.size(), text.data(), text.size());
    return quoted;
}

}  // namespace cli
