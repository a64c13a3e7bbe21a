// svmlight/LIBSVM text to rows.
#pragma once
#include <sparselin.h>

#include <cstdint>
#include <exception>
#include <string_view>
#include <vector>

#include "dataset.h"

namespace sparselin {

// Reads `label [qid:n] index:value ... [# comment]` lines from a stream of bytes, chunk by chunk. Constant memory but for the chunk
// asked for and the longest line. A line ends in LF, CRLF or CR; a byte order mark before the first one is skipped.
class SvmlightReader {
  public:
    // index_base is 0 or 1: what the text calls the first feature.
    SvmlightReader(sl_read_fn read, void* user, uint32_t index_base);

    // Adds up to `rows` rows to `data`, fewer only at the end of the stream. SL_ERROR_IO if `read` fails; SL_ERROR_FORMAT with line,
    // column and what stands there for a malformed line. After a failure, shortage of memory included, every later call fails in the
    // same way.
    void next(size_t rows, Dataset& data);

    // Bytes of the stream that its lines so far take up.
    uint64_t bytes_done() const { return bytes_done_; }

  private:
    void add_rows(size_t rows, Dataset& data);
    bool fill();
    const char* parse_line(const char* line, bool& is_example);
    const char* parse_pair(const char* line, const char* p);
    [[noreturn]] void refuse(const char* line, const char* at, std::string_view what) const;
    [[noreturn]] void refuse_number(const char* line, const char* at, const char* what) const;

    sl_read_fn read_;
    void* user_;
    uint32_t index_base_;
    std::vector<char> buffer_;
    size_t begin_ = 0;  // [begin_, whole_) are whole lines, [whole_, end_) the beginning of another
    size_t whole_ = 0;
    size_t end_ = 0;
    bool at_end_ = false;  // of the stream
    uint64_t bytes_done_ = 0;
    uint64_t line_number_ = 1;
    std::exception_ptr failure_;

    // The line that was parsed last.
    double label_ = 0;
    std::vector<uint32_t> indices_;
    std::vector<double> values_;
    RowBuffer row_buffer_;
};

// Whole file. SL_ERROR_IO with the system's reason if it cannot be read.
Dataset load_svmlight(const char* path, uint32_t index_base);

}  // namespace sparselin
