// Losses as functions of the prediction p and the label y (SPEC section 2; Dekel 2017, table 1, and the usual regression losses).
#pragma once
#include <algorithm>

#include "settings.h"

namespace sparselin {

class Loss {
  public:
    explicit Loss(const Settings& settings)
        : traits_(&traits(settings.loss)), delta_(settings.huber_delta), epsilon_(settings.epsilon), quantile_(settings.quantile) {}

    LossKind kind() const { return traits_->kind; }
    bool has_two_labels() const { return traits_->has_two_labels; }

    struct Point {
        double value;
        double derivative;  // in p; at a kink the subgradient that SPEC's table names
    };
    Point at(double p, double y) const;
    double value(double p, double y) const { return at(p, y).value; }

    double curvature() const { return traits_->curvature; }
    bool is_scaled_by_labels() const { return traits_->is_scaled_by_labels; }

    // r_t: gives the losses whose slope ignores the labels' scale their scale back, of the error as it is of late.
    double label_scale(double error) const { return kind() == LossKind::huber ? std::max(1.0, error / delta_) : error; }

  private:
    const LossTraits* traits_;
    double delta_, epsilon_, quantile_;
};

}  // namespace sparselin
