#include "learner.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <type_traits>

#include "class_loops.h"
#include "error.h"

namespace sparselin {
namespace {

// Xu 2011, section 4: the trial average and both moving averages of losses.
constexpr double kKeep = 0.99, kTake = 0.01;
constexpr uint64_t kFirstStart = 100;

// The largest of |number|, of two or more. Not inlined, since within a step GCC keeps it in memory, from class to class.
[[gnu::noinline]] double largest_size(size_t count, const double* numbers) {
    Two largest = {};
    for (size_t k = 0; k < count; k += 2) {
        const auto two = load<Two>(numbers + std::min(k, count - 2));
        largest = larger<Two>(largest, larger<Two>(two, -two));
    }
    return std::max(largest[0], largest[1]);
}

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
    if (!statistics_.is_fixed()) fixed = statistics_.fixed();
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
    bool finite = true;
    for (size_t k = 0; k < classes; ++k) {
        const double score = scores[k] + biases_[k];
        finite &= std::isfinite(score);
        scores[k] = settings_.clipped(score);
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
    for (size_t k = 0; k < classes; ++k) {
        const double g = weight * gradients[k];
        const double moved = settings_.update == Update::sgd ? bias_factor * biases_[k] - eta * g : bias_factor * (biases_[k] - eta * g);
        biases[k] = settings_.bias ? moved : biases_[k];  // 0, but what merging or a start may have left there
        gradients[k] = -eta * g;
    }
    const double largest_gradient = one ? std::fabs(*gradients) : largest_size(classes, gradients);

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
    finite &= std::isfinite(loss_sum_ + loss + rows.weight_sum + rows.noise_clock + rows.recent_error + loss_trial);
    for (size_t k = 0; k < classes; ++k) finite &= std::isfinite(weights_.average_bias_sum(k) + largest_share * biases[k]);
    if (!finite || !weights_.can_step(x, largest_gradient, shrink, largest_share)) refuse(x, eta, scores);

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
    weights_.step(x, statistics_.means(), gradients, largest_gradient, shrink, omega, biases, t);
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

// Tells of the prediction that is furthest from 0, or is nan. The scores are for its own use.
void Learner::refuse(const PreparedRow& x, double eta, double* scores) const {
    weights_.dot(x, scores);
    double p = 0;
    for (size_t k = 0; k < classes() && !std::isnan(p); ++k)
        if (const double score = scores[k] + biases_[k]; !(std::fabs(score) <= std::fabs(p))) p = score;
    fail(SL_ERROR_DIVERGED, "step ", steps_ + 1, " would overflow: its prediction is ", p, " and its learning rate ", eta,
         "; lower eta0, or normalize or scale the examples");
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
