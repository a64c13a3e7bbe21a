// svmlight text from an Input to the library's rows.
#pragma once
#include "input.h"
#include "library.h"

namespace cli {

// The whole input. Errors name the file.
Data read_all(Input& input, const sl_options* options);

// The input in chunks that take a moment each, so that memory stays small however long the rows are, and a slow pipe is not waited for.
class ChunkReader {
  public:
    ChunkReader(Input& input, const sl_options* options);

    // At most `limit` rows; no rows at the end.
    Data next(uint64_t limit = UINT64_MAX);

  private:
    Input& input_;
    Reader reader_;
    uint64_t chunk_rows_ = 1;
};

}  // namespace cli
