#include "label_watch.h"

#include <cmath>

#include "library.h"
#include "output.h"

namespace cli {

void LabelWatch::look_at(const sl_dataset* data) {
    const uint64_t rows = rows_of(data);
    for (uint64_t row = 0; row < rows; ++row) {
        double label = 0;
        size_t count = 0;
        call(sl_dataset_row, data, row, nullptr, nullptr, size_t{0}, &count, &label, nullptr);
        if (label == 0 && !told_zero_) {
            told_zero_ = true;
            tell("label 0 counts as -1, which predict --label gives for it: 0 and 1 stay the pair of a file learned without --stream");
        }
        if (run_ > 0 && (label > 0) != (label_ > 0)) {
            judge();
            run_ = 0;
        }
        label_ = label;
        ++run_;
        ++counts_[label > 0];
    }
}

void LabelWatch::finish() { judge(); }

// Rows in random order end in a run of k of n rows, of which m have the other label, with a chance of about (1 - k / n)^m.
void LabelWatch::judge() {
    constexpr uint64_t kLong = 1000;
    constexpr double kNever = -30;  // ln 1e-13
    const auto others = static_cast<double>(counts_[!(label_ > 0)]), all = others + static_cast<double>(counts_[label_ > 0]);
    if (told_run_ || run_ < kLong || others == 0 || others * std::log1p(-static_cast<double>(run_) / all) > kNever) return;
    told_run_ = true;
    tell("the last " + std::to_string(run_) + " labels were all " + shortest(label_) +
         ": a stream should come in random order, since what comes last counts most; shuffle it, or learn a file without --stream");
}

}  // namespace cli
