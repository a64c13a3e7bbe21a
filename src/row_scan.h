// One pass over a raw row that finds it canonical as it is and adds up its squares or its products. For processors with SSE2, which all of
// x86-64 have; the sums are those of sum_in_lanes to the bit, so that a row which is refused may go the plain way.
#pragma once
#include <cstdint>

#include "row.h"

namespace sparselin {

// Whether the row is found canonical, and then its squared norm, which may overflow. False: anything may be the case. Values are not null.
bool scan_norm(const RawRow& row, double& squared_norm);

// The same, and true only if the squared norm is sure to be finite and all indices are below `size`; then the product with so many weights.
bool scan_product(const RawRow& row, const double* weights, uint64_t size, double& product);

}  // namespace sparselin
