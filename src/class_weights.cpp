#include "class_weights.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "error.h"

namespace sparselin {

ClassWeights::ClassWeights(const Settings& settings, const Dataset& data, const Labels& labels) : ClassWeights(settings) {
    if (!settings.balance || !labels.known()) return;
    double largest = DBL_MIN, total = 0, present = 0;
    for (size_t r = 0; r < data.rows(); ++r) largest = std::max(largest, data.weight(r));
    const int exponent = -std::ilogb(largest);  // so that no sum overflows
    factors_.assign(labels.count(), 0);
    for (size_t r = 0; r < data.rows(); ++r) {
        const double label = labels.taken(data.label(r)), weight = std::ldexp(data.weight(r), exponent);
        factors_[labels.count() == 2 ? label > 0 : static_cast<size_t>(label)] += weight;
        total += weight;
    }
    for (const double sum : factors_) present += sum > 0;
    for (double& factor : factors_) factor = factor > 0 ? total / (present * factor) : 0;
}

double ClassWeights::multiplied(double factor, double weight) {
    const double product = factor * weight;
    if (!(product <= DBL_MAX))
        fail(SL_ERROR_INVALID_DATA, "the weight of the row, ", weight, ", times ", factor, " for its label is more than a double can hold");
    return product;
}

}  // namespace sparselin
