// The learning rate (SPEC section 4; Dekel 2017, section 2: 1 / (lambda t); Xu 2011, equation 22: gamma_0 (1 + a gamma_0 t)^-c; the noise
// clock: Ward, Wu & Bottou 2019, AdaGrad-Norm, of the slopes alone).
#pragma once
#include <cstdint>

#include "loss.h"
#include "settings.h"

namespace sparselin {

// What the learning rate remembers of the rows so far, the current one included.
struct RowStatistics {
    uint64_t count = 0;         // rows
    double weight_sum = 0;      // sum of s_i
    double curvature_mean = 0;  // cbar: mean of c_i over the rows with c_i > 0
    uint64_t curved_rows = 0;   // number of those
    double noise_clock = 0;     // tau: sum of s_i loss'(p_i, y_i)^2; only where `noise` is not 0
    double recent_error = 0;    // m: sum of |y_i - p_i| in shares, each 511/512 of the next one's
    double recent_share = 0;    // 1 - (511/512)^t: the sum of the shares, which m is divided by
    double nonzeros = 0;        // of all rows, of which centered ones are full; only where `noise` is automatic
    uint64_t features = 0;      // the largest index, plus 1

    void add_curvature(double curvature);
    void add_error(double error);
    double error() const { return recent_error / recent_share; }  // e
};

// eta of one step. The part that does not need the prediction is done first: its powers and divisions then overlap with the loads of the
// dot product.
class StepRate {
  public:
    // Of step t, whose row has the given curvature c, and weight s, and is counted in `rows`.
    StepRate(const Settings& settings, const Loss& loss, const RowStatistics& rows, uint64_t t, double weight, double curvature);

    // With the row's prediction counted in `rows`, too.
    double at(const RowStatistics& rows) const;

  private:
    const Settings& settings_;
    const Loss& loss_;
    const uint64_t t_;
    double eta0_;  // where it is automatic, of a label scale of 1
    double cap_;   // where it is automatic, 1 / (s c)
    double noise_;
    double scheduled_ = 0;  // eta0_ as the schedule has it at t, where the label scale is 1
};

// The schedule at step t = 1, 2, ... with first rate eta0, all but the noise clock.
double learning_rate(const Settings& settings, uint64_t t, double eta0);

}  // namespace sparselin
