// What a run says on standard error while it works: one line that rewrites itself on a terminal, a line every few seconds elsewhere.
#pragma once
#include <chrono>
#include <cstdint>
#include <string>

namespace cli {

class Progress {
  public:
    explicit Progress(bool quiet);
    ~Progress() { clear(); }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // Both may be called as often as one likes. `fraction` of the work that is done, negative where unknown.
    void reading(const std::string& name, double fraction);
    void learning(uint64_t rows, double fraction, double mean_loss);

    // Takes the line off the terminal, before anything else is written there.
    void clear();

  private:
    using Clock = std::chrono::steady_clock;

    bool due() const;
    void show(std::string line);

    bool quiet_;
    bool on_terminal_;
    Clock::time_point last_shown_;
    size_t shown_length_ = 0;

    // Speed and time left are judged from the first report of learning on: a run may take up another one's work.
    bool learning_ = false;
    Clock::time_point start_;
    uint64_t start_rows_ = 0;
    double start_fraction_ = 0;
};

}  // namespace cli
