#include "loss.h"

#include <algorithm>
#include <cmath>

namespace sparselin {

Loss::Point Loss::at(double p, double y) const {
    const double r = p - y, margin = p * y;
    switch (kind()) {
        case LossKind::log: {  // log(1 + exp(-margin)) and -y / (1 + exp(margin)), of one exponential that does not overflow
            const double e = std::exp(-std::fabs(margin));
            return {std::log1p(e) - std::min(margin, 0.0), -y * ((margin > 0 ? e : 1) / (1 + e))};
        }
        case LossKind::hinge: return {std::max(0.0, 1 - margin), margin <= 1 ? -y : 0};
        case LossKind::squared_hinge: {
            const double short_of_1 = std::max(0.0, 1 - margin);
            return {short_of_1 * short_of_1 / 2, -y * short_of_1};
        }
        case LossKind::squared: return {r * r / 2, r};
        case LossKind::absolute: return {std::fabs(r), p <= y ? -1.0 : 1.0};
        case LossKind::huber:
            if (std::fabs(r) <= delta_) return {r * r / 2, r};
            return {delta_ * (std::fabs(r) - delta_ / 2), std::copysign(delta_, r)};
        case LossKind::epsilon_insensitive:
            return {std::max(0.0, std::fabs(r) - epsilon_), std::fabs(r) <= epsilon_ ? 0 : std::copysign(1.0, r)};
        case LossKind::quantile: return {y >= p ? -quantile_ * r : (1 - quantile_) * r, p <= y ? -quantile_ : 1 - quantile_};
    }
    return {0, 0};
}

}  // namespace sparselin
