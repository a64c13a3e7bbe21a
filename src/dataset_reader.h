// Data sets from streams and files: svmlight text, or what save_data_file() wrote, told by its first bytes.
#pragma once
#include <cstdint>
#include <exception>
#include <optional>

#include "dataset.h"
#include "stream.h"
#include "svmlight.h"

namespace sparselin {

class DatasetReader {
  public:
    // Of the text: what it calls the first feature, and how many threads parse it.
    DatasetReader(Stream stream, uint32_t index_base, uint32_t threads = 1);

    // Adds up to `rows` rows to `data`, fewer only at the end of the stream. Data that were saved are held as a whole from the first call
    // on. After a failure, shortage of memory included, every later call fails in the same way.
    void next(size_t rows, Dataset& data);

  private:
    Stream stream_;
    uint32_t index_base_, threads_;
    bool has_begun_ = false;
    std::optional<SvmlightReader> text_;
    Dataset saved_;
    size_t rows_given_ = 0;  // of those that were saved
    std::exception_ptr failure_;
};

// A whole file, or what comes through a pipe. SL_ERROR_IO with the system's reason if it cannot be read.
Dataset load_dataset(const char* path, uint32_t index_base, uint32_t threads = 1);

}  // namespace sparselin
