// Examples as they come from outside are checked, and their rows made canonical.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "row.h"

namespace sparselin {

// Which indices a row may have.
struct IndexBounds {
    uint64_t dimension = 0;   // all below it; 0: any
    bool are_signed = false;  // they come from signed integers: one beyond INT32_MAX is a negative number

    bool contain(uint32_t index) const { return !(dimension && index >= dimension) && !(are_signed && index > INT32_MAX); }
};

// Makes rows canonical, with memory of its own where the raw row is not so already. A row stays valid until the next call.
class RowBuffer {
  public:
    // Throws SL_ERROR_INVALID_DATA for a value that is not finite, a squared norm that overflows, or an index out of bounds.
    Row canonical(const RawRow& raw, const IndexBounds& bounds = {});
    // A row that canonical() has given, in memory of this buffer, where the raw row will not last.
    Row held(const Row& row);
    uint64_t bytes() const {
        const uint64_t entries = entries_.capacity() + more_entries_.capacity();
        return indices_.capacity() * sizeof(uint32_t) + values_.capacity() * sizeof(double) + entries * sizeof(Entry);
    }

  private:
    struct Entry {
        uint32_t index;
        double value;
    };

    const Entry* sorted(const RawRow& raw, uint32_t largest);

    std::vector<uint32_t> indices_;
    std::vector<double> values_;
    std::vector<Entry> entries_, more_entries_;  // while a row is sorted
};

// For labels and weights: throws SL_ERROR_INVALID_DATA if one is not finite, or the weight is negative.
void check_label_and_weight(double label, double weight);

}  // namespace sparselin
