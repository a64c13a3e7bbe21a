// The table of `make bench`: what the library takes beside what the machine allows, and whether the bar between them holds.
#pragma once
#include <sparselin.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "matrices.h"

namespace bench {

class Table {
  public:
    explicit Table(bool quick) : quick_(quick) {}
    bool quick() const { return quick_; }
    size_t rows(size_t full) const { return quick_ ? full / 5 : full; }

    // Prints a line: what was measured, nanoseconds a nonzero, times `against`, the bar on that ratio, and what it took of memory at its
    // peak beyond the rows (0: not measured). A bar of 0 is none: the line is for comparison.
    void add(const std::string& what, double ns, double against, double bar, double megabytes = 0);
    void heading(const std::string& text);
    void note(const std::string& what, const char* text) const;
    void summary() const;  // how many bars hold, and of the lines below each heading the one that is furthest above its bar

    // The best time of each candidate, in nanoseconds a nonzero of all its threads at work, so that waiting for the processor does not
    // count. They take turns, round after round, for some seconds.
    std::vector<double> race(size_t nonzeros, const std::vector<std::function<void()>>& candidates) const;

  private:
    struct Group {
        std::string heading;
        int bars = 0, held = 0;
        std::string furthest;
        double ratio = 0, bar = 1;  // of that line
    };

    bool quick_;
    std::vector<Group> groups_;
};

// The most memory, in MB, that the process came to hold beyond what it held when this was made.
class Peak {
  public:
    Peak();
    double megabytes() const;

  private:
    double before_;
};

void check(sl_status status, const sl_error& error);

using Settings = std::vector<std::pair<const char*, const char*>>;

// The options that learners beside a floor have, and more, which win.
Settings with(const Matrix& matrix, const Settings& more);

// The library's side, freed by itself.
struct Data {
    explicit Data(const Matrix& matrix);
    ~Data() { sl_dataset_free(handle); }
    Data(const Data&) = delete;
    Data& operator=(const Data&) = delete;
    sl_dataset* handle = nullptr;
};
struct Learner {
    explicit Learner(const Settings& settings);
    ~Learner() { sl_model_free(handle); }
    Learner(const Learner&) = delete;
    Learner& operator=(const Learner&) = delete;
    void fit(const Data& data) const;
    sl_model* handle = nullptr;
};

// The parts of the table, each in a file of its own.
void training_bars(Table& table);
void class_bars(Table& table);
void prediction_bars(Table& table);
void text_bars(Table& table);
void data_bars(Table& table);
void encoder_bars(Table& table);
void search_bars(Table& table);
void peer_lines(Table& table);
void model_lines(Table& table);

}  // namespace bench
