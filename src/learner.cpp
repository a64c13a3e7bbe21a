#include "learner.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <type_traits>

#include "error.h"
#include "sorted.h"

namespace sparselin {
namespace {

// Xu 2011, section 4: the trial average and both moving averages of losses.
constexpr double kKeep = 0.99, kTake = 0.01;
constexpr uint64_t kFirstStart = 100;

}  // namespace

Learner::Learner(const Settings& settings)
    : settings_(settings),
      loss_(settings),
      statistics_(settings),
      weights_(settings),
      biases_(settings.scores()),
      started_(!settings.average_start_auto),
      start_(settings.average_start) {
    if (on_trial()) weights_.set_mass(1);
    if (classes() == 1) return;
    for (auto* numbers : {&scores_, &gradients_, &next_biases_}) numbers->resize(classes());
}

Learner::Learner(const Settings& settings, const Learner& observer) : Learner(settings) {
    statistics_ = observer.statistics_;
    dimension_ = observer.dimension_;
    if (observer.raw_) combine({&observer}, {1}, {});
    raw_ = observer.raw_;
}

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
        for (const uint32_t index : of_part[p]) {
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
        }
    }
    // Of a round the weights go on the way they came from where it began, but not past 0, and the averages as far.
    const std::vector<double> stretches = round.begin ? stretches_of(all, round) : std::vector<double>();
    for (size_t i = 0; i < stretches.size(); ++i) {
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
    }
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
    const std::vector<uint32_t> observed = statistics_.scaled();
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
    learner->statistics_ = statistics_.fixed();
    learner->dimension_ = dimension_;
    learner->combine({this}, {1}, {});
    if (!learner->weights_.within_bounds()) fail(SL_ERROR_INVALID_DATA, "a weight to begin at is too large beside its feature's scale");
    return learner;
}

uint64_t Learner::bytes() const {
    return sizeof *this + statistics_.bytes() + weights_.bytes() +
           (values_.capacity() + means_.capacity() + biases_.size() + 3 * scores_.size()) * sizeof(double);
}

void Learner::observe(const Row& row, double weight) {
    if (steps_ > 0) fail(SL_ERROR_STATE, "statistics are fixed by the first step, and ", steps_, " steps have been made");
    if (!statistics_.wanted()) fail(SL_ERROR_STATE, "the options ask for no statistics: center is false and scale is none");
    statistics_.observe(row, weight);
    dimension_ = std::max(dimension_, row.dimension());
}

LazyWeights::Shrinkage Learner::shrinkage(uint64_t t, double eta) const {
    LazyWeights::Shrinkage shrinkage;
    const auto truncates = [&] { return t % settings_.period == 0; };
    switch (settings_.update) {
        case Update::sgd:
            // 1 / (l2 t) makes the first factor 0, which acts on w = 0: it is left out, not computed.
            if (!(settings_.schedule == ScheduleKind::inverse_lambda && t == 1)) shrinkage.factor = std::max(0.0, 1 - eta * settings_.l2);
            shrinkage.amount = eta * settings_.l1;
            break;
        case Update::fobos:
            shrinkage.factor = 1 / (1 + eta * settings_.l2);
            shrinkage.amount = eta * settings_.l1;
            break;
        case Update::truncated_gradient:
            if (truncates()) shrinkage.amount = eta * static_cast<double>(settings_.period) * settings_.gravity;
            break;
        case Update::rounding:
            if (truncates()) shrinkage.amount = settings_.theta;
            break;
    }
    return shrinkage;
}

void Learner::step(const Row& row, double label, double weight) {
    if (classes() == 1)
        step(std::integral_constant<size_t, 1>(), row, label, weight);
    else
        step(classes(), row, label, weight);
}

