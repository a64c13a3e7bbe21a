#include "label_watch.h"

#include <cmath>
#include <utility>
#include <vector>

#include "library.h"
#include "output.h"
#include "report.h"

namespace cli {

void LabelWatch::look_at(const sl_model* model, const sl_dataset* data) {
    const bool zero_is_minus_one = labels_of(model) == std::vector<double>{-1, 1};
    const uint64_t rows = rows_of(data);
    for (uint64_t row = 0; row < rows; ++row) {
        double label = target_of(data, row).label;
        if (label == 0 && zero_is_minus_one) {
            label = -1;
            if (!told_zero_)
                tell("label 0 counts as -1, which predict --label gives for it: 0 and 1 stay the pair of a file learned without --stream");
            told_zero_ = true;
        }
        if (run_ > 0 && label != label_) end_run();
        label_ = label;
        ++run_;
    }
}

void LabelWatch::finish() { end_run(); }

// Rows in random order end in a run of k of n rows, of which m have other labels, with a chance of about (1 - k / n)^m.
void LabelWatch::end_run() {
    constexpr uint64_t kLong = 1000;
    constexpr double kNever = -30;  // ln 1e-13
    const uint64_t run = std::exchange(run_, 0);
    all_ += run;
    const uint64_t others = all_ - (counts_[label_] += run);
    const double share = static_cast<double>(run) / static_cast<double>(all_);
    if (told_run_ || run < kLong || others == 0 || static_cast<double>(others) * std::log1p(-share) > kNever) return;
    told_run_ = true;
    tell("the last " + std::to_string(run) + " labels were all " + name_(label_) +
         ": a stream should come in random order, since what comes last counts most; shuffle it, or learn a file without --stream");
}

}  // namespace cli
