#include <algorithm>
#include <cmath>
#include <memory>

#include "error.h"
#include "learner.h"
#include "sorted.h"

namespace sparselin {

std::vector<uint32_t> Learner::indices() const {
    std::vector<uint32_t> indices;
    for_each_index([&](uint32_t index) { indices.push_back(index); });
    sort_distinct(indices);
    return indices;
}

// Sets weights, biases and averages to what does to raw rows what those of the parts do in their shares. The statistics, the clock and what
// tells whether there is an average are set before; no weight is.
void Learner::combine(const std::vector<const Learner*>& parts, const std::vector<double>& shares, const Round& round) {
    const bool averages = has_average() || on_trial();
    // Where the result has an average, that is what a part returns: its last iterate where it has none.
    const auto averaged = [&](const Learner& part) { return part.has_average() || (on_trial() && part.on_trial()); };
    double mass = 0;
    std::vector<std::vector<uint32_t>> of_part;
    std::vector<uint32_t> all;
    for (size_t p = 0; p < parts.size(); ++p) {
        mass += averaged(*parts[p]) ? shares[p] * parts[p]->weights_.mass() : 0;
        of_part.push_back(parts[p]->indices());
        all.insert(all.end(), of_part.back().begin(), of_part.back().end());
    }
    sort_distinct(all);
    weights_.open(all);
    std::vector<double> last(classes()), sums(classes());
    for (size_t p = 0; p < parts.size(); ++p) {
        const Learner& part = *parts[p];
        visit_ahead<Learner>(of_part[p], {&part, this}, [&](size_t i) {
            const uint32_t index = of_part[p][i];
            const LazyWeights::Entry entry = part.weights_.find(index);
            const double mean = part.statistics_.mean(index);
            const double unit = shares[p] * (part.statistics_.factor(index) / statistics_.factor(index));
            for (size_t k = 0; k < classes(); ++k) {
                const double own = part.weights_.last(entry, k, mean);
                last[k] = unit * own;
                sums[k] = !averages         ? 0
                          : part.on_trial() ? mass * unit * (averaged(part) ? part.weights_.full_average(entry, k, mean) : own)
                                            : mass * unit * part.scaled_weight(entry, k, mean);
            }
            weights_.add(index, last.data(), sums.data());
        });
    }
    // Of a round the weights go on the way they came from where it began, but not past 0, and the averages as far.
    const std::vector<double> stretches = round.begin ? stretches_of(all, round) : std::vector<double>();
    const auto go_on = [&](size_t i) {
        const LazyWeights::Entry begun = round.begin->weights_.find(all[i]), merged = weights_.find(all[i]);
        const double unit = round.begin->statistics_.factor(all[i]) / statistics_.factor(all[i]);
        const auto kept = [](double from, double by) {
            const double to = from + by;
            return std::isnan(to) || (from > 0 && to > 0) || (from < 0 && to < 0) ? by : -from;
        };
        for (size_t k = 0; k < classes(); ++k) {
            const double mean = merged.u[k];
            last[k] = kept(mean, (stretches[i] - 1) * (mean - unit * round.begin->weights_.last(begun, k, 0)));
            sums[k] = averages ? mass * kept(merged.acc[k] / mass, last[k]) : 0;
        }
        weights_.add(all[i], last.data(), sums.data());
    };
    if (!stretches.empty()) visit_ahead<Learner>(all, {round.begin, this}, go_on);
    weights_.close(all, statistics_.means(), clock_);
    weights_.set_mass(averages ? mass : 0);
    for (size_t k = 0; k < classes(); ++k) {
        double bias = 0, average = 0, product = 0, average_product = 0;
        for (size_t p = 0; p < parts.size(); ++p) {
            const Learner& part = *parts[p];
            const bool is_averaged = averaged(part);
            bias += shares[p] * part.biases_[k];
            average += shares[p] * (is_averaged ? part.weights_.average_bias_sum(k) / part.weights_.mass() : part.biases_[k]);
            if (!settings_.center) continue;
            product += shares[p] * part.weights_.last_mean_product(k);
            average_product += shares[p] * (is_averaged ? part.weights_.average_mean_product(k) : part.weights_.last_mean_product(k));
        }
        biases_[k] = bias;
        if (settings_.center) biases_[k] += weights_.last_mean_product(k) - product;
        if (!averages) continue;
        if (settings_.center) average += weights_.average_mean_product(k) - average_product;
        weights_.set_average_bias_sum(k, mass * average);
    }
}

// How much farther than the parts' mean each weight goes; empty where all go just that far. Where a feature is rare, what the parts have
// learned of it adds up: each of them sees few of its rows, and their mean is short by as much as there are parts. Where it is frequent
// each part comes as far as all rows would. With a = (sum of s v^2) / (mean of |x|^2), what steps at the feature's own rows take of its
// error, added up over them, the way of all rows is about (parts + a) / (1 + a) times the parts' mean. Features share rows, and the way is
// shorter for that: the root does well (bindings/spark/README.md).
std::vector<double> Learner::stretches_of(const std::vector<uint32_t>& indices, const Round& round) const {
    std::vector<double> stretches;
    if (!(round.parts > 1) || settings_.center || !statistics_.has_weights()) return stretches;
    double norm = settings_.bias ? 1 : 0;
    for (const double weight : statistics_.weights()) norm += weight / statistics_.weight_sum();
    const double learned = rows_.weight_sum - round.begin->rows_.weight_sum;
    const std::vector<uint32_t>& observed = statistics_.scaled();
    stretches.assign(indices.size(), 1);
    size_t at = 0;
    for (size_t i = 0; i < indices.size(); ++i) {
        while (at < observed.size() && observed[at] < indices[i]) ++at;
        if (at == observed.size() || observed[at] != indices[i]) continue;
        const double a = learned / norm * (statistics_.weights()[at] / statistics_.weight_sum());
        stretches[i] = std::sqrt(1 + (round.parts - 1) / (1 + a));  // (parts + a) / (1 + a), whatever overflows
    }
    return stretches;
}

std::unique_ptr<Learner> Learner::merged(const Settings& settings, const std::vector<const Learner*>& parts, const Round& round) {
    auto sum = std::make_unique<Learner>(settings);
    const RowStatistics before = round.begin ? round.begin->rows_ : RowStatistics();
    const uint64_t steps_before = round.begin ? round.begin->steps_ : 0;
    const double loss_before = round.begin ? round.begin->loss_sum_ : 0;
    std::vector<const Statistics*> statistics;
    double weight_sum = 0;  // learned since the round began
    for (const Learner* part : parts) {
        statistics.push_back(&part->statistics_);
        sum->dimension_ = std::max(sum->dimension_, part->dimension_);
        weight_sum += part->rows_.weight_sum - before.weight_sum;
    }
    if (!std::isfinite(before.weight_sum + weight_sum))
        fail(SL_ERROR_INVALID_DATA, "the weights of all examples add up to more than a double holds");
    const bool observed_before = round.begin && (round.begin->steps_ > 0 || round.begin->statistics_.observed());
    sum->statistics_ = observed_before ? *statistics[0] : Statistics::merged(settings, statistics);
    if (parts[0]->steps_ == 0) return sum;
    std::vector<double> shares;
    shares.reserve(parts.size());
    for (const Learner* part : parts) shares.push_back((part->rows_.weight_sum - before.weight_sum) / weight_sum);
    // The mean of whole numbers, rounded down; where all are the same, exactly that.
    const auto mean = [&](uint64_t Learner::*number) {
        uint64_t least = UINT64_MAX;
        double more = 0;
        for (const Learner* part : parts) least = std::min(least, part->*number);
        for (size_t p = 0; p < parts.size(); ++p) more += shares[p] * static_cast<double>(parts[p]->*number - least);
        return least + static_cast<uint64_t>(more);
    };
    sum->clock_ = std::max<uint64_t>(mean(&Learner::clock_), 1);
    sum->steps_ = steps_before;
    sum->loss_sum_ = loss_before;
    RowStatistics& rows = sum->rows_ = before;  // sums go on; those below are means
    rows.noise_clock = rows.recent_share = 0;
    double errors = 0;
    bool any_average = false;
    sum->start_ = UINT64_MAX;
    for (size_t p = 0; p < parts.size(); ++p) {
        const Learner& part = *parts[p];
        const RowStatistics& own = part.rows_;
        const uint64_t steps = part.steps_ - steps_before, curved_rows = own.curved_rows - before.curved_rows;
        if (steps > INT64_MAX - sum->steps_) fail(SL_ERROR_INVALID_DATA, "the parts have made more than 2^63 steps");
        sum->steps_ += steps;
        rows.weight_sum += own.weight_sum - before.weight_sum;
        if (curved_rows > 0) {
            const double more = static_cast<double>(curved_rows), old = static_cast<double>(before.curved_rows);
            const double mean = std::max(0.0, own.curvature_mean + (own.curvature_mean - before.curvature_mean) * (old / more));
            rows.curved_rows += curved_rows;
            rows.curvature_mean += (mean - rows.curvature_mean) * (more / static_cast<double>(rows.curved_rows));
        }
        rows.nonzeros += own.nonzeros - before.nonzeros;
        rows.noise_clock += shares[p] * own.noise_clock;
        rows.recent_share += shares[p] * own.recent_share;
        if (own.recent_share > 0) errors += shares[p] * own.error();
        sum->loss_sum_ += part.loss_sum_ - loss_before;
        sum->loss_last_ += shares[p] * part.loss_last_;
        sum->loss_trial_ += shares[p] * part.loss_trial_;
        sum->started_ |= part.started_;
        if (part.started_) sum->start_ = std::min(sum->start_, part.start_);
        any_average |= part.has_average();
    }
    rows.recent_error = errors * rows.recent_share;
    if (!sum->started_) sum->start_ = parts[0]->start_;
    if (any_average) sum->averaged_steps_ = std::clamp<uint64_t>(mean(&Learner::averaged_steps_), 1, sum->clock_);
    sum->combine(parts, shares, round);
    if (!sum->weights_.within_bounds() || !std::isfinite(sum->loss_sum_) || !sum->is_finite())
        fail(SL_ERROR_INVALID_DATA, "the merged weights, or their sums, overflow");
    return sum;
}

Learner::Learner(const Settings& settings, const Learner& observer, const std::vector<uint32_t>& indices,
                 const std::vector<double>& weights, const std::vector<double>& biases)
    : Learner(settings) {
    statistics_ = observer.statistics_;
    dimension_ = observer.dimension_;
    const std::vector<double> none(classes());
    weights_.open(indices);
    for (size_t i = 0; i < indices.size(); ++i) {
        const double* const of_feature = weights.data() + i * classes();
        weights_.add(indices[i], of_feature, on_trial() ? of_feature : none.data());  // of a trial average the mass is 1
    }
    weights_.close(indices, statistics_.means(), 0);
    for (size_t k = 0; k < classes(); ++k) {
        biases_[k] = biases[k];
        if (on_trial()) weights_.set_average_bias_sum(k, biases[k]);
    }
    if (!indices.empty()) dimension_ = std::max(dimension_, uint64_t{indices.back()} + 1);
    raw_ = true;
    if (!weights_.within_bounds()) fail(SL_ERROR_INVALID_DATA, "a weight to begin at is too large");
}

std::unique_ptr<Learner> Learner::ready() const {
    auto learner = std::make_unique<Learner>(settings_);
    learner->statistics_ = std::move(*statistics_.fixed());
    learner->dimension_ = dimension_;
    learner->combine({this}, {1}, {});
    if (!learner->weights_.within_bounds()) fail(SL_ERROR_INVALID_DATA, "a weight to begin at is too large beside its feature's scale");
    return learner;
}

}  // namespace sparselin
