// A data set as a file (src/README.md has the format).
#pragma once
#include <string_view>

#include "dataset.h"
#include "stream.h"

namespace sparselin {

// What every data file begins with. As in PNG: a byte beyond ASCII and both kinds of line end, so that what a transfer as text does to a
// file is seen at once.
inline constexpr std::string_view kDataMagic("\x89SLD\r\n\x1a\n", 8);

// Whole or not at all, as replace_file does it, with a few pieces of it in memory at a time.
void save_data_file(const Dataset& data, const char* path);

// Of a stream that begins so and holds nothing else. Throws SL_ERROR_FORMAT for one that is damaged, or holds what no data set does, and
// SL_ERROR_VERSION for one of a newer version, in time and memory bounded by a few times its size, which need not be known before.
Dataset read_data(Stream& stream);

}  // namespace sparselin
