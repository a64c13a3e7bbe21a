// Work in pieces, done by several threads where the library was asked for them.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <thread>
#include <vector>

#include "error.h"
#include "system.h"

namespace sparselin {

// Refuses more threads than may be asked for: SL_ERROR_INVALID_ARGUMENT.
inline uint32_t checked_threads(uint32_t threads) {
    constexpr uint32_t kMost = 1024;
    if (threads > kMost) fail(SL_ERROR_INVALID_ARGUMENT, "threads is ", threads, ", but must be from 0 to ", kMost);
    return threads;
}

// Has pieces 0 to pieces - 1 done, in that order or in several threads, each of which calls a worker(piece) that make_worker() gave it:
// what a worker holds is its own. If pieces fail, the failure of the first of them is thrown, and all before it were done.
template <class MakeWorker>
void do_pieces(size_t threads, size_t pieces, MakeWorker make_worker) {
    std::vector<std::exception_ptr> failures(pieces);
    std::atomic<size_t> next{0};
    const auto work = [&] {
        auto worker = make_worker();
        for (size_t p; (p = next.fetch_add(1)) < pieces;) {
            try {
                worker(p);
            } catch (...) {
                failures[p] = std::current_exception();
                next = pieces;
            }
        }
    };
    std::vector<std::thread> helpers;
    while (helpers.size() + 1 < threads && helpers.size() + 1 < pieces && start_thread(helpers, work)) {
    }
    work();
    for (std::thread& helper : helpers) helper.join();
    for (const std::exception_ptr& failure : failures)
        if (failure) std::rethrow_exception(failure);
}

}  // namespace sparselin
