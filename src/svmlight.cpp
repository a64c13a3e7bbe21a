#include "svmlight.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <string_view>
#include <utility>

#include "error.h"
#include "system.h"

namespace sparselin {
namespace {

constexpr size_t kChunk = size_t{1} << 18;
constexpr size_t kBehind = 1 + SvmlightParser::kSlack;  // room for the line feed that the last line may lack, and for the parser
constexpr size_t kPiecesAThread = 2;                    // one to parse, one to go on with

// Throws an error of SvmlightParser::parse, or of fill(), which was just caught, with the line's number.
[[noreturn]] void fail_in_line(uint64_t lines_before, const Error& error) {
    if (error.status() == SL_ERROR_IO) throw;
    fail(error.status(), "line ", lines_before + 1, error.message());
}

// Where the `count`-th line of [begin, end), which are whole lines, ends; `count` becomes 0, or what it lacks at `end`. An empty last line
// may go uncounted.
const char* skip_lines(const char* begin, const char* end, size_t& count) {
    const char* feed = nullptr;  // the next LF, or the CR that is the last byte
    for (; count > 0 && begin < end; --count) {
        if (!feed || feed < begin) feed = static_cast<const char*>(std::memchr(begin, '\n', static_cast<size_t>(end - begin)));
        if (!feed) feed = end - 1;
        const auto* carriage = static_cast<const char*>(std::memchr(begin, '\r', static_cast<size_t>(feed - begin)));
        begin = (carriage && carriage + 1 < feed ? carriage : feed) + 1;
    }
    return begin;
}

}  // namespace

SvmlightReader::SvmlightReader(Stream stream, uint32_t index_base, uint32_t threads, size_t longest_line)
    : stream_(std::move(stream)),
      longest_line_(longest_line),
      index_base_(index_base),
      threads_(static_cast<uint32_t>(thread_count(threads))),
      parser_(index_base),
      buffer_(kChunk) {}

void SvmlightReader::next(size_t rows, Dataset& data) {
    const size_t rows_held = data.rows(), nonzeros_held = data.indices().size();
    if (rows_held == 0) reserve_as_before(rows, data);
    if (threads_ > 1 && rows > 1)
        add_rows_in_threads(rows, data);
    else
        add_rows(rows, data);
    rows_before_ = data.rows() - rows_held;
    nonzeros_before_ = data.indices().size() - nonzeros_held;
}

// One chunk is much like the one before, so its arrays need not grow.
void SvmlightReader::reserve_as_before(size_t rows, Dataset& data) const {
    if (rows_before_ == 0) return;
    const size_t expected = std::min(rows, rows_before_);
    const double share = static_cast<double>(expected) / static_cast<double>(rows_before_);
    data.reserve(expected, static_cast<size_t>(1.0625 * share * static_cast<double>(nonzeros_before_)));
}

void SvmlightReader::add_rows(size_t rows, Dataset& data) {
    try {
        while (rows > 0 && (begin_ < whole_ || fill())) {
            const size_t rows_before = data.rows();
            const char* const text = buffer_.data();
            const char* const after = parser_.parse(text + begin_, text + whole_, rows, data, lines_done_);
            rows -= data.rows() - rows_before;
            const auto next_line = static_cast<size_t>(after - text);
            bytes_done_ += next_line - begin_;
            begin_ = next_line;
        }
    } catch (const Error& error) {
        fail_in_line(lines_done_, error);
    }
}

// Pieces of whole lines go to the crew, never more of them than the rows still wanted may need, and their rows come back in order. What
// fails is told when its turn comes, so that the first failure is the one that a single thread would have met.
void SvmlightReader::add_rows_in_threads(size_t rows, Dataset& data) {
    SvmlightCrew crew(index_base_, threads_);
    std::unique_ptr<SvmlightPiece> spare;
    std::exception_ptr read_failure;
    size_t rows_under_way = 0;
    bool more = true;
    const auto rethrow = [&](const std::exception_ptr& failure) {
        try {
            std::rethrow_exception(failure);
        } catch (const Error& error) {
            fail_in_line(lines_done_, error);
        }
    };
    while (rows > 0) {
        if (crew.has_done()) {
            spare = crew.take_done();
            rows -= spare->data.rows();
            rows_under_way -= spare->most_rows;
            data.append(spare->data);
            lines_done_ += spare->lines;
            if (spare->failure) rethrow(spare->failure);
            bytes_done_ += spare->end - spare->begin;
        } else if (more && rows_under_way < rows && crew.pieces() < kPiecesAThread * threads_) {
            try {
                more = begin_ < whole_ || fill();
            } catch (...) {
                read_failure = std::current_exception();
                more = false;
            }
            if (!more) continue;
            if (!spare) spare = std::make_unique<SvmlightPiece>();
            rows_under_way += cut_piece(rows - rows_under_way, *spare);
            crew.add(std::exchange(spare, nullptr));
        } else if (crew.pieces() > 0) {
            crew.help();
        } else {
            if (read_failure) rethrow(read_failure);
            return;
        }
    }
}

// Moves whole lines, at most `rows` of them, into a piece, with the buffer that they are in. How many rows they can make at most.
size_t SvmlightReader::cut_piece(size_t rows, SvmlightPiece& piece) {
    size_t missing = rows;
    const char* const text = buffer_.data();
    const bool all = rows >= whole_ - begin_;  // a line has one byte at least
    const auto cut = all ? whole_ : static_cast<size_t>(skip_lines(text + begin_, text + whole_, missing) - text);
    std::vector<char> other = std::move(piece.text);
    other.resize(std::max(other.size(), kChunk));
    other.resize(std::max(other.size(), end_ - cut + kBehind));
    std::memcpy(other.data(), text + cut, end_ - cut);
    piece.text = std::exchange(buffer_, std::move(other));
    piece.begin = std::exchange(begin_, 0);
    piece.end = cut;
    whole_ -= cut;
    end_ -= cut;
    piece.data.clear();
    piece.lines = 0;
    piece.done = false;
    piece.most_rows = all ? cut - piece.begin : rows - missing;
    return piece.most_rows;
}

// Reads until there is a whole line; false at the end of the stream. Only called when no whole line is left.
bool SvmlightReader::fill() {
    end_ -= begin_;
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_);
    begin_ = whole_ = 0;
    while (whole_ == 0 && !at_end_) {
        if (end_ + kBehind == buffer_.size() && !add_room()) break;
        const size_t capacity = buffer_.size() - kBehind - end_;
        const size_t count = stream_.read(buffer_.data() + end_, capacity);
        // A CR is known to be a line end of its own, not half of one, only when the byte after it is there.
        size_t first = end_ == 0 ? 0 : end_ - 1;
        end_ += count;
        if (count == 0) {
            at_end_ = true;
            if (end_ > 0) buffer_[end_++] = '\n';
            whole_ = end_;
        }
        for (size_t k = end_; k > first && whole_ == 0; --k)
            if (buffer_[k - 1] == '\n' || (buffer_[k - 1] == '\r' && k < end_)) whole_ = k;
    }
    if (at_start_ && whole_ >= 3 && std::memcmp(buffer_.data(), "\xef\xbb\xbf", 3) == 0) begin_ = 3;
    at_start_ = false;
    return whole_ > 0;
}

