// Lines of svmlight/LIBSVM text to rows.
#pragma once
#include <cstddef>
#include <cstdint>

#include "dataset.h"

namespace sparselin {

class SvmlightParser {
  public:
    // Bytes behind the text that must be there to be read, whatever they are.
    static constexpr size_t kSlack = 32;

    // index_base is 0 or 1: what the text calls the first feature.
    explicit SvmlightParser(uint32_t index_base) : index_base_(index_base) {}

    // Adds the rows of [text, end), which are whole lines, to `data`, but no more than `rows`; returns where it stopped and counts up
    // `lines`. An Error is of the line after those counted, and its message goes on behind "line 7".
    const char* parse(const char* text, const char* end, size_t rows, Dataset& data, uint64_t& lines);

  private:
    const char* parse_line(const char* line, RowWriter& writer);
    const char* parse_pair(const char* line, const char* p, uint32_t& index, double& value) const;

    uint32_t index_base_;

    RowBuffer row_buffer_;
};

}  // namespace sparselin
