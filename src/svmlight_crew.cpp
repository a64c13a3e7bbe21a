#include "svmlight_crew.h"

#include <limits>

#include "system.h"

namespace sparselin {

SvmlightCrew::~SvmlightCrew() {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        over_ = true;
    }
    work_.notify_all();
    for (std::thread& helper : helpers_) helper.join();
}

void SvmlightCrew::add(std::unique_ptr<SvmlightPiece> piece) {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        pieces_.push_back(std::move(piece));
        ++untaken_;
    }
    work_.notify_one();
    if (helpers_left_ > 0 && pieces_.size() > helpers_.size() + 1)
        helpers_left_ = start_thread(helpers_, [this] { work(); }) ? helpers_left_ - 1 : 0;
}

void SvmlightCrew::work() {
    SvmlightParser parser(index_base_);
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
        work_.wait(lock, [this] { return over_ || untaken_ > 0; });
        if (over_) return;
        parse_next(lock, parser);
    }
}

bool SvmlightCrew::has_done() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return !pieces_.empty() && pieces_.front()->done;
}

void SvmlightCrew::help() {
    std::unique_lock<std::mutex> lock(mutex_);
    if (untaken_ > 0)
        parse_next(lock, parser_);
    else
        progress_.wait(lock, [this] { return pieces_.front()->done; });
}

std::unique_ptr<SvmlightPiece> SvmlightCrew::take_done() {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::unique_ptr<SvmlightPiece> piece = std::move(pieces_.front());
    pieces_.pop_front();
    return piece;
}

// Holds the lock before and after, but not while it parses.
void SvmlightCrew::parse_next(std::unique_lock<std::mutex>& lock, SvmlightParser& parser) {
    SvmlightPiece& piece = *pieces_[pieces_.size() - untaken_--];
    lock.unlock();
    try {
        const char* const text = piece.text.data();
        parser.parse(text + piece.begin, text + piece.end, std::numeric_limits<size_t>::max(), piece.data, piece.lines);
    } catch (...) {
        piece.failure = std::current_exception();
    }
    lock.lock();
    piece.done = true;
    progress_.notify_one();
}

}  // namespace sparselin
