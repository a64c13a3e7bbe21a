#include "stop.h"

#include <atomic>
#include <csignal>

namespace cli {

namespace {
std::atomic<int> received{0};  // any thread may be the one that is interrupted

extern "C" void remember_signal(int signal) { received = signal; }

void handle_with(void (*handler)(int)) {
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}
}  // namespace

void catch_stop_signals() { handle_with(remember_signal); }
void let_stop_signals_end_the_program() { handle_with(SIG_DFL); }

int stop_signal() { return received; }

}  // namespace cli
