// Threads of the library's own, where it was asked for them.
#pragma once
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace sparselin {

// The option `threads`, 0 being as many as the machine has cores.
size_t thread_count(uint32_t threads);

// Adds one that runs `work`, which may not throw; false if it cannot be had. It takes no signals, which are the business of the program's
// own threads, whose handlers may rely on that.
bool start_thread(std::vector<std::thread>& threads, const std::function<void()>& work);

}  // namespace sparselin
