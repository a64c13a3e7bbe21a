#include "schedule.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "elementary.h"

namespace sparselin {
namespace {

constexpr double kSmallestCurvature = 1e-280;  // a row below it counts as one without curvature, so that 1 / c stays finite

// A product of positive numbers that may have been lost to underflow, such as the smallest weights bring: 1 / it is finite.
double positive(double product) { return std::max(product, DBL_MIN); }

// How soon noise shortens the steps. Long steps are for features that are rare, and of a few features none is; where rows have many
// nonzeros their curvature has shortened the steps already. tests/bench/README.md has what this was chosen on.
double noise_of(const Settings& settings, const RowStatistics& rows) {
    if (!settings.noise_auto) return settings.noise;
    const double mean_nonzeros = rows.nonzeros / static_cast<double>(rows.count);
    return std::max(settings.noise, 16 / ((mean_nonzeros + 1) * (static_cast<double>(rows.features) + 1)));
}

// x^-power. The default of most losses, 3/4, and two others that are common need no logarithm.
double falling(double x, double power) {
    if (power == 0.75) return 1 / (std::sqrt(x) * std::sqrt(std::sqrt(x)));
    if (power == 0.5) return 1 / std::sqrt(x);
    if (power == 1) return 1 / x;
    return to_power(x, -power);
}

}  // namespace

double learning_rate(const Settings& settings, uint64_t t, double eta0) {
    const double step = static_cast<double>(t);
    switch (settings.schedule) {
        case ScheduleKind::constant: return eta0;
        case ScheduleKind::inverse_scaling: return eta0 * falling(step, settings.power);
        case ScheduleKind::adaptive:
        case ScheduleKind::xu: return eta0 * falling(1 + settings.decay * eta0 * step, settings.power);
        case ScheduleKind::inverse_lambda: return 1 / (settings.l2 * step);
    }
    return 0;
}

void RowStatistics::add_curvature(double curvature) {
    if (curvature <= kSmallestCurvature) return;
    ++curved_rows;
    curvature_mean += (curvature - curvature_mean) / static_cast<double>(curved_rows);
}

void RowStatistics::add_error(double error) {
    recent_error = (511 * recent_error + error) / 512;
    recent_share = (511 * recent_share + 1) / 512;
}

StepRate::StepRate(const Settings& settings, const Loss& loss, const RowStatistics& rows, uint64_t t, double weight, double curvature)
    : settings_(settings), loss_(loss), t_(t), eta0_(settings.eta0), cap_(DBL_MAX), noise_(noise_of(settings, rows)) {
    if (settings.eta0_auto) {
        eta0_ = rows.curved_rows == 0 ? 0 : 1 / positive(rows.curvature_mean * (rows.weight_sum / static_cast<double>(rows.count)));
        if (curvature > 0) cap_ = 1 / positive(weight * curvature);
    }
    if (!settings.eta0_auto || !loss.is_scaled_by_labels()) scheduled_ = learning_rate(settings, t, eta0_);
}

double StepRate::at(const RowStatistics& rows) const {
    const bool scaled = settings_.eta0_auto && loss_.is_scaled_by_labels();
    const double r = scaled ? loss_.label_scale(rows.error()) : 1, eta0 = std::min(r * eta0_, DBL_MAX);
    double eta = scaled ? learning_rate(settings_, t_, eta0) : scheduled_;
    if (noise_ > 0) eta = std::min(eta, eta0 / std::sqrt(1 + noise_ * rows.noise_clock));
    if (!settings_.eta0_auto) return eta;
    eta = std::min(eta, r * cap_);
    return settings_.l2 > 0 ? std::min(eta, 1 / (2 * settings_.l2)) : eta;
}

}  // namespace sparselin
