// svmlight/LIBSVM text to rows.
#pragma once
#include <cstdint>
#include <vector>

#include "dataset.h"
#include "stream.h"
#include "svmlight_crew.h"
#include "svmlight_parser.h"

namespace sparselin {

// Reads `label [qid:n] index:value ... [# comment]` lines from a stream of bytes, chunk by chunk. Constant memory but for the chunk
// asked for and the longest line. A line ends in LF, CRLF or CR; a byte order mark before the first one is skipped.
class SvmlightReader {
  public:
    static constexpr size_t kLongestLine = size_t{1} << 30;  // bytes

    // index_base is 0 or 1: what the text calls the first feature. With more than one of `threads`, which may be 0 for as many as the
    // machine has cores, lines are parsed in that many threads while next() runs; the stream is read by the caller's only. Rows and
    // errors are the same for any number.
    // Tests may have shorter lines.
    SvmlightReader(Stream stream, uint32_t index_base, uint32_t threads = 1, size_t longest_line = kLongestLine);

    // Adds up to `rows` rows to `data`, fewer only at the end of the stream. SL_ERROR_IO if the stream fails; SL_ERROR_FORMAT with line,
    // column and what stands there for a malformed line, and for one that is too long, of which no more is read. Not to be called
    // again after a failure.
    void next(size_t rows, Dataset& data);

    // Bytes of the stream that its lines so far take up.
    uint64_t bytes_done() const { return bytes_done_; }

  private:
    void reserve_as_before(size_t rows, Dataset& data) const;
    void add_rows(size_t rows, Dataset& data);
    void add_rows_in_threads(size_t rows, Dataset& data);
    size_t cut_piece(size_t rows, SvmlightPiece& piece);
    bool fill();
    bool add_room();

    Stream stream_;
    size_t longest_line_;
    uint32_t index_base_;
    uint32_t threads_;
    SvmlightParser parser_;
    std::vector<char> buffer_;
    size_t begin_ = 0;  // [begin_, whole_) are whole lines, [whole_, end_) the beginning of another
    size_t whole_ = 0;
    size_t end_ = 0;
    bool at_start_ = true, at_end_ = false;  // of the stream
    uint64_t bytes_done_ = 0;
    uint64_t lines_done_ = 0;
    size_t rows_before_ = 0, nonzeros_before_ = 0;  // that the last call read
};

// All of a stream, of which nothing was read.
Dataset load_svmlight(Stream stream, uint32_t index_base, uint32_t threads = 1);

}  // namespace sparselin
