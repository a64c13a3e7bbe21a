// Parses pieces of svmlight text in several threads and hands their rows back in the order of the text.
#pragma once
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "svmlight_parser.h"

namespace sparselin {

// Whole lines, and what becomes of them.
struct SvmlightPiece {
    std::vector<char> text;  // with the parser's slack
    size_t begin = 0, end = 0;
    size_t most_rows = 0;  // that the lines can make

    Dataset data;                // the rows, those before a malformed line if there is one
    uint64_t lines = 0;          // parsed
    std::exception_ptr failure;  // what parse() threw
    bool done = false;
};

// Belongs to one thread, the caller, who is one of those that parse. The others are started one by one as there is work for them, take no
// signals, and end with the crew. If one cannot be started there are fewer.
class SvmlightCrew {
  public:
    SvmlightCrew(uint32_t index_base, size_t threads) : index_base_(index_base), parser_(index_base), helpers_left_(threads - 1) {}
    ~SvmlightCrew();

    size_t pieces() const { return pieces_.size(); }
    void add(std::unique_ptr<SvmlightPiece> piece);

    // Whether the oldest piece is done. If not, help() parses a piece, or waits for the oldest one where all others are taken.
    bool has_done();
    void help();
    std::unique_ptr<SvmlightPiece> take_done();

  private:
    void work();
    void parse_next(std::unique_lock<std::mutex>& lock, SvmlightParser& parser);

    uint32_t index_base_;
    SvmlightParser parser_;  // the caller's
    size_t helpers_left_;
    std::vector<std::thread> helpers_;

    std::mutex mutex_;  // for what follows
    std::condition_variable work_, progress_;
    std::deque<std::unique_ptr<SvmlightPiece>> pieces_;  // in the order of the text; changed by the caller only
    size_t untaken_ = 0;                                 // the last so many that no thread has begun
    bool over_ = false;
};

}  // namespace sparselin
