// What the options say, typed; and by what names the options know it.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "choices.h"

namespace sparselin {

enum class LossKind { log, hinge, squared_hinge, squared, absolute, huber, epsilon_insensitive, quantile };
enum class Multiclass { automatic, softmax, one_vs_rest };

// What is to be known of a loss beside its formula (loss.cpp). Whatever else depends on the loss asks for one of these, and texts about
// losses are made of them.
struct LossTraits {
    std::string_view name;
    LossKind kind;
    bool has_labels;           // which tell classes apart, two as -1 and +1; any number is a label otherwise
    bool has_probabilities;    // 1 / (1 + exp(-score)) is that of the larger label
    Multiclass multiclass;     // what the option of this name is where it is auto; softmax if there is one, and none else has it
    bool is_scaled_by_labels;  // its slope ignores the labels' scale
    double curvature;          // kappa: what a unit squared norm brings, for the automatic learning rate
    double l2, noise, power;   // what the options of these names are where they are auto; of noise the least
};

inline constexpr LossTraits kLosses[] = {
    {"log", LossKind::log, true, true, Multiclass::softmax, false, 0.125, 1e-6, 1.0 / 256, 0.75},
    {"hinge", LossKind::hinge, true, false, Multiclass::one_vs_rest, false, 0.5, 1e-6, 1.0 / 4096, 0.75},
    {"squared_hinge", LossKind::squared_hinge, true, false, Multiclass::one_vs_rest, false, 1, 1e-6, 1.0 / 4096, 0.75},
    {"squared", LossKind::squared, false, false, Multiclass::one_vs_rest, false, 1, 1e-6, 0, 2.0 / 3},
    {"absolute", LossKind::absolute, false, false, Multiclass::one_vs_rest, true, 1, 0, 0, 0.75},
    {"huber", LossKind::huber, false, false, Multiclass::one_vs_rest, true, 1, 0, 0, 0.75},
    {"epsilon_insensitive", LossKind::epsilon_insensitive, false, false, Multiclass::one_vs_rest, true, 1, 0, 0, 0.75},
    {"quantile", LossKind::quantile, false, false, Multiclass::one_vs_rest, true, 1, 0, 0, 0.75},
};

inline constexpr auto kHasLabels = [](const LossTraits& loss) { return loss.has_labels; };
inline constexpr BuiltText kLossesWithLabels = joined(kLosses, kHasLabels);
inline constexpr BuiltText kLossesWithProbabilities = joined(kLosses, [](const LossTraits& loss) { return loss.has_probabilities; });
inline constexpr BuiltText kLossesWithSoftmax =
    joined(kLosses, [](const LossTraits& loss) { return loss.multiclass == Multiclass::softmax; });

constexpr bool losses_have_the_order_of_their_kinds() {
    size_t i = 0;
    for (const LossTraits& loss : kLosses)
        if (static_cast<size_t>(loss.kind) != i++) return false;
    return true;
}
static_assert(losses_have_the_order_of_their_kinds());

inline const LossTraits& traits(LossKind kind) { return kLosses[static_cast<size_t>(kind)]; }

inline constexpr uint32_t kMostClasses = 65536;
inline constexpr Choice<Multiclass> kMulticlasses[] = {
    {"auto", Multiclass::automatic},
    {"softmax", Multiclass::softmax},
    {"one_vs_rest", Multiclass::one_vs_rest},
};

enum class Update { sgd, fobos, truncated_gradient, rounding };
inline constexpr Choice<Update> kUpdates[] = {
    {"sgd", Update::sgd},
    {"fobos", Update::fobos},
    {"truncated_gradient", Update::truncated_gradient},
    {"rounding", Update::rounding},
};

enum class ScheduleKind { adaptive, xu, constant, inverse_scaling, inverse_lambda };
inline constexpr Choice<ScheduleKind> kSchedules[] = {
    {"adaptive", ScheduleKind::adaptive},
    {"xu", ScheduleKind::xu},
    {"constant", ScheduleKind::constant},
    {"inverse_scaling", ScheduleKind::inverse_scaling},
    {"inverse_lambda", ScheduleKind::inverse_lambda},
};

enum class Average { polynomial, uniform, none };
inline constexpr Choice<Average> kAverages[] = {
    {"polynomial", Average::polynomial},
    {"uniform", Average::uniform},
    {"none", Average::none},
};

enum class Normalize { none, sqrt_nnz, l2 };
inline constexpr Choice<Normalize> kNormalizes[] = {
    {"none", Normalize::none},
    {"sqrt_nnz", Normalize::sqrt_nnz},
    {"l2", Normalize::l2},
};

enum class Scale { automatic, none, rms, max_abs };
inline constexpr Choice<Scale> kScales[] = {
    {"auto", Scale::automatic},
    {"none", Scale::none},
    {"rms", Scale::rms},
    {"max_abs", Scale::max_abs},
};

enum class Storage { automatic, dense, hash };
inline constexpr Choice<Storage> kStorages[] = {
    {"auto", Storage::automatic},
    {"dense", Storage::dense},
    {"hash", Storage::hash},
};

enum class Sampling { shuffle, sequential, with_replacement };
inline constexpr Choice<Sampling> kSamplings[] = {
    {"shuffle", Sampling::shuffle},
    {"sequential", Sampling::sequential},
    {"with_replacement", Sampling::with_replacement},
};

inline constexpr Choice<uint32_t> kIndexBases[] = {{"one", 1}, {"zero", 0}};

// What the options say, with SPEC's rules applied: options that exclude each other are refused, and penalties that do not belong
// to the update count as 0.
struct Settings {
    LossKind loss;
    double huber_delta, epsilon, quantile;
    uint32_t classes;                                            // 0: as many as the labels that fit finds
    Multiclass multiclass;                                       // not automatic
    size_t scores() const { return classes > 2 ? classes : 1; }  // of a row
    bool balance;
    double positive_weight;
    Update update;
    double l1, l2, gravity, theta;  // theta is infinite where nothing is out of gravity's reach
    uint64_t period;
    bool nonnegative;
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
