// The validated, canonical view of one sparse row: indices ascending and distinct, no zeros, a squared norm that is finite.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sparselin {

// term(0) + term(1) + ... in the one order that all sums over a row have: entry j goes to lane j mod 4, and the lanes are added in pairs.
template <class Term>
inline double sum_in_lanes(size_t count, Term term) {
    double lane0 = 0, lane1 = 0, lane2 = 0, lane3 = 0;
    size_t j = 0;
    for (; j + 4 <= count; j += 4) {
        lane0 += term(j);
        lane1 += term(j + 1);
        lane2 += term(j + 2);
        lane3 += term(j + 3);
    }
    if (j < count) lane0 += term(j);
    if (j + 1 < count) lane1 += term(j + 1);
    if (j + 2 < count) lane2 += term(j + 2);
    return (lane0 + lane1) + (lane2 + lane3);
}

// Pairs as a caller hands them in: any order, repetitions, zeros; values may be null for all ones.
struct RawRow {
    const uint32_t* indices;
    const double* values;
    size_t count;
};

struct Row {
    const uint32_t* indices;
    const double* values;
    size_t count;
    double squared_norm;

    // Largest index + 1, and 0 of an empty row.
    uint64_t dimension() const { return count ? uint64_t{indices[count - 1]} + 1 : 0; }
};

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
