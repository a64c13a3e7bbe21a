#include "reading.h"

#include <algorithm>
#include <chrono>
#include <system_error>

namespace cli {

namespace {
constexpr uint64_t kMostRows = 512;  // rows that are still in the cache when they are learned
constexpr auto kMoment = std::chrono::milliseconds(10);
constexpr size_t kAhead = 4;  // chunks

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

ChunkReader::ChunkReader(Input& input, const sl_options* options, uint64_t border)
    : input_(input), reader_(make<sl_reader>(sl_reader_create, &Input::read_for_library, &input, options)), border_(border) {
    try {
        thread_ = std::thread([this] { read_ahead(); });
    } catch (const std::system_error&) {
    }
}

ChunkReader::~ChunkReader() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        over_ = true;
    }
    changed_.notify_all();
    input_.stop();
    thread_.join();
}

Chunk ChunkReader::next() {
    if (!thread_.joinable()) return read();
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return !ready_.empty() || failure_ || at_end_; });
    if (ready_.empty()) {
        if (failure_) std::rethrow_exception(failure_);
        return {};
    }
    Chunk chunk = std::move(ready_.front());
    ready_.pop_front();
    changed_.notify_all();
    return chunk;
}

void ChunkReader::read_ahead() {
    std::unique_lock<std::mutex> lock(mutex_);
    try {
        while (!at_end_) {
            changed_.wait(lock, [this] { return over_ || ready_.size() < kAhead; });
            if (over_) return;
            lock.unlock();
            Chunk chunk = read();
            lock.lock();
            at_end_ = chunk.rows == 0;
            if (!at_end_) ready_.push_back(std::move(chunk));
            changed_.notify_all();
        }
    } catch (...) {
        if (!lock.owns_lock()) lock.lock();
        failure_ = std::current_exception();
        changed_.notify_all();
    }
}

Chunk ChunkReader::read() {
    const auto start = std::chrono::steady_clock::now();
    const uint64_t limit = rows_ < border_ ? border_ - rows_ : kMostRows;
    Chunk chunk;
    try {
        chunk.data = make<sl_dataset>(sl_reader_next, reader_.get(), static_cast<size_t>(std::min(chunk_rows_, limit)));
    } catch (const LibraryError& error) {
        throw with_name(input_, error);
    }
    chunk.rows = rows_of(chunk.data.get());
    chunk.fraction = input_.fraction();
    rows_ += chunk.rows;
    const bool was_fast = std::chrono::steady_clock::now() - start < kMoment;
    chunk_rows_ = was_fast ? std::min(2 * chunk_rows_, kMostRows) : std::max(chunk_rows_ / 2, uint64_t{1});
    return chunk;
}

}  // namespace cli
