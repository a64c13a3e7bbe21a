#include "progress.h"

#include "output.h"
#include "system.h"

namespace cli {

namespace {
constexpr auto kTerminalInterval = std::chrono::milliseconds(100);
constexpr auto kLogInterval = std::chrono::seconds(3);

double seconds(std::chrono::steady_clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

std::string percent(double fraction) { return std::to_string(static_cast<int>(100 * fraction)) + " %"; }
}  // namespace

Progress::Progress(bool quiet) : quiet_(quiet), on_terminal_(errors_go_to_terminal()), last_shown_(Clock::now()) {}

bool Progress::due() const {
    return !quiet_ && Clock::now() - last_shown_ >= (on_terminal_ ? Clock::duration(kTerminalInterval) : Clock::duration(kLogInterval));
}

void Progress::reading(const std::string& name, double fraction) {
    if (due()) show("reading " + name + (fraction < 0 ? "" : ": " + percent(fraction)));
}

void Progress::learning(uint64_t rows, double fraction, double mean_loss) {
    if (!learning_) {
        learning_ = true;
        start_ = Clock::now();
        start_rows_ = rows;
        start_fraction_ = fraction;
    }
    if (rows == start_rows_ || !due()) return;
    const double passed = seconds(Clock::now() - start_);
    std::string line = grouped(rows) + " examples, mean loss " + rounded(mean_loss, 4);
    if (passed > 0) line += ", " + grouped(static_cast<uint64_t>(static_cast<double>(rows - start_rows_) / passed)) + " a second";
    if (fraction >= 0) line += ", " + percent(fraction);
    if (fraction > start_fraction_ && start_fraction_ >= 0) {
        line += ", " + duration(passed * (1 - fraction) / (fraction - start_fraction_)) + " left";
    }
    show(line);
}

void Progress::show(std::string line) {
    last_shown_ = Clock::now();
    if (!on_terminal_) {
        tell(line);
        return;
    }
    if (const size_t columns = terminal_columns(); columns > 1 && line.size() >= columns) line.resize(columns - 1);
    const size_t length = line.size();
    if (length < shown_length_) line.append(shown_length_ - length, ' ');
    write_error("\r" + line);
    shown_length_ = length;
}

void Progress::clear() {
    if (shown_length_ == 0) return;
    write_error("\r" + std::string(shown_length_, ' ') + "\r");
    shown_length_ = 0;
}

}  // namespace cli
