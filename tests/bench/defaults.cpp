// Whether the defaults need tuning: test loss and error of the default model after one pass, beside the best that a grid over learning
// rate, schedule, noise and l2 finds in one pass. The grid is searched on the test rows with seeds of its own, and the winner judged with
// other seeds, with which the defaults are run too: the grid has every advantage but that of its luckiest orders.
// Ratios of errors are of the error + 0.2 %, those of regressions of the loss + 1 % of what always giving the same answer costs (constant);
// those of log loss are given as they are, and with that 1 %.
//   defaults [--quick] [TRAIN,TEST|FILE.csv|FILE.tsv ...]    real sets, beside those it makes; see sets.h
#include <sparselin.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "sets.h"

namespace {

using bench::Dataset;
using bench::Set;
using bench::stop;
using Settings = std::vector<std::pair<const char*, std::string>>;

template <class Call, class... Arguments>
void call(Call function, Arguments... arguments) {
    sl_error error;
    if (function(arguments..., &error) != SL_OK) stop(error.message);
}

// A loss by its options, the curvature kappa of SPEC section 4, and the metrics by which it is judged.
struct Loss {
    const char* name;
    Settings settings;
    double kappa;
    std::vector<const char*> metrics;
    bool slope_has_scale;  // no: steps are in proportion to the labels
};
const std::vector<Loss> kTwoLabels = {{"log", {{"loss", "log"}}, 0.125, {"log_loss", "error_rate"}, true},
                                      {"hinge", {{"loss", "hinge"}}, 0.5, {"error_rate"}, true}};
const std::vector<Loss> kRegression = {{"squared", {{"loss", "squared"}}, 1, {"loss"}, true},
                                       {"absolute", {{"loss", "absolute"}}, 1, {"loss"}, false},
                                       {"quantile", {{"loss", "quantile"}, {"quantile", "0.9"}}, 1, {"loss"}, false},
                                       {"huber", {{"loss", "huber"}}, 1, {"loss"}, false}};

// Mean of each metric over the seeds [first, end). What overflows is as bad as can be.
std::vector<double> judged(const Set& set, const Loss& loss, const Settings& settings, uint64_t first, uint64_t end) {
    std::vector<double> means(loss.metrics.size());
    for (uint64_t seed = first; seed < end; ++seed) {
        sl_options* options = nullptr;
        sl_model* model = nullptr;
        sl_error error;
        call(sl_options_create, &options);
        for (const Settings* part : {&loss.settings, &settings})
            for (const auto& [name, value] : *part) call(sl_options_set, options, name, value.c_str());
        call(sl_options_set, options, "seed", std::to_string(seed).c_str());
        call(sl_model_create, static_cast<const sl_options*>(options), &model);
        sl_options_free(options);
        const sl_status fitted = sl_model_fit(model, set.train.get(), nullptr, nullptr, &error);
        if (fitted != SL_OK && fitted != SL_ERROR_DIVERGED) stop(error.message);
        call(sl_model_finalize, model);
        for (size_t m = 0; m < means.size(); ++m) {
            double value = HUGE_VAL;
            if (fitted == SL_OK)
                call(sl_model_evaluate, static_cast<const sl_model*>(model), static_cast<const sl_dataset*>(set.test.get()),
                     loss.metrics[m], &value);
            means[m] += value / static_cast<double>(end - first);
        }
        sl_model_free(model);
    }
    return means;
}

std::vector<double> labels_of(const Dataset& data) {
    uint64_t rows = 0;
    call(sl_dataset_shape, static_cast<const sl_dataset*>(data.get()), &rows, static_cast<uint64_t*>(nullptr),
         static_cast<uint64_t*>(nullptr));
    std::vector<double> labels(rows);
    for (uint64_t r = 0; r < rows; ++r) {
        size_t count = 0;
        call(sl_dataset_row, static_cast<const sl_dataset*>(data.get()), r, static_cast<uint32_t*>(nullptr), static_cast<double*>(nullptr),
             size_t{0}, &count, &labels[r], static_cast<double*>(nullptr));
    }
    return labels;
}

// The same labels without any features: what always giving the same answer comes to.
Set without_features(const Set& set) {
    const auto bare = [](const Dataset& data) {
        const std::vector<double> labels = labels_of(data);
        const std::vector<int64_t> pointers(labels.size() + 1);
        sl_dataset* rows = nullptr;
        call(sl_dataset_from_csr, labels.size(), pointers.data(), static_cast<const uint32_t*>(nullptr),
             static_cast<const double*>(nullptr), labels.data(), static_cast<const double*>(nullptr), &rows);
        return Dataset(rows);
    };
    return {set.name, bare(set.train), bare(set.test)};
}

// What makes learning rates of the grid mean the same on every set: about the step that eta0 auto begins with. Columns that fit scales have
// a mean square of 1 over their nonzeros, so that rows have one of nonzeros / rows.
double natural_step(const Set& set, const Loss& loss) {
    uint64_t rows = 0, nonzeros = 0;
    call(sl_dataset_shape, static_cast<const sl_dataset*>(set.train.get()), &rows, &nonzeros, static_cast<uint64_t*>(nullptr));
    const double n = static_cast<double>(rows);
    const std::vector<double> labels = labels_of(set.train);
    double mean = 0, spread = 0;
    for (const double label : labels) mean += label / n;
    for (const double label : labels) spread += std::fabs(label - mean) / n;
    return (loss.slope_has_scale ? 1 : spread) / (loss.kappa * (1 + static_cast<double>(nonzeros) / n));
}

std::vector<Settings> grid(double step, bool quick) {
    std::vector<std::string> rates = {"auto"};
    for (const double multiple : {1. / 16, 1. / 4, 1., 4.})
        if (!quick || (multiple >= 1. / 4 && multiple <= 1)) rates.push_back(std::to_string(multiple * step));
    std::vector<Settings> schedules = {{{"noise", "0"}},
                                       {{"noise", "0.000244140625"}},
                                       {{"noise", "0.00390625"}},
                                       {{"noise", "0.0625"}},
                                       {{"schedule", "inverse_scaling"}, {"power", "0.25"}},
                                       {{"schedule", "inverse_scaling"}, {"power", "0.5"}}};
    std::vector<const char*> penalties = {"0", "1e-5", "1e-4"};
    if (quick) penalties.pop_back();
    std::vector<Settings> all;
    for (const std::string& rate : rates)
        for (const Settings& schedule : schedules)
            for (const char* l2 : penalties) {
                all.push_back({{"eta0", rate}, {"l2", l2}});
                all.back().insert(all.back().end(), schedule.begin(), schedule.end());
            }
    return all;
}

std::string described(const Settings& settings) {
    std::string text;
    for (const auto& [name, value] : settings) text += std::string(text.empty() ? "" : " ") + name + "=" + value;
    return text;
}

// Ratios to the best, and whether they keep to a bar.
class Ratios {
  public:
    Ratios(const char* what, double mean_bar, double worst_bar) : what_(what), mean_bar_(mean_bar), worst_bar_(worst_bar) {}
    void add(double ratio, const std::string& where) {
        logarithms_ += std::log(ratio);
        ++count_;
        if (ratio > worst_) worst_ = ratio, where_ = where;
    }
    void print() const {
        if (count_ == 0) return;
        const double mean = std::exp(logarithms_ / count_);
        std::printf("%-42s geometric mean %.3f, bar %.2f  %s; ", what_, mean, mean_bar_, mean <= mean_bar_ ? "holds" : "NOT");
        std::printf("worst %.2f, %s", worst_, where_.c_str());
        if (std::isfinite(worst_bar_)) std::printf(", bar %.2f  %s", worst_bar_, worst_ <= worst_bar_ ? "holds" : "NOT");
        std::printf("\n");
    }

