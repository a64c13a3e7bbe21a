// Losses as functions of the prediction p and the label y (SPEC section 2; Dekel 2017, table 1, and the usual regression losses), and of
// several classes as functions of all their scores and the number of the row's class (SPEC section 10).
#pragma once
#include <algorithm>
#include <cstddef>
#include <string_view>

#include "settings.h"

namespace sparselin {

class Loss {
  public:
    explicit Loss(const Settings& settings)
        : traits_(&traits(settings.loss)),
          multiclass_(settings.multiclass),
          delta_(settings.huber_delta),
          epsilon_(settings.epsilon),
          quantile_(settings.quantile) {}

    bool has_labels() const { return traits_->has_labels; }
    bool has_probabilities() const { return traits_->has_probabilities; }
    // SL_ERROR_STATE where it has none: "auc", which "needs" a loss that does.
    void require_labels(std::string_view what, std::string_view needs) const;
    void require_probabilities(std::string_view what, std::string_view needs) const;

    struct Point {
        double value;
        double derivative;  // in p; at a kink the subgradient that SPEC's table names
    };
    Point at(double p, double y) const;
    double value(double p, double y) const { return at(p, y).value; }

    // The loss of several classes, whose slopes in the scores p are written, which may be where the scores are.
    double at(const double* p, size_t classes, size_t y, double* slopes) const;

    // Where it has them: the probabilities of the classes, which may be written to where the scores are; and -log of that of class y,
    // however small that is.
    void probabilities(const double* p, size_t classes, double* shares) const;
    double log_loss(const double* p, size_t classes, size_t y) const;

    double curvature() const { return traits_->curvature; }
    bool is_scaled_by_labels() const { return traits_->is_scaled_by_labels; }

    // r_t: gives the losses whose slope ignores the labels' scale their scale back, of the error as it is of late.
    double label_scale(double error) const { return traits_->kind == LossKind::huber ? std::max(1.0, error / delta_) : error; }

  private:
    const LossTraits* traits_;
    Multiclass multiclass_;
    double delta_, epsilon_, quantile_;
};

}  // namespace sparselin
