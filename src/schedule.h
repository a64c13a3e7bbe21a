// The learning rate (SPEC section 4; Dekel 2017, section 2: 1 / (lambda t); Xu 2011, equation 22: gamma_0 (1 + a gamma_0 t)^-c).
#pragma once
#include <cstdint>

#include "loss.h"
#include "options.h"

namespace sparselin {

// The schedule at step t = 1, 2, ... with first rate eta0.
double learning_rate(const Settings& settings, uint64_t t, double eta0);

// What the automatic first rate remembers of the rows so far.
struct RowStatistics {
    double deviation_sum = 0;          // sum of |y_i - mean of y before i|
    double label_mean = 0;             // plain mean of the labels
    double weight_sum = 0;             // sum of s_i
    double inverse_curvature_sum = 0;  // sum of 1 / c_i over the rows with c_i > 0
    uint64_t curved_rows = 0;          // number of those

    // Counts row t, all but its weight.
    void add(uint64_t t, double label, double curvature);
};

// eta of step t under eta0 auto; `rows` has the current row in it, whose curvature and weight are given.
double automatic_rate(const Settings& settings, const Loss& loss, const RowStatistics& rows, uint64_t t, double weight, double curvature);

}  // namespace sparselin
