// A sparse row: as a caller hands it in, and in canonical form. Neither owns what it points to.
#pragma once
#include <cstddef>
#include <cstdint>

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

// Indices ascend and are distinct, no value is 0, and the squared norm is finite.
struct Row {
    const uint32_t* indices;
    const double* values;
    size_t count;
    double squared_norm;

    // Largest index + 1, and 0 of an empty row.
    uint64_t dimension() const { return count ? uint64_t{indices[count - 1]} + 1 : 0; }
};

}  // namespace sparselin
