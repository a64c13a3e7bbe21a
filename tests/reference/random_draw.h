// Random programs: options from the library's own table, and a small problem to train on. All from one number.
#pragma once
#include <sparselin.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "dense_twin.h"

namespace dense_twin {

class Dice {
  public:
    explicit Dice(uint64_t seed) : engine_(seed) {}

    uint64_t any() { return engine_(); }
    uint64_t below(uint64_t n) { return engine_() % n; }
    bool chance(double p) { return uniform(0, 1) < p; }
    double uniform(double low, double high) { return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53; }
    double magnitude(double low, double high) { return std::exp(uniform(std::log(low), std::log(high))); }
    template <class T>
    const T& of(const std::vector<T>& choices) {
        return choices[below(choices.size())];
    }

  private:
    std::mt19937_64 engine_;
};

struct Example {
    SparseRow x;
    double label, weight;
};

struct Program {
    std::vector<Setting> options;
    std::vector<Example> rows;
    std::vector<SparseRow> probes;   // rows to predict, with indices that were never fed too
    std::vector<uint32_t> features;  // every index of both
    bool ones = false;               // all values are 1, so that none need be given
    bool huge = false;               // with indices that no array can hold
    bool observe = false;            // feed every row to observe first
};

inline std::string to_text(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.17g", value);
    return text;
}

inline std::vector<std::string> split(const std::string& kind) {
    std::vector<std::string> parts;
    for (size_t start = 0, bar; start <= kind.size(); start = bar + 1) {
        bar = std::min(kind.find('|', start), kind.size());
        parts.push_back(kind.substr(start, bar - start));
    }
    return parts;
}

// A value for an option that holds a number. Throws for one that is not known here, so that none can be forgotten.
inline std::string draw_number(const std::string& name, Dice& dice, uint64_t dimension) {
    const auto or_zero = [&](double p, double value) { return dice.chance(p) ? 0 : value; };
    static const std::map<std::string, std::function<double(Dice&)>> numbers = {
        {"huber_delta", [](Dice& d) { return d.magnitude(0.1, 3); }},
        {"quantile", [](Dice& d) { return d.uniform(0.05, 0.95); }},
        {"clip_min", [](Dice& d) { return d.uniform(-2, 0.5); }},
        {"clip_max", [](Dice& d) { return d.uniform(0, 2); }},
        {"eta0", [](Dice& d) { return d.chance(0.03) ? d.magnitude(0.3, 10) : d.magnitude(1e-3, 0.3); }},
    };
    const auto found = numbers.find(name);
    if (found != numbers.end()) return to_text(found->second(dice));
    if (name == "epsilon") return to_text(or_zero(0.1, dice.magnitude(0.01, 1)));
    if (name == "l1") return to_text(or_zero(0.2, dice.magnitude(1e-4, 0.3)));
    if (name == "l2") return to_text(or_zero(0.1, dice.magnitude(1e-6, 2)));
    if (name == "gravity") return to_text(or_zero(0.1, dice.magnitude(1e-3, 0.5)));
    if (name == "theta") return dice.chance(0.1) ? "inf" : to_text(or_zero(0.1, dice.magnitude(0.01, 2)));
    if (name == "power") return to_text(or_zero(0.1, dice.chance(0.1) ? dice.uniform(1, 4) : dice.uniform(0, 1)));
    if (name == "decay") return to_text(or_zero(0.1, dice.magnitude(1e-4, 10)));
    if (name == "noise") return to_text(or_zero(0.1, dice.magnitude(1e-4, 10)));
    if (name == "average_power") return to_text(or_zero(0.1, dice.chance(0.5) ? static_cast<double>(dice.below(5)) : dice.uniform(0, 16)));
    if (name == "positive_weight") return to_text(dice.magnitude(0.1, 10));
    if (name == "classes") return std::to_string(2 + dice.below(8));
    if (name == "period") return std::to_string(1 + dice.below(dice.chance(0.1) ? 60 : 8));
    if (name == "average_start") return std::to_string(dice.chance(0.3) ? 0 : dice.below(60));
    if (name == "dimension") return std::to_string(dice.chance(0.3) ? 0 : dimension + dice.below(2) * (4294967296 - dimension) / 7);
    if (name == "epochs") return std::to_string(1 + dice.below(3));
    if (name == "seed") return std::to_string(dice.any());
    if (name == "threads") return std::to_string(dice.below(5));
    throw std::runtime_error("the random programs do not know the option " + name);
}

inline std::string draw_value(const std::string& name, const std::string& kind, Dice& dice, uint64_t dimension) {
    if (kind == "boolean") return dice.chance(0.5) ? "true" : "false";
    if (kind == "number|auto" || kind == "integer|auto")
        if (dice.chance(0.4)) return "auto";
    if (kind.rfind("number", 0) == 0 || kind.rfind("integer", 0) == 0) return draw_number(name, dice, dimension);
    return dice.of(split(kind));
}

// Takes settings away until none exclude each other. What a preset brings cannot be taken away alone.
inline void make_peace(std::vector<Setting>& options) {
    for (auto conflicts = Settings(options).conflicts(); !conflicts.empty(); conflicts = Settings(options).conflicts()) {
        const auto names = {conflicts[0].first, conflicts[0].second, std::string("preset")};
        for (const std::string& name : names) {
            const size_t before = options.size();
            for (size_t i = options.size(); i-- > 0;)
                if (options[i].first == name) options.erase(options.begin() + static_cast<std::ptrdiff_t>(i));
            if (options.size() < before) break;
        }
    }
}

inline std::vector<Setting> draw_options(Dice& dice, const Program& program) {
    std::vector<Setting> options;
    const double density = dice.chance(0.2) ? 0.15 : 0.5;
    const bool preset = dice.chance(0.15), wild = dice.chance(0.1);
    const uint64_t dimension = uint64_t{program.features.back()} + 1;
    for (size_t i = 0; i < sl_option_count(); ++i) {
        const char *name, *kind, *standard;
        if (sl_option_describe(i, &name, &kind, &standard, nullptr, nullptr) != SL_OK)
            throw std::runtime_error("an option is not described");
        int is_for_models = 0;
        if (sl_option_is_for(name, &is_for_models, nullptr, nullptr) != SL_OK || !is_for_models) continue;
        const std::string known = Settings({}).text(name);
        if (known != standard && std::strtod(known.c_str(), nullptr) != std::strtod(standard, nullptr))
            throw std::runtime_error(std::string("the default of ") + name + " is not SPEC's");
        if (std::string(name) == "balance") continue;  // it is for fit alone, and these models are fed
        std::string value = draw_value(name, kind, dice, dimension);
        if (std::string(name) == "preset") {
            if (preset) options.insert(options.begin(), {name, value});
        } else if (dice.chance(preset ? density / 4 : density)) {
            options.emplace_back(name, value);
        }
    }
    for (size_t i = options.size(); i > 2; --i) std::swap(options[i - 1], options[1 + dice.below(i - 1)]);
    if (!wild) make_peace(options);
    if (program.huge && Settings(options).is("storage", "dense")) options.emplace_back("storage", "hash");
    return options;
}

inline SparseRow draw_row(Dice& dice, const std::vector<uint32_t>& features, const std::vector<double>& sizes, bool ones) {
    SparseRow x;
    if (dice.chance(0.1)) return x;
    const size_t count = 1 + dice.below(std::min<size_t>(features.size(), 6));
    for (size_t k = 0; k < count; ++k) {
        const size_t slot = dice.below(features.size());
        const uint32_t j = features[slot];
        bool repeated = false;
        for (const auto& pair : x) repeated = repeated || pair.first == j;
        if (ones) {
            x.emplace_back(j, 1.0);
        } else if (!repeated) {
            x.emplace_back(j, dice.chance(0.05) ? 0 : sizes[slot] * dice.uniform(-2, 2));
            if (!dice.chance(0.1)) continue;
            // Sums that are exact in every arithmetic: v + v, v + v / 2, and v - v, which is as if v were not there.
            const double factors[] = {1, 0.5, -1};
            x.emplace_back(j, x.back().second * factors[dice.below(3)]);
        }
    }
    return x;
}

inline void draw_features(Dice& dice, Program& program) {
    const size_t n = 4 + dice.below(9);
    const uint64_t span = program.huge ? 4294967296 : dice.chance(0.6) ? n : 1000;
    std::map<uint32_t, bool> distinct;
    if (program.huge) distinct[4294967295u] = true;
    while (distinct.size() < n) distinct[static_cast<uint32_t>(dice.below(span))] = true;
    for (const auto& entry : distinct) program.features.push_back(entry.first);
}

inline void draw_rows(Dice& dice, Program& program, bool two_labels, size_t classes, bool long_run) {
    const std::vector<uint32_t>& features = program.features;
    std::vector<double> sizes(features.size(), 1), plane(features.size());
    const bool units = dice.chance(0.1);
    for (double& size : sizes)
        if (units) size = dice.magnitude(0.01, 100);
    for (double& w : plane) w = dice.chance(0.5) ? dice.uniform(-1, 1) : 0;
    const double label_size = dice.chance(0.7) ? 1 : dice.magnitude(0.03, 30), noise = dice.uniform(0, 1);
    const bool zero_one = dice.chance(0.3), weighted = dice.chance(0.5), first_labels_zero = dice.chance(0.1);
    const size_t count = long_run ? 110 + dice.below(120) : 20 + dice.below(100);
    // The last feature is for the probes alone, now and then.
    std::vector<uint32_t> fed = features;
    if (dice.chance(0.3)) fed.pop_back();
    for (size_t r = 0; r < count; ++r) {
        Example e{draw_row(dice, fed, sizes, program.ones), noise * dice.uniform(-1, 1), 1};
        for (size_t j = 0; j < fed.size(); ++j)
            for (const auto& pair : e.x)
                if (pair.first == fed[j]) e.label += plane[j] * pair.second / sizes[j];
        if (classes > 1)
            e.label = std::floor(std::min(0.999, std::max(0.0, e.label / 4 + 0.5)) * static_cast<double>(classes));
        else
            e.label = two_labels ? (e.label > 0 ? 1 : zero_one ? 0 : -1) : first_labels_zero && r < 5 ? 0 : e.label * label_size;
        if (weighted) e.weight = dice.chance(0.08) ? 0 : dice.chance(0.05) ? dice.magnitude(1e-3, 10) : dice.uniform(0.3, 1.7);
        program.rows.push_back(e);
    }
    for (int i = 0; i < 4; ++i) program.probes.push_back(draw_row(dice, features, sizes, program.ones));
}

inline Program draw_program(uint64_t seed) {
    Dice dice(seed * 0x9e3779b97f4a7c15u + 1);
    Program program;
    program.huge = dice.chance(0.2);
    program.ones = dice.chance(0.1);
    draw_features(dice, program);
    program.options = draw_options(dice, program);
    const Settings settings(program.options);
    const bool waits = settings.is("average_start", "auto") && !settings.is("average", "none");
    draw_rows(dice, program, settings.two_labels(), settings.scores(), waits ? dice.chance(0.8) : dice.chance(0.05));
    program.observe = settings.needs_statistics() || (settings.takes_statistics() && dice.chance(0.7));
    return program;
}

}  // namespace dense_twin
