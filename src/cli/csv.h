// Records of CSV text (RFC 4180), by libcsv.
#pragma once
#include <csv.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

// The fields of a record; each ends with a NUL that is none of its bytes.
class Fields {
  public:
    size_t size() const { return ends_.size(); }
    std::string_view operator[](size_t i) const {
        const size_t begin = i == 0 ? 0 : ends_[i - 1] + 1;
        return std::string_view(text_).substr(begin, ends_[i] - begin);
    }
    void add(std::string_view field);
    void clear();
    size_t bytes() const { return text_.size() + ends_.size() * sizeof(size_t); }

    uint64_t line = 0;  // in which the record begins, from 1

  private:
    std::string text_;
    std::vector<size_t> ends_;
};

// Any line ends; lines that are empty are none. Blanks around a field that is not quoted do not count. A mark of byte order is passed over.
class CsvReader {
  public:
    // As sl_read_fn: bytes read, 0 at the end, negative on failure.
    using Read = std::function<int64_t(char*, size_t)>;

    CsvReader(Read read, char delimiter);
    ~CsvReader();
    CsvReader(const CsvReader&) = delete;
    CsvReader& operator=(const CsvReader&) = delete;

    // False at the end. Throws Failure, which says the line and what is wrong there.
    bool next(Fields& fields);

  private:
    bool fill();
    size_t piece() const;
    bool is_blank(std::string_view piece) const;
    void parse(size_t length);
    void finish();
    [[noreturn]] void fail(size_t column) const;
    static void add_field(void* text, size_t length, void* reader) noexcept;
    static void end_record(int, void* reader) noexcept;

    Read read_;
    csv_parser parser_;
    std::string buffer_;
    size_t begin_ = 0, end_ = 0;  // of what is read and not parsed
    bool at_start_ = true, at_end_ = false;
    bool after_return_ = false;  // a line feed now is of the line before
    uint64_t line_ = 1;
    size_t column_ = 0;  // from 0, of what is parsed next
    Fields* fields_ = nullptr;  // of the record that is being read
    bool record_done_ = false, out_of_memory_ = false;
    size_t record_bytes_ = 0;
};

// A field as it is written, in quotes where it has to be.
std::string csv_field(std::string_view text, char delimiter);

}  // namespace cli
