#include "threads.h"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <new>
#include <system_error>

namespace sparselin {

size_t thread_count(uint32_t threads) { return threads ? threads : std::max(1u, std::thread::hardware_concurrency()); }

bool start_thread(std::vector<std::thread>& threads, const std::function<void()>& work) {
    bool started = false;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
        threads.reserve(threads.size() + 1);
        threads.emplace_back(work);
        started = true;
    } catch (const std::system_error&) {
    } catch (const std::bad_alloc&) {
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return started;
}

}  // namespace sparselin
