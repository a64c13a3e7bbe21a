// Rows of a data set as text, to be compared.
#pragma once
#include <string>

#include "dataset.h"
#include "expect.h"
#include "number.h"

namespace sparselin {

// A row as `label index:value ...`, indices as they are held (0-based).
inline std::string row_text(const Dataset& data, size_t r) {
    ValueBuffer values;
    const Row row = data.row(r, values);
    std::string text = to_text(data.label(r));
    for (size_t j = 0; j < row.count; ++j) text += concat(" ", row.indices[j], ":", row.values[j]);
    return text;
}

// All that a data set is: each row with its weight, as `label index:value ... *weight;`, and the shape.
inline std::string whole_text(const Dataset& data) {
    std::string text;
    for (size_t r = 0; r < data.rows(); ++r) text += row_text(data, r) + concat(" *", data.weight(r), ";");
    return text + concat(" ", uint64_t{data.rows()}, " x ", data.dimension(), ", ", data.nonzeros());
}

}  // namespace sparselin
