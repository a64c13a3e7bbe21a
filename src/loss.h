// Losses as functions of the prediction p and the label y (SPEC section 2; Dekel 2017, table 1, and the usual regression losses).
#pragma once
#include <algorithm>

#include "settings.h"

namespace sparselin {

class Loss {
  public:
    explicit Loss(const Settings& settings)
        : kind_(settings.loss), delta_(settings.huber_delta), epsilon_(settings.epsilon), quantile_(settings.quantile) {}

    LossKind kind() const { return kind_; }
    bool has_two_labels() const { return kind_ == LossKind::log || kind_ == LossKind::hinge || kind_ == LossKind::squared_hinge; }

    struct Point {
        double value;
        double derivative;  // in p; at a kink the subgradient that SPEC's table names
    };
    Point at(double p, double y) const;
    double value(double p, double y) const { return at(p, y).value; }

    // kappa: the curvature that a unit squared norm brings, for the automatic learning rate.
    double curvature() const { return kind_ == LossKind::log ? 0.125 : kind_ == LossKind::hinge ? 0.5 : 1; }

    // r_t: gives the losses whose slope ignores the labels' scale their scale back, of the error as it is of late.
    bool is_scaled_by_labels() const;
    double label_scale(double error) const { return kind_ == LossKind::huber ? std::max(1.0, error / delta_) : error; }

  private:
    LossKind kind_;
    double delta_, epsilon_, quantile_;
};

}  // namespace sparselin