  private:
    const char* what_;
    double mean_bar_, worst_bar_, logarithms_ = 0, worst_ = 0;
    int count_ = 0;
    std::string where_;
};

struct Bars {
    Ratios log_loss{"log loss", 1.06, 1.3}, log_loss_apart_from_0{"log loss + 1 % of the constant's", 1.06, 1.3},
        error{"error + 0.2 %", 1.03, HUGE_VAL}, regression{"loss of regressions + 1 % of the constant's", 1.05, 1.3};
};

void compare(const Set& set, const Loss& loss, bool quick, Bars& bars) {
    const uint64_t chosen = quick ? 2 : 3, end = quick ? 3 : 6;  // seeds 1 to chosen - 1 choose, the others judge
    const std::vector<double> standard = judged(set, loss, {}, chosen, end);
    const std::vector<double> constant = judged(without_features(set), loss, {}, 1, 2);
    std::vector<Settings> best(loss.metrics.size());
    std::vector<double> least(loss.metrics.size(), HUGE_VAL);
    for (const Settings& settings : grid(natural_step(set, loss), quick)) {
        const std::vector<double> found = judged(set, loss, settings, 1, chosen);
        for (size_t m = 0; m < found.size(); ++m)
            if (found[m] < least[m]) least[m] = found[m], best[m] = settings;
    }
    for (size_t m = 0; m < loss.metrics.size(); ++m) {
        const std::string metric = loss.metrics[m];
        const bool is_error = metric == "error_rate";
        const bool is_log_loss = metric == "log_loss";
        // Near 0 a difference matters to nobody, however large the ratio: data without noise have no best but 0.
        const double base = 0.01 * constant[m], more = is_error ? 0.002 : is_log_loss ? 0 : base, unit = is_error ? 100 : 1;
        const double tuned = judged(set, loss, best[m], chosen, end)[m], ratio = (standard[m] + more) / (tuned + more);
        std::printf("%-14s %-9s %-9s %9.4f %9.4f %9.4f %7.3f", set.name.c_str(), loss.name, is_error ? "error, %" : metric.c_str(),
                    unit * constant[m], unit * standard[m], unit * tuned, ratio);
        if (is_log_loss && std::isfinite(set.truth))
            std::printf(" %8.4f", set.truth);
        else
            std::printf(" %8s", "");
        std::printf("  %s\n", described(best[m]).c_str());
        std::fflush(stdout);
        const std::string where = set.name + ", " + loss.name;
        (is_error ? bars.error : is_log_loss ? bars.log_loss : bars.regression).add(ratio, where);
        if (is_log_loss) bars.log_loss_apart_from_0.add((standard[m] + base) / (tuned + base), where);
    }
}

}  // namespace

int main(int argc, char** argv) {
    bool quick = false;
    std::vector<Set> two_labels;
    for (int i = 1; i < argc; ++i) {
        if (std::string(argv[i]) == "--quick")
            quick = true;
        else
            two_labels.push_back(bench::load(argv[i]));
    }
    const size_t part = quick ? 5 : 1;
    for (Set& set : bench::two_label_sets(part)) two_labels.push_back(std::move(set));
    std::printf("%-14s %-9s %-9s %9s %9s %9s %7s %8s  %s\n", "set", "loss", "judged by", "constant", "default", "tuned", "ratio", "truth",
                "tuned to");
    Bars bars;
    for (const Set& set : two_labels)
        for (const Loss& loss : kTwoLabels) compare(set, loss, quick, bars);
    for (const Set& set : bench::regression_sets(part))
        for (const Loss& loss : kRegression) compare(set, loss, quick, bars);
    std::printf("\n");
    for (const Ratios* ratios : {&bars.log_loss, &bars.log_loss_apart_from_0, &bars.error, &bars.regression}) ratios->print();
    return 0;
}
