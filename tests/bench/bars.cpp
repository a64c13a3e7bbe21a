#include "bars.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace bench {
namespace {

double seconds(clockid_t clock) {
    timespec time;
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// A line of /proc/self/status, in MB; 0 where there is none.
double status_megabytes(const char* name) {
    double kilobytes = 0;
    std::FILE* const file = std::fopen("/proc/self/status", "r");
    if (!file) return 0;
    for (char line[256]; std::fgets(line, sizeof line, file);)
        if (std::strncmp(line, name, std::strlen(name)) == 0) kilobytes = std::strtod(line + std::strlen(name), nullptr);
    std::fclose(file);
    return kilobytes * 1024 / 1e6;
}

}  // namespace

void Table::heading(const std::string& text) {
    groups_.emplace_back();
    groups_.back().heading = text;
    std::printf("\n%-70s%9s%9s%7s%7s%10s\n", text.c_str(), "ns/nz", "ratio", "bar", "", "peak, MB");
}

void Table::add(const std::string& what, double ns, double against, double bar, double megabytes) {
    const double ratio = ns / against;
    std::printf("%-70s%9.2f%7.2f x", what.c_str(), ns, ratio);
    if (bar > 0) {
        const bool holds = ratio <= bar;
        Group& group = groups_.back();
        ++group.bars;
        group.held += holds;
        if (!holds && ratio / bar > group.ratio / group.bar) {
            group.furthest = what;
            group.ratio = ratio;
            group.bar = bar;
        }
        std::printf("%7.2f%7s", bar, holds ? "holds" : "NOT");
    } else {
        std::printf("%14s", "");
    }
    if (megabytes > 0) std::printf("%10.1f", megabytes);
    std::printf("\n");
    std::fflush(stdout);
}

void Table::note(const std::string& what, const char* text) const { std::printf("%-70s %s\n", what.c_str(), text); }

void Table::summary() const {
    int bars = 0, held = 0;
    for (const Group& group : groups_) {
        bars += group.bars;
        held += group.held;
    }
    std::printf("\n%d of %d bars hold; where one does not, the line that is furthest above its bar:\n", held, bars);
    for (const Group& group : groups_) {
        if (group.bars == 0) continue;
        const std::string title = group.heading.substr(0, group.heading.find(", "));
        std::printf("%3d of %2d  %-48s", group.held, group.bars, title.c_str());
        if (group.held < group.bars) std::printf("%6.2f x for %.2f: %s", group.ratio, group.bar, group.furthest.c_str());
        std::printf("\n");
    }
}

std::vector<double> Table::race(size_t nonzeros, const std::vector<std::function<void()>>& candidates) const {
    std::vector<double> best(candidates.size(), 1e300);
    const double end = seconds(CLOCK_MONOTONIC) + (quick_ ? 2 : 8);
    const size_t fewest = quick_ ? 3 : 5;
    for (size_t round = 0; round < fewest || seconds(CLOCK_MONOTONIC) < end; ++round)
        for (size_t c = 0; c < candidates.size(); ++c) {
            const double start = seconds(CLOCK_PROCESS_CPUTIME_ID);
            candidates[c]();
            best[c] = std::min(best[c], seconds(CLOCK_PROCESS_CPUTIME_ID) - start);
        }
    for (double& time : best) time *= 1e9 / static_cast<double>(nonzeros);
    return best;
}

Peak::Peak() {
    if (std::FILE* const file = std::fopen("/proc/self/clear_refs", "w")) {  // "5": the peak starts anew
        std::fputs("5", file);
        std::fclose(file);
    }
    before_ = status_megabytes("VmRSS:");
}

double Peak::megabytes() const { return status_megabytes("VmHWM:") - before_; }

void check(sl_status status, const sl_error& error) {
    if (status == SL_OK) return;
    std::fprintf(stderr, "%s: %s\n", sl_status_name(status), error.message);
    std::exit(1);
}

Data::Data(const Matrix& matrix) {
    sl_error error;
    const std::vector<double> values(matrix.values.begin(), matrix.values.end());
    check(sl_dataset_from_csr(matrix.rows(), matrix.pointers.data(), matrix.indices.data(), values.data(), matrix.labels.data(), nullptr,
                              &handle, &error),
          error);
}

Learner::Learner(const Settings& settings) {
    sl_error error;
    sl_options* options = nullptr;
    check(sl_options_create(&options, &error), error);
    for (const auto& [name, value] : settings) check(sl_options_set(options, name, value, &error), error);
    check(sl_model_create(options, &handle, &error), error);
    sl_options_free(options);
}

void Learner::fit(const Data& data) const {
    sl_error error;
    check(sl_model_fit(handle, data.handle, nullptr, nullptr, &error), error);
}

Settings with(const Matrix& matrix, const Settings& more) {
    Settings settings = {{"eta0", matrix.eta0 == 2 ? "2" : "0.05"},
                         {"l2", "1e-6"},
                         {"schedule", "xu"},
                         {"average", "uniform"},
                         {"scale", "none"},
                         {"average_start", "0"},
                         {"storage", "dense"},
                         {"sampling", "sequential"}};
    settings.insert(settings.end(), more.begin(), more.end());
    return settings;
}

}  // namespace bench
