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
        return (indices_.capacity() + short_keys_.capacity()) * sizeof(uint32_t) + (values_.capacity() + keys_.capacity()) * sizeof(double);
    }

  private:
    static constexpr size_t kFew = 96;

    // Bring the entries into indices_ and values_ by ascending index, those of one index in their order.
    void sort_few(const RawRow& raw);
    template <class Key, class KeyOf>
    void place_few(const RawRow& raw, KeyOf key_of);
    void sort_many(const RawRow& raw);  // but for values, where all are 1
    // Make a canonical row of them, and return its length.
    size_t add_up_equal(size_t count);
    size_t count_equal(size_t count);

    std::vector<uint32_t> indices_;
    std::vector<double> values_;
    std::vector<uint32_t> short_keys_;  // while a row is sorted
    std::vector<uint64_t> keys_;
};

// For labels and weights: throws SL_ERROR_INVALID_DATA if one is not finite, or the weight is negative.
void check_label_and_weight(double label, double weight);

}  // namespace sparselin
