// What rows of each class count in training, by the options balance and positive_weight.
#pragma once
#include <vector>

#include "dataset.h"
#include "labels.h"
#include "settings.h"

namespace sparselin {

class ClassWeights {
  public:
    // For rows that are fed.
    explicit ClassWeights(const Settings& settings) : of_larger_(settings.positive_weight) {}
    // For a fit: with balance the weights of all classes that the data set has add up to the same, and those of all rows to what they did.
    ClassWeights(const Settings& settings, const Dataset& data, const Labels& labels);

    // The weight of a row with a label as the loss takes it. Throws SL_ERROR_INVALID_DATA if no double can hold it.
    double weighed(double label, double weight) const {
        if (factors_.empty() && (of_larger_ == 1 || label != 1)) return weight;
        return multiplied(factors_.empty() ? of_larger_ : factors_[factors_.size() == 2 ? label > 0 : static_cast<size_t>(label)], weight);
    }

  private:
    static double multiplied(double factor, double weight);

    double of_larger_;             // of two labels
    std::vector<double> factors_;  // one a class; none without balance
};

}  // namespace sparselin
