#include "loss.h"

#include <algorithm>
#include <cmath>

namespace sparselin {

double Loss::value(double p, double y) const {
    const double r = p - y;
    switch (kind_) {
        case LossKind::log: return std::log1p(std::exp(-std::fabs(p * y))) - std::min(p * y, 0.0);
        case LossKind::hinge: return std::max(0.0, 1 - p * y);
        case LossKind::squared_hinge: return std::max(0.0, 1 - p * y) * std::max(0.0, 1 - p * y) / 2;
        case LossKind::squared: return r * r / 2;
        case LossKind::absolute: return std::fabs(r);
        case LossKind::huber: return std::fabs(r) <= delta_ ? r * r / 2 : delta_ * (std::fabs(r) - delta_ / 2);
        case LossKind::epsilon_insensitive: return std::max(0.0, std::fabs(r) - epsilon_);
        case LossKind::quantile: return y >= p ? -quantile_ * r : (1 - quantile_) * r;
    }
    return 0;
}

double Loss::derivative(double p, double y) const {
    const double r = p - y;
    switch (kind_) {
        case LossKind::log: return -y / (1 + std::exp(p * y));
        case LossKind::hinge: return p * y <= 1 ? -y : 0;
        case LossKind::squared_hinge: return p * y <= 1 ? -y * (1 - p * y) : 0;
        case LossKind::squared: return r;
        case LossKind::absolute: return p <= y ? -1 : 1;
        case LossKind::huber: return std::fabs(r) <= delta_ ? r : std::copysign(delta_, r);
        case LossKind::epsilon_insensitive: return std::fabs(r) <= epsilon_ ? 0 : std::copysign(1.0, r);
        case LossKind::quantile: return p <= y ? -quantile_ : 1 - quantile_;
    }
    return 0;
}

double Loss::label_scale(double deviation) const {
    switch (kind_) {
        case LossKind::absolute:
        case LossKind::epsilon_insensitive:
        case LossKind::quantile: return deviation;
        case LossKind::huber: return std::max(1.0, deviation / delta_);
        default: return 1;
    }
}

}  // namespace sparselin
