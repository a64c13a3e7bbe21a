// What the benchmarks share: rows, the clock, the floor, and the one rule for comparing on a machine that others use too: all candidates
// take turns, round after round, and their best times are compared.
#pragma once
#include <sparselin.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <utility>
#include <vector>

#include "random.h"

namespace bench {

inline void check(sl_status status, const sl_error& error) {
    if (status == SL_OK) return;
    std::fprintf(stderr, "%s: %s\n", sl_status_name(status), error.message);
    std::exit(1);
}

class Model {
  public:
    using Settings = std::initializer_list<std::pair<const char*, const char*>>;

    explicit Model(Settings settings) {
        sl_error error;
        sl_options* options = nullptr;
        check(sl_options_create(&options, &error), error);
        for (const auto& [name, value] : settings) check(sl_options_set(options, name, value, &error), error);
        check(sl_model_create(options, &model_, &error), error);
        sl_options_free(options);
    }
    Model(const Model&) = delete;
    Model& operator=(const Model&) = delete;
    ~Model() { sl_model_free(model_); }
    sl_model* get() const { return model_; }

    void feed(const uint32_t* indices, const double* values, size_t count, double label) {
        sl_error error;
        check(sl_model_feed(model_, indices, values, count, label, 1, &error), error);
    }
    uint64_t memory() const {
        sl_error error;
        uint64_t bytes = 0;
        check(sl_model_memory(model_, &bytes, &error), error);
        return bytes;
    }

  private:
    sl_model* model_ = nullptr;
};

// Rows of one length, as a matrix.
struct Rows {
    size_t count, length;
    std::vector<int64_t> pointers;
    std::vector<uint32_t> indices;
    std::vector<double> values, labels;

    size_t nonzeros() const { return count * length; }
};

enum class Law { uniform, zipf };

// Rows of `length` distinct ascending indices below `features`, of Euclidean length 1 or so, labelled by a hidden linear rule with some
// noise. zipf: the chance of the k-th most frequent feature is about 1 / k; frequent features lie far apart.
Rows make_rows(size_t count, size_t length, uint64_t features, Law law, uint64_t seed);

// The label that the rule behind make_rows gives to a row.
double label_of(const uint32_t* indices, const double* values, size_t count);

// What no learner can do without, on rows [first, first + count): of each the dot product with the first numbers of 16-byte entries, then
// a multiple of the row, which depends on that product, added to both numbers. No checks, no loss, no learning rate.
struct Entry {
    double w, a;
};
void gather_scatter(const Rows& rows, size_t first, size_t count, Entry* entries);

// The same rows into a model: one call a row, and one call for all of them.
void feed(Model& model, const Rows& rows, size_t first, size_t count);
void feed_csr(Model& model, const Rows& rows, size_t first, size_t count);

inline double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Works through some of the rows.
using Candidate = std::function<void(size_t first, size_t count)>;

// Nanoseconds a nonzero of each candidate at its best. In every round each of them in turn goes through all rows, piece by piece. The best
// time of each piece is taken, since a quiet moment long enough for a whole pass may never come, and these are added up. A pass before
// the rounds, in which memory is first touched, does not count.
std::vector<double> best_of_rounds(size_t rounds, const Rows& rows, const std::vector<Candidate>& candidates);

// The most memory this process has held so far.
inline double peak_megabytes() {
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

// The number of rounds from the command line, or `standard`.
size_t rounds_from(int argc, char** argv, size_t standard);

}  // namespace bench
