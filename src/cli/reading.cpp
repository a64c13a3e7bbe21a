#include "reading.h"

#include <algorithm>
#include <chrono>

namespace cli {

namespace {
constexpr uint64_t kMostRows = 4096;
constexpr auto kMoment = std::chrono::milliseconds(50);

// The library knows lines and columns, the input why it could not be read, and the user wants to hear which file it was.
Failure with_name(const Input& input, const LibraryError& error) {
    return Failure(kBadData, input.name() + ": " + (input.failure().empty() ? error.what() : input.failure()));
}
}  // namespace

Data read_all(Input& input, const sl_options* options) {
    try {
        return make<sl_dataset>(sl_dataset_read, &Input::read_for_library, &input, options);
    } catch (const LibraryError& error) {
        throw with_name(input, error);
    }
}

ChunkReader::ChunkReader(Input& input, const sl_options* options)
    : input_(input), reader_(make<sl_reader>(sl_reader_create, &Input::read_for_library, &input, options)) {}

Data ChunkReader::next(uint64_t limit) {
    const auto start = std::chrono::steady_clock::now();
    Data data;
    try {
        data = make<sl_dataset>(sl_reader_next, reader_.get(), static_cast<size_t>(std::min(chunk_rows_, limit)));
    } catch (const LibraryError& error) {
        throw with_name(input_, error);
    }
    const bool was_fast = std::chrono::steady_clock::now() - start < kMoment;
    chunk_rows_ = was_fast ? std::min(2 * chunk_rows_, kMostRows) : std::max(chunk_rows_ / 2, uint64_t{1});
    return data;
}

}  // namespace cli
