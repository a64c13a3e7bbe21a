// The labels that losses which tell classes apart know: a pair, or those of several classes (SPEC sections 1 and 10).
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "dataset.h"

namespace sparselin {

class Labels {
  public:
    Labels() = default;  // not known yet
    explicit Labels(std::vector<double> ascending) : all_(std::move(ascending)) {
        if (all_.size() != 2) return;
        smaller_ = all_[0];
        larger_ = all_[1];
    }
    // Those that feeding fixes: -1 and +1 of two classes, 0, 1, ... of more.
    static Labels standard(size_t classes);

    bool known() const { return !all_.empty(); }
    size_t count() const { return all_.size(); }  // 0: not known
    const std::vector<double>& all() const { return all_; }
    std::string text() const;  // for a message

    // A label as the loss takes it: -1 or +1 of a pair, the number of its class of more. Throws SL_ERROR_INVALID_DATA for a label that is
    // none of these. With (-1, +1), 0 counts as -1.
    double taken(double label) const {
        if ((label == larger_) | (label == smaller_)) return 2 * static_cast<double>(label == larger_) - 1;  // labels come at random
        return taken_otherwise(label);
    }

    // The labels to use for a data set, of a model of so many classes, or of as many as there are (0): these if they are known, else what
    // the data set's make, which may be none if it has no rows. Throws SL_ERROR_INVALID_DATA naming the row if the labels do not fit.
    Labels for_data(const Dataset& data, uint32_t classes) const;

  private:
    double taken_otherwise(double label) const;
    [[noreturn]] void refuse(double label) const;

    std::vector<double> all_;                  // ascending
    double smaller_ = kNone, larger_ = kNone;  // of a pair

    static constexpr double kNone = __builtin_nan("");
};

// The number of the class that a row's scores stand for: of one score 0 or 1, of several the first of the largest.
size_t predicted_class(const double* scores, size_t count);

}  // namespace sparselin
