#include "labels.h"

#include <algorithm>

#include "error.h"

namespace sparselin {

double LabelPair::other_sign(double label) const {
    const bool zero_counts = smaller_ == -1 && larger_ == 1;
    if (zero_counts && label == 0) return -1;
    fail(SL_ERROR_INVALID_DATA, "the label is ", label, ", but this model's loss knows two labels, which are ", smaller_,
         zero_counts ? " (or 0)" : "", " and ", larger_);
}

LabelPair LabelPair::for_data(const Dataset& data) const {
    LabelPair pair = *this;
    double found[2] = {0, 0};
    int count = 0;
    for (size_t r = 0; !known_ && r < data.rows(); ++r) {
        const double label = data.label(r) + 0.0;  // + 0.0 makes -0 the same as 0 in messages too
        if (data.weight(r) == 0 || (count > 0 && label == found[0]) || (count > 1 && label == found[1])) continue;
        if (count == 2)
            with_row(r, [&] {
                fail(SL_ERROR_INVALID_DATA, "the label ", label, " is the third beside ", found[0], " and ", found[1],
                     ", but this model's loss knows two labels");
            });
        found[count++] = label;
    }
    if (count == 2) pair = LabelPair(std::min(found[0], found[1]), std::max(found[0], found[1]));
    if (count == 1) {
        pair = LabelPair(-1, 1);
        if (found[0] != -1 && found[0] != 0 && found[0] != 1)
            fail(SL_ERROR_INVALID_DATA, "all labels are ", found[0],
                 "; a data set of one label must have -1, 0 or 1, or follow data that fixed the pair of labels");
    }
    if (!pair.known()) return pair;
    for (size_t r = 0; r < data.rows(); ++r) with_row(r, [&] { pair.sign(data.label(r)); });
    return pair;
}

}  // namespace sparselin
