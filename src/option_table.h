// The one table of options: names, kinds, ranges, defaults and help. The choices of an option are the names of its values (settings.h).
#pragma once
#include <cstddef>
#include <limits>
#include <string_view>
#include <utility>

#include "choices.h"
#include "settings.h"

namespace sparselin {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kFinite = std::numeric_limits<double>::max();
inline constexpr double kPositive = std::numeric_limits<double>::denorm_min();
inline constexpr double kBelowOne = 1 - std::numeric_limits<double>::epsilon() / 2;
inline constexpr double kCountable = 9007199254740992.0;  // 2^53

struct OptionText {
    const char *name, *kind, *standard, *help;
};

struct OptionRow {
    OptionText text;
    double low, high;          // of numbers and integers, both included
    const char* range;         // the same in words
    const char* reader = "";   // "OPTION=a|b": what another option has to be for this one to be read; "" where it always is
    const char* nothing = "";  // a value that, like the default, may be given where it is not read
};

inline constexpr OptionRow kOptions[] = {
    {{"preset", "none|dekel-sgd|dekel-asgd|dekel-casgd|xu-asgd|lipton-sgd|lipton-fobos|langford-tg|langford-rounding", "none",
      "Set the options that make the algorithm of a paper; options set after it win."},
     0,
     0,
     ""},
    {{"loss", kJoined<kLosses>.data(), "log", "Loss to minimise. The first three are for two labels, the others for any number."},
     0,
     0,
     ""},
    {{"huber_delta", "number", "1", "Loss huber: errors up to this size count squared, larger ones linearly."},
     kPositive,
     kFinite,
     "above 0",
     "loss=huber"},
    {{"epsilon", "number", "0.1", "Loss epsilon_insensitive: errors up to this size cost nothing."},
     0,
     kFinite,
     "at least 0",
     "loss=epsilon_insensitive"},
    {{"quantile", "number", "0.5",
      "Loss quantile: which quantile of the label to predict. Far from 1/2, of skewed labels, `noise` of 0.06 or more passes come closer."},
     kPositive,
     kBelowOne,
     "between 0 and 1",
     "loss=quantile"},
    {{"update", kJoined<kUpdates>.data(), "sgd",
      "What a step does with the penalties: gradient and shrinkage together (sgd), shrinkage after the gradient (fobos), or, every "
      "`period` steps, shrinkage by gravity (truncated_gradient) or rounding to 0 (rounding)."},
     0,
     0,
     ""},
    {{"l1", "number", "0", "Weight of the penalty |w|_1, which makes weights exactly 0. For sgd and fobos."},
     0,
     kFinite,
     "at least 0",
     "update=sgd|fobos"},
    {{"l2", "number|auto", "auto",
      "Weight of the penalty |w|^2 / 2. For sgd and fobos. auto is 1e-6, and 0 for the losses whose slope does not grow with the labels "
      "(absolute, epsilon_insensitive, quantile, huber), beside which no fixed penalty suits labels of every size."},
     0,
     kFinite,
     "at least 0, or auto",
     "update=sgd|fobos",
     "0"},
    {{"gravity", "number", "0", "Pull towards 0 a step, times the learning rate. For truncated_gradient."},
     0,
     kFinite,
     "at least 0",
     "update=truncated_gradient"},
    {{"theta", "number", "inf",
      "Only weights up to this magnitude are shrunk or rounded. For truncated_gradient and rounding; rounding must be given one."},
     0,
     kInfinity,
     "at least 0",
     "update=truncated_gradient|rounding"},
    {{"period", "integer", "1", "Steps between two truncations or roundings. For truncated_gradient and rounding."},
     1,
     kCountable,
     "from 1 to 9007199254740992",
     "update=truncated_gradient|rounding"},
    {{"schedule", kJoined<kSchedules>.data(), "adaptive",
      "Learning rate at step t: eta0 (1 + decay eta0 t)^-power (xu), that or eta0 (1 + noise tau)^-1/2, whichever is less, where tau is "
      "the "
      "sum of the squared slopes so far (adaptive: steps stay long while the labels can be told apart, and shrink where they are noisy), "
      "eta0, eta0 t^-power, or 1 / (l2 t)."},
     0,
     0,
     ""},
    {{"eta0", "number|auto", "auto",
      "First learning rate. auto takes it from the curvature of the rows as they come, and caps every step."},
     kPositive,
     kFinite,
     "above 0, or auto",
     "schedule=adaptive|xu|constant|inverse_scaling"},
    {{"power", "number|auto", "auto", "How fast the learning rate falls. auto is 2/3 for loss squared and 3/4 otherwise."},
     0,
     16,
     "from 0 to 16, or auto",
     "schedule=adaptive|xu|inverse_scaling"},
    {{"decay", "number|auto", "auto",
      "Schedules xu and adaptive: when the learning rate begins to fall. auto is l2 for xu, and l1 + l2 + gravity for adaptive."},
     0,
     kFinite,
     "at least 0, or auto",
     "schedule=adaptive|xu"},
    {{"noise", "number|auto", "auto",
      "Schedule adaptive: how soon noise shortens the steps. auto is 0 for losses of any label, else 16 / ((n + 1) (d + 1)) with n the "
      "mean "
      "number of nonzeros and d the number of features so far, but at least 1/256 for loss log and 1/4096 for the hinges."},
     0,
     kFinite,
     "at least 0, or auto",
     "schedule=adaptive",
     "0"},
    {{"average", kJoined<kAverages>.data(), "polynomial",
      "The predictor returned: an average of the iterates that favours late ones, their plain mean, or the last one."},
     0,
     0,
     ""},
    {{"average_start", "integer|auto", "0", "Steps to make before averaging starts. auto starts it when a trial average predicts better."},
     0,
     kCountable,
     "from 0 to 9007199254740992, or auto",
     "average=polynomial|uniform"},
    {{"average_power", "number", "3", "Average polynomial: iterate k of the average weighs about k^average_power."},
     0,
     16,
     "from 0 to 16",
     "average=polynomial"},
    {{"sparse_average", "boolean", "false",
      "Whether the average is 0 wherever the last iterate is, or was within the last sixteenth of the steps. With l1, gravity or rounding: "
      "a model as small as the best one, and nearly as good as the average."},
     0,
     0,
     "",
     "average=polynomial|uniform"},
    {{"bias", "boolean", "true", "Whether the predictor has a constant term."}, 0, 0, ""},
    {{"bias_regularized", "boolean", "false", "Whether l2 acts on the bias too."}, 0, 0, "", "bias=true"},
    {{"normalize", kJoined<kNormalizes>.data(), "none",
      "Divide each example by the square root of its number of nonzeros, or by its length, in training and in prediction."},
     0,
     0,
     ""},
    {{"scale", kJoined<kScales>.data(), "auto",
      "Divide each feature by the root mean square or the largest magnitude of its nonzero values, as observed before training. auto is "
      "rms if anything was observed and center is off, and none otherwise."},
     0,
     0,
     ""},
    {{"center", "boolean", "false",
      "Subtract each feature's mean, as observed before training, without making examples dense. Units stay as they are: with columns that "
      "deviate by much more than 1 ask for scale rms too, or the bias takes many passes to learn."},
     0,
     0,
     ""},
    {{"clip_min", "number", "-inf", "Scores are raised to at least this, in training before the loss is taken."},
     -kInfinity,
     kInfinity,
     ""},
    {{"clip_max", "number", "inf", "Scores are lowered to at most this, in training before the loss is taken."}, -kInfinity, kInfinity, ""},
    {{"storage", kJoined<kStorages>.data(), "auto",
      "Where weights live: an array over all features, a hash table of the features seen, or whichever is better at the time. Changes no "
      "number."},
     0,
     0,
     ""},
    {{"dimension", "integer", "0", "Number of features; larger indices are refused. 0 grows as indices come."},
     0,
     4294967296.0,
     "from 0 to 4294967296"},
    {{"epochs", "integer", "1", "Passes of fit over its data."}, 1, kCountable, "from 1 to 9007199254740992"},
    {{"sampling", kJoined<kSamplings>.data(), "shuffle",
      "Order of a pass of fit: a new permutation each pass, the order of the data, or as many draws with replacement."},
     0,
     0,
     ""},
    {{"seed", "integer", "0", "Fixes the order of fit for good, on every machine and in every language. Any 64-bit number."},
     0,
     18446744073709551615.0,
     "from 0 to 18446744073709551615"},
    {{"index_base", kJoined<kIndexBases>.data(), "one", "What svmlight text calls the first feature."}, 0, 0, ""},
    {{"threads", "integer", "1", "Threads for reading text; 0 for as many as the machine has cores. Changes no number."},
     0,
     1024,
     "from 0 to 1024"},
};
inline constexpr size_t kOptionCount = sizeof kOptions / sizeof *kOptions;

struct PresetRow {
    std::string_view preset, name, value;
};
inline constexpr PresetRow kPresets[] = {
    {"dekel-sgd", "average", "none"},
    {"dekel-sgd", "center", "false"},
    {"dekel-asgd", "average", "uniform"},
    {"dekel-asgd", "center", "false"},
    {"dekel-casgd", "average", "uniform"},
    {"dekel-casgd", "center", "true"},
    {"dekel-", "update", "sgd"},
    {"dekel-", "schedule", "inverse_lambda"},
    {"dekel-", "average_start", "0"},
    {"dekel-", "bias_regularized", "true"},
    {"dekel-", "scale", "none"},
    {"xu-asgd", "update", "sgd"},
    {"xu-asgd", "schedule", "xu"},
    {"xu-asgd", "eta0", "auto"},
    {"xu-asgd", "average", "uniform"},
    {"xu-asgd", "average_start", "auto"},
    {"xu-asgd", "scale", "none"},
    {"lipton-sgd", "update", "sgd"},
    {"lipton-fobos", "update", "fobos"},
    {"lipton-", "schedule", "inverse_scaling"},
    {"lipton-", "power", "0.5"},
    {"lipton-", "average", "none"},
    {"lipton-", "scale", "none"},
    {"langford-tg", "update", "truncated_gradient"},
    {"langford-rounding", "update", "rounding"},
    {"langford-", "schedule", "constant"},
    {"langford-", "period", "10"},
    {"langford-", "storage", "hash"},
    {"langford-", "scale", "none"},
    {"langford-", "average", "none"},
};

// What other libraries (scikit-learn, glmnet, LIBLINEAR, Vowpal Wabbit) call options of ours, for suggestions.
inline constexpr std::pair<std::string_view, std::string_view> kOtherWords[] = {
    {"alpha", "l2"},
    {"lambda", "l2"},
    {"penalty", "l2"},
    {"C", "l2"},
    {"lambda1", "l1"},
    {"lambda2", "l2"},
    {"learning_rate", "eta0"},
    {"step_size", "eta0"},
    {"lr", "eta0"},
    {"power_t", "power"},
    {"family", "loss"},
    {"objective", "loss"},
    {"standardize", "scale"},
    {"standardise", "scale"},
    {"intercept", "bias"},
    {"fit_intercept", "bias"},
    {"max_iter", "epochs"},
    {"passes", "epochs"},
    {"iterations", "epochs"},
    {"random_state", "seed"},
    {"shuffle", "sampling"},
    {"n_features", "dimension"},
    {"tau", "quantile"},
    {"delta", "huber_delta"},
    {"n_jobs", "threads"},
    {"zero_based", "index_base"},
};

}  // namespace sparselin
