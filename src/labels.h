// The pair of labels that two-label losses know (SPEC section 1).
#pragma once
#include "dataset.h"

namespace sparselin {

class LabelPair {
  public:
    LabelPair() = default;
    LabelPair(double smaller, double larger) : known_(true), smaller_(smaller), larger_(larger) {}

    bool known() const { return known_; }
    double smaller() const { return smaller_; }
    double larger() const { return larger_; }

    // -1 or +1. Throws SL_ERROR_INVALID_DATA for a label outside the pair. With (-1, +1), 0 counts as -1.
    double sign(double label) const {
        if ((label == larger_) | (label == smaller_)) return 2 * static_cast<double>(label == larger_) - 1;  // labels come at random
        return other_sign(label);
    }

    // The pair to use for a data set: this one if it is known, else what the data set's labels make, which may be none if it has no
    // rows. Throws SL_ERROR_INVALID_DATA naming the row if the labels do not fit.
    LabelPair for_data(const Dataset& data) const;

  private:
    double other_sign(double label) const;

    bool known_ = false;
    double smaller_ = 0, larger_ = 0;
};

}  // namespace sparselin
