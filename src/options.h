// The one table of options: setters, reading back, help texts and the model file all go through it.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

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
    bool eta0_auto;
    double eta0, power, decay, noise;  // noise is 0 where no clock runs
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

class Options {
  public:
    Options();

    // All throw SL_ERROR_INVALID_OPTION naming the option and the value.
    void set(std::string_view name, std::string_view value);
    void set_number(std::string_view name, double value);
    const std::string& get(std::string_view name) const;

    Settings settings() const;

    uint64_t bytes() const { return values_.capacity() * sizeof(std::string) + set_.capacity(); }  // short texts take no more

    struct Description {
        const char *name, *kind, *standard, *help;
    };
    static size_t count();
    static Description describe(size_t i);

    // Every option by name, with its value and whether it was set: a default that a later version changes stays what it was. How many
    // threads read text is up to the machine, not to the model: of that option the model has what version 1.0 wrote.
    template <class Self, class Archive>
    static void fields(Self& self, Archive& archive) {
        uint32_t rows = static_cast<uint32_t>(count());
        archive(rows);
        for (uint32_t i = 0; i < rows; ++i) {
            std::string name, value;
            bool set = false;
            if constexpr (Archive::reads) {
                archive(name, value, set);
                if (name != "threads") self.restore(name, value, set);
            } else {
                name = describe(i).name;
                const bool kept = name != "threads";
                archive(name, kept ? self.values_[i] : std::string("0"), kept && self.set_[i]);
            }
        }
    }

  private:
    void restore(std::string_view name, std::string_view value, bool set);
    std::string_view value(std::string_view name) const;
    double number(std::string_view name) const;
    uint64_t integer(std::string_view name) const;
    bool boolean(std::string_view name) const { return value(name) == "true"; }
    bool has_been_asked_for(size_t i) const;

    std::vector<std::string> values_;  // one a row of the table, in the form that get() gives
    std::vector<char> set_;
};

}  // namespace sparselin
