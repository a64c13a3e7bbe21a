// From an Input, text or binary, to the library's rows.
#pragma once
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "input.h"
#include "library.h"

namespace cli {

// The whole input, text or binary. Errors name the file.
Data read_all(Input& input, const sl_options* options);

struct Chunk {
    Data data;
    uint64_t rows = 0;
    double fraction = -1;  // of the input read so far; -1 where its size is not known
};

// The input in chunks that take a moment each, so that memory stays small however long the rows are, and a slow pipe is not waited for.
// They are read a few ahead by a thread of their own, to which the input belongs meanwhile: whoever works with one chunk does not wait for
// the next. Where no thread can be had, they are read as they are asked for.
class ChunkReader {
  public:
    // The first `border` rows end a chunk.
    ChunkReader(Input& input, const sl_options* options, uint64_t border = 0);
    ~ChunkReader();
    ChunkReader(const ChunkReader&) = delete;
    ChunkReader& operator=(const ChunkReader&) = delete;

    // No rows at the end. What goes wrong is told when its turn comes.
    Chunk next();

  private:
    Chunk read();
    void read_ahead();

    // Of the thread that reads.
    Input& input_;
    Reader reader_;
    uint64_t border_;
    uint64_t rows_ = 0;
    uint64_t chunk_rows_ = 1;

    std::mutex mutex_;  // for what follows
    std::condition_variable changed_;
    std::deque<Chunk> ready_;
    std::exception_ptr failure_;  // of the chunk after those
    bool at_end_ = false, over_ = false;

    std::thread thread_;
};

}  // namespace cli
