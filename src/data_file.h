// A data set as a file (src/README.md has the format).
#pragma once
#include "dataset.h"
#include "file.h"

namespace sparselin {

// Whether a regular file begins as data files do.
bool is_data_file(const InputFile& file);

// Whole or not at all, as replace_file does it, with a few pieces of it in memory at a time.
void save_data_file(const Dataset& data, const char* path);

// Throws SL_ERROR_FORMAT for a file that is damaged, or holds what no data set does, and SL_ERROR_VERSION for one of a newer version, in
// time and memory bounded by a few times its size. It is read, not mapped: one that is cut short meanwhile is an error like another.
Dataset load_data_file(InputFile& file);

}  // namespace sparselin