// `classes` is known when this is compiled where there is one, which then has no loops.
template <class Count>
void Learner::step(Count classes, const Row& row, double label, double weight) {
    constexpr bool one = !std::is_same_v<Count, size_t>;
    double own[3];  // numbers of one class
    double *const scores = one ? own : scores_.data(), *const gradients = one ? own + 1 : gradients_.data();
    double* const biases = one ? own + 2 : next_biases_.data();
    const uint64_t t = clock_ + 1;
    std::unique_ptr<Statistics> fixed;
    if (!statistics_.is_fixed()) fixed = std::make_unique<Statistics>(statistics_.fixed());
    const PreparedRow x = (fixed ? *fixed : statistics_).prepare(row, values_, means_);
    weights_.reserve(x);
    const uint64_t dimension = std::max(dimension_, row.dimension());

    const double curvature = loss_.curvature() * (x.squared_norm + (settings_.bias ? 1 : 0));
    RowStatistics rows = rows_;
    rows.count = steps_ + 1;
    rows.weight_sum += weight;
    rows.features = dimension;
    if (settings_.noise_auto) rows.nonzeros += static_cast<double>(settings_.center ? dimension : x.count);
    if (settings_.eta0_auto) rows.add_curvature(curvature);
    const StepRate rate(settings_, loss_, rows, t, weight, curvature);

    weights_.dot(x, scores);
    double p = scores[0] + biases_[0];  // the largest, for a message
    for (size_t k = 0; k < classes; ++k) {
        scores[k] += biases_[k];
        if (!std::isnan(p) && !(std::fabs(scores[k]) <= std::fabs(p))) p = scores[k];
        scores[k] = settings_.clipped(scores[k]);
    }
    double loss, squared_slope;
    if constexpr (one) {
        const Loss::Point point = loss_.at(*scores, label);
        loss = weight * point.value;
        squared_slope = weight * point.derivative * point.derivative;
        *gradients = point.derivative;
    } else {
        loss = weight * loss_.at(scores, classes, static_cast<size_t>(label), gradients);
        const double squares = sum_in_lanes(classes, [=](size_t k) { return gradients[k] * gradients[k]; });
        squared_slope = weight * (squares / static_cast<double>(classes));
    }
    if (settings_.noise > 0) rows.noise_clock += squared_slope;
    if (settings_.eta0_auto && loss_.is_scaled_by_labels()) rows.add_error(std::fabs(label - *scores));
    const double eta = rate.at(rows);
    LazyWeights::Shrinkage shrink = shrinkage(t, eta);
    const double bias_factor = settings_.bias_regularized ? shrink.factor : 1;
    double largest_gradient = 0;
    for (size_t k = 0; k < classes; ++k) {
        const double g = weight * gradients[k];
        const double moved = settings_.update == Update::sgd ? bias_factor * biases_[k] - eta * g : bias_factor * (biases_[k] - eta * g);
        biases[k] = settings_.bias ? moved : biases_[k];  // 0, but what merging or a start may have left there
        gradients[k] = -eta * g;
        largest_gradient = std::max(largest_gradient, std::fabs(gradients[k]));
    }

    double loss_last = loss_last_, loss_trial = loss_trial_;
    if (on_trial()) {
        weights_.average_dot(x, scores);
        for (size_t k = 0; k < classes; ++k) scores[k] = settings_.clipped(scores[k] + weights_.average_bias_sum(k) / weights_.mass());
        loss_last = kKeep * loss_last + kTake * loss;
        double trial;
        if constexpr (one)
            trial = loss_.value(*scores, label);
        else
            trial = loss_.at(scores, classes, static_cast<size_t>(label), scores);
        loss_trial = kKeep * loss_trial + kTake * (weight * trial);
    }
    const double largest_share = weights_.mass() * (1 + settings_.average_power) + 1;  // of any omega below
    double sum = loss_sum_ + loss + rows.weight_sum + rows.noise_clock + rows.recent_error + loss_trial;
    for (size_t k = 0; k < classes; ++k) sum += weights_.average_bias_sum(k) + largest_share * biases[k];
    if (!std::isfinite(sum) || !std::isfinite(p) || !weights_.can_step(x, largest_gradient, shrink, largest_share))
        fail(SL_ERROR_DIVERGED, "step ", steps_ + 1, " would overflow: its prediction is ", p, " and its learning rate ", eta,
             "; lower eta0, or normalize or scale the examples");

    // From here on nothing throws.
    if (fixed) statistics_ = std::move(*fixed);
    weights_.settle_before(statistics_.means(), shrink, dimension);
    double omega = 0;
    if (on_trial()) {
        weights_.set_mass(weights_.mass() / kKeep);
        omega = kTake * weights_.mass();
    } else if (averages_at(t)) {
        // r = (1 + q) / (k + q) is the share of iterate k in the average: omega / (mass + omega).
        omega = averaged_steps_ == 0 ? 1 : weights_.mass() * (1 + settings_.average_power) / static_cast<double>(averaged_steps_);
        weights_.set_mass(weights_.mass() + omega);
        ++averaged_steps_;
    }
    weights_.step(x, statistics_.means(), gradients, shrink, omega, biases, t);
    std::copy_n(biases, classes, biases_.data());
    ++steps_;
    clock_ = t;
    raw_ = false;
    dimension_ = dimension;
    loss_sum_ += loss;
    rows_ = rows;
    loss_last_ = loss_last;
    loss_trial_ = loss_trial;
    if (on_trial() && t >= kFirstStart && loss_trial_ < loss_last_) {
        started_ = true;
        start_ = t;
        weights_.clear_average(statistics_.means());
    }
}

double Learner::scaled_weight(const LazyWeights::Entry& entry, size_t k, double mean) const {
    return has_average() ? weights_.average(entry, k, mean, clock_) : weights_.last(entry, k, mean);
}

void Learner::scaled_weights(uint32_t index, double* weights) const {
    const LazyWeights::Entry entry = weights_.find(index);
    const double mean = statistics_.mean(index);
    for (size_t k = 0; k < classes(); ++k) weights[k] = scaled_weight(entry, k, mean);
}

void Learner::weights(uint32_t index, double* weights) const {
    scaled_weights(index, weights);
    const double factor = statistics_.factor(index);
    for (size_t k = 0; k < classes(); ++k) weights[k] *= factor;
}

double Learner::centered_bias(size_t k) const { return has_average() ? weights_.average_bias_sum(k) / weights_.mass() : biases_[k]; }

double Learner::bias(size_t k) const {
    if (!settings_.center) return centered_bias(k);
    return centered_bias(k) - (has_average() ? weights_.average_mean_product(k) : weights_.last_mean_product(k));
}

// Whether all that a predictor is made of is finite. The numbers that come from a file are, each by itself.
bool Learner::is_finite() const {
    bool finite = steps_ == 0 || std::isfinite(mean_loss());
    for (size_t k = 0; k < classes(); ++k) finite = finite && std::isfinite(bias(k));
    std::vector<double> of_feature(classes());
    for_each_index([&](uint32_t index) {
        weights(index, of_feature.data());
        for (const double weight : of_feature) finite = finite && std::isfinite(weight);
    });
    return finite;
}

}  // namespace sparselin