// For the rest of a line that fills the buffer. Of one that cannot be a row whatever follows, as in a file that is no text, the rest is not
// needed to refuse it: it ends here, and false is returned.
bool SvmlightReader::add_room() {
    const char* const text = buffer_.data();
    const bool marked = at_start_ && std::memcmp(text, "\xef\xbb\xbf", 3) == 0;
    const char first = *std::find_if(text + (marked ? 3 : 0), text + end_ - 1, [](char c) { return c != ' ' && c != '\t'; });
    if (std::string_view(" \t\r#+-.0123456789").find(first) == std::string_view::npos) {
        buffer_[end_++] = '\n';
        whole_ = end_;
        return false;
    }
    const size_t most = longest_line_ + 2 + kBehind;  // with a CR and the byte after it
    if (buffer_.size() >= most) fail(SL_ERROR_FORMAT, " is longer than ", uint64_t{longest_line_}, " bytes");
    buffer_.resize(std::min(2 * buffer_.size(), most));
    return true;
}

namespace {

// Makes room for what a whole file holds, judged by its first rows with a 16th to spare, so that nothing is moved for growing. Where there
// is not so much memory the guess may be wrong, so the rows are left to grow.
void reserve_for(uint64_t size, uint64_t bytes_done, Dataset& data) {
    const double factor = 1.0625 * static_cast<double>(size) / static_cast<double>(bytes_done);
    const auto expected = [=](size_t count) {
        return static_cast<size_t>(std::min(factor * static_cast<double>(count), static_cast<double>(SIZE_MAX / 64)));
    };
    try {
        data.reserve(expected(data.rows()), expected(data.indices().size()));
    } catch (const std::bad_alloc&) {
    }
}

}  // namespace

Dataset load_svmlight(Stream stream, uint32_t index_base, uint32_t threads) {
    const uint64_t size = stream.size();
    SvmlightReader reader(std::move(stream), index_base, threads);
    Dataset data;
    constexpr size_t kSample = 2000;
    reader.next(kSample, data);
    if (data.rows() == kSample) reserve_for(size, reader.bytes_done(), data);
    reader.next(std::numeric_limits<size_t>::max(), data);
    return data;
}

}  // namespace sparselin
