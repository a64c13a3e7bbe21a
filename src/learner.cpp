#include "learner.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "error.h"

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
      started_(!settings.average_start_auto),
      start_(settings.average_start) {
    if (on_trial()) weights_.set_mass(1);
}

uint64_t Learner::bytes() const {
    return sizeof *this + statistics_.bytes() + weights_.bytes() + (values_.capacity() + means_.capacity()) * sizeof(double);
}

void Learner::observe(const Row& row, double weight) {
    if (steps_ > 0) fail(SL_ERROR_STATE, "statistics are fixed by the first step, and ", steps_, " steps have been made");
    if (!statistics_.wanted()) fail(SL_ERROR_STATE, "the options ask for no statistics: center is false and scale is none");
    statistics_.observe(row, weight);
    dimension_ = std::max(dimension_, row.dimension());
}

LazyWeights::Shrinkage Learner::shrinkage(uint64_t t, double eta) const {
    LazyWeights::Shrinkage shrinkage;
    const bool truncates = t % settings_.period == 0;
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
            if (truncates) shrinkage.amount = eta * static_cast<double>(settings_.period) * settings_.gravity;
            break;
        case Update::rounding:
            if (truncates) shrinkage.amount = settings_.theta;
            break;
    }
    return shrinkage;
}

void Learner::step(const Row& row, double label, double weight) {
    const uint64_t t = steps_ + 1;
    std::unique_ptr<Statistics> fixed;
    if (steps_ == 0) {
        if (statistics_.required() && !statistics_.observed())
            fail(SL_ERROR_STATE, "the options center and scale rest on statistics: observe examples before the first is fed, or use fit");
        fixed = std::make_unique<Statistics>(statistics_.fixed());
    }
    const Features x = (fixed ? *fixed : statistics_).prepare(row, values_, means_);
    weights_.reserve(x);
    const uint64_t dimension = std::max(dimension_, row.dimension());

    const double curvature = loss_.curvature() * (x.squared_norm + (settings_.bias ? 1 : 0));
    RowStatistics rows = rows_;
    rows.weight_sum += weight;
    rows.features = dimension;
    if (settings_.noise_auto) rows.nonzeros += static_cast<double>(settings_.center ? dimension : x.count);
    if (settings_.eta0_auto) rows.add_curvature(curvature);
    const StepRate rate(settings_, loss_, rows, t, weight, curvature);

    const double p = weights_.dot(x) + bias_;
    const double score = settings_.clipped(p);
    const Loss::Point point = loss_.at(score, label);
    if (settings_.noise > 0) rows.noise_clock += weight * point.derivative * point.derivative;
    if (settings_.eta0_auto && loss_.is_scaled_by_labels()) rows.add_error(std::fabs(label - score));
    const double eta = rate.at(rows);
    LazyWeights::Shrinkage shrink = shrinkage(t, eta);
    const double g = weight * point.derivative;
    const double loss = weight * point.value;
    const double bias_factor = settings_.bias_regularized ? shrink.factor : 1;
    const double moved = settings_.update == Update::sgd ? bias_factor * bias_ - eta * g : bias_factor * (bias_ - eta * g);
    const double bias = settings_.bias ? moved : 0;

    double loss_last = loss_last_, loss_trial = loss_trial_;
    if (on_trial()) {
        const double trial = settings_.clipped(weights_.average_dot(x) + weights_.average_bias_sum() / weights_.mass());
        loss_last = kKeep * loss_last + kTake * loss;
        loss_trial = kKeep * loss_trial + kTake * (weight * loss_.value(trial, label));
    }
    const double largest_share = weights_.mass() * (1 + settings_.average_power) + 1;  // of any omega below
    const double sum = loss_sum_ + loss + rows.weight_sum + rows.noise_clock + rows.recent_error + loss_trial +
                       (weights_.average_bias_sum() + largest_share * bias);
    if (!std::isfinite(sum) || !std::isfinite(p) || !weights_.can_step(x, -eta * g, shrink, largest_share))
        fail(SL_ERROR_DIVERGED, "step ", t, " would overflow: its prediction is ", p, " and its learning rate ", eta,
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
    weights_.step(x, statistics_.means(), -eta * g, shrink, omega, bias, t);
    bias_ = bias;
    steps_ = t;
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

double Learner::scaled_weight(uint32_t index) const {
    const double mean = statistics_.mean(index);
    return has_average() ? weights_.average(index, mean, steps_) : weights_.last(index, mean);
}

double Learner::centered_bias() const { return has_average() ? weights_.average_bias_sum() / weights_.mass() : bias_; }

double Learner::bias() const {
    if (!settings_.center) return centered_bias();
    return centered_bias() - (has_average() ? weights_.average_mean_product() : weights_.last_mean_product());
}

// Whether all that a predictor is made of is finite. The numbers that come from a file are, each by itself.
bool Learner::is_finite() const {
    bool finite = std::isfinite(bias()) && (steps_ == 0 || std::isfinite(mean_loss()));
    for_each_index([&](uint32_t index) { finite = finite && std::isfinite(weight(index)); });
    return finite;
}

}  // namespace sparselin
