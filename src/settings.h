// What the options say, typed.
#pragma once
#include <algorithm>
#include <cstdint>

namespace sparselin {

enum class LossKind { log, hinge, squared_hinge, squared, absolute, huber, epsilon_insensitive, quantile };
enum class Update { sgd, fobos, truncated_gradient, rounding };
enum class ScheduleKind { adaptive, xu, constant, inverse_scaling, inverse_lambda };
enum class Average { polynomial, uniform, none };
enum class Normalize { none, sqrt_nnz, l2 };
enum class Scale { automatic, none, rms, max_abs };
enum class Storage { automatic, dense, hash };
enum class Sampling { shuffle, sequential, with_replacement };

// What the options say, typed, with SPEC's rules applied: options that exclude each other are refused, and penalties that do not belong
// to the update count as 0.
struct Settings {
    LossKind loss;
    double huber_delta, epsilon, quantile;
    Update update;
    double l1, l2, gravity, theta;  // theta is infinite where nothing is out of gravity's reach
    uint64_t period;
    ScheduleKind schedule;
    bool eta0_auto, noise_auto;
    double eta0, power, decay, noise;  // noise is 0 where no clock runs, and the least where it is automatic
    Average average;
    bool average_start_auto;
    uint64_t average_start;
    double average_power;  // 0 for the uniform average
    bool sparse_average;
    bool bias, bias_regularized;
    Normalize normalize;
    Scale scale;
    bool center;
    double clip_min, clip_max;
    double clipped(double score) const { return std::min(std::max(score, clip_min), clip_max); }
    Storage storage;
    uint64_t dimension;  // 0: grow
    uint64_t epochs;
    Sampling sampling;
    uint64_t seed;
    uint32_t index_base;
    uint32_t threads;            // 0: as many as the machine has cores
    uint64_t history_limit = 0;  // 0: by the dimension; only tests set it, to force settlings
};

}  // namespace sparselin
