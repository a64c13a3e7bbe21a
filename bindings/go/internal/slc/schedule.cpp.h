#include "schedule.h"

#include <algorithm>
#include <cmath>

namespace sparselin {
namespace {

constexpr double kSmallestCurvature = 1e-280;  // a row below it counts as one without curvature, so that sums of 1 / c stay finite

// x^-power. The default of most losses, 3/4, and two others that are common need no logarithm, and are the same bits everywhere.
double falling(double x, double power) {
    if (power == 0.75) return 1 / (std::sqrt(x) * std::sqrt(std::sqrt(x)));
    if (power == 0.5) return 1 / std::sqrt(x);
    if (power == 1) return 1 / x;
    return std::pow(x, -power);
}

}  // namespace

double learning_rate(const Settings& settings, uint64_t t, double eta0) {
    const double step = static_cast<double>(t);
    switch (settings.schedule) {
        case ScheduleKind::constant: return eta0;
        case ScheduleKind::inverse_scaling: return eta0 * falling(step, settings.power);
        case ScheduleKind::xu: return eta0 * falling(1 + settings.decay * eta0 * step, settings.power);
        case ScheduleKind::inverse_lambda: return 1 / (settings.l2 * step);
    }
    return 0;
}

void RowStatistics::add(uint64_t t, double label, double curvature) {
    deviation_sum += std::fabs(label - label_mean);
    label_mean += (label - label_mean) / static_cast<double>(t);
    if (curvature > kSmallestCurvature) {
        inverse_curvature_sum += 1 / curvature;
        ++curved_rows;
    }
}

double automatic_rate(const Settings& settings, const Loss& loss, const RowStatistics& rows, uint64_t t, double weight, double curvature) {
    if (rows.curved_rows == 0) return 0;
    const double steps = static_cast<double>(t);
    const double r = loss.label_scale(rows.deviation_sum / steps);
    const double h = rows.inverse_curvature_sum / static_cast<double>(rows.curved_rows);
    double eta = learning_rate(settings, t, r * h / (rows.weight_sum / steps));
    if (curvature > 0) eta = std::min(eta, r / (weight * curvature));
    if (settings.l2 > 0) eta = std::min(eta, 1 / (2 * settings.l2));
    return eta;
}

}  // namespace sparselin
