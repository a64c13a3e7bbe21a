// A random program run by the library: handles that free themselves, the rows as the library takes them, and what can be seen of a model.
#pragma once
#include <sparselin.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "random_draw.h"

namespace dense_twin {

struct Failure {
    std::string what;
};

template <class... Values>
[[noreturn]] void fail(const char* format, Values... values) {
    char text[600];
    std::snprintf(text, sizeof text, format, values...);
    throw Failure{text};
}

inline void check(sl_status status, const sl_error& error) {
    if (status != SL_OK) fail("%s: %s", sl_status_name(status), error.message);
}

struct FreeModel {
    void operator()(sl_model* model) const { sl_model_free(model); }
};
struct FreeOptions {
    void operator()(sl_options* options) const { sl_options_free(options); }
};
struct FreeDataset {
    void operator()(sl_dataset* data) const { sl_dataset_free(data); }
};
using Model = std::unique_ptr<sl_model, FreeModel>;
using Options = std::unique_ptr<sl_options, FreeOptions>;
using Dataset = std::unique_ptr<sl_dataset, FreeDataset>;

// The rows of a program as the library takes them.
struct Matrix {
    explicit Matrix(const Program& program) : ones(program.ones) {
        for (const Example& e : program.rows) add(e.x, e.label, e.weight);
    }
    Matrix(const std::vector<SparseRow>& rows, bool all_ones) : ones(all_ones) {
        for (const SparseRow& x : rows) add(x, 0, 1);
    }
    void add(const SparseRow& x, double label, double weight) {
        for (const auto& [j, v] : x) {
            indices.push_back(j);
            values.push_back(v);
        }
        pointers.push_back(static_cast<int64_t>(indices.size()));
        labels.push_back(label);
        weights.push_back(weight);
    }
    const uint32_t* indices_of(size_t r) const { return indices.data() + pointers[r]; }
    const double* values_of(size_t r) const { return ones ? nullptr : values.data() + pointers[r]; }
    size_t count(size_t r) const { return static_cast<size_t>(pointers[r + 1] - pointers[r]); }

    bool ones;
    std::vector<int64_t> pointers{0};
    std::vector<uint32_t> indices;
    std::vector<double> values, labels, weights;
};

inline sl_status create(const std::vector<Setting>& settings, Model& model, sl_error& error) {
    sl_options* options = nullptr;
    check(sl_options_create(&options, &error), error);
    const Options owner(options);
    for (const Setting& s : settings) {
        char* end;
        const double number = std::strtod(s.second.c_str(), &end);
        const bool as_number = *end == 0 && s.first != "seed" && (s.second.size() & 1);
        check(as_number ? sl_options_set_number(options, s.first.c_str(), number, &error)
                        : sl_options_set(options, s.first.c_str(), s.second.c_str(), &error),
              error);
        char text[64];
        size_t length = 0;
        check(sl_options_get(options, s.first.c_str(), text, sizeof text, &length, &error), error);
        if (text != s.second && !(*end == 0 && std::strtod(text, nullptr) == number))
            fail("%s was set to %s and reads %s", s.first.c_str(), s.second.c_str(), text);
    }
    sl_model* created = nullptr;
    const sl_status status = sl_model_create(options, &created, &error);
    model.reset(created);
    return status;
}

inline Model create_valid(std::vector<Setting> settings, const char* name = nullptr, const char* value = nullptr) {
    Model model;
    sl_error error;
    if (name) settings.emplace_back(name, value);
    check(create(settings, model, error), error);
    return model;
}

inline void feed(sl_model* model, const Matrix& m, size_t r) {
    sl_error error;
    check(sl_model_feed(model, m.indices_of(r), m.values_of(r), m.count(r), m.labels[r], m.weights[r], &error), error);
}

inline void observe(sl_model* model, const Matrix& m) {
    sl_error error;
    for (size_t r = 0; r < m.labels.size(); ++r)
        check(sl_model_observe(model, m.indices_of(r), m.values_of(r), m.count(r), m.weights[r], &error), error);
}

// What can be seen of a model, read anew each time.
struct View {
    View(const sl_model* m, const std::vector<uint32_t>& features, const Matrix& probes) {
        sl_error error;
        uint64_t t = 0;
        check(sl_model_steps(m, &t, &error), error);
        steps = t;
        check(sl_model_dimension(m, &dimension, &error), error);
        check(sl_model_classes(m, &classes, &error), error);
        for (size_t k = 0; k < classes; ++k) {
            biases.push_back(0);
            check(sl_model_class_bias(m, k, &biases.back(), &error), error);
        }
        if (steps) check(sl_model_mean_loss(m, &mean_loss, &error), error);
        for (uint32_t j : features)
            for (size_t k = 0; k < classes; ++k) {
                weights.push_back(0);
                check(sl_model_class_weight(m, k, j, &weights.back(), &error), error);
            }
        scores.resize(probes.labels.size() * classes);
        for (size_t r = 0; r < probes.labels.size(); ++r)
            check(sl_model_scores(m, probes.indices_of(r), probes.values_of(r), probes.count(r), &scores[r * classes], classes, &error),
                  error);
    }

    // All bits; fails with `what` at the first that differs.
    void expect_same(const View& other, const char* what) const {
        if (steps != other.steps || dimension != other.dimension)
            fail("%s: steps %" PRIu64 " and %" PRIu64 ", dimension %" PRIu64 " and %" PRIu64, what, steps, other.steps, dimension,
                 other.dimension);
        if (classes != other.classes) fail("%s: %zu and %zu classes", what, classes, other.classes);
        for (size_t k = 0; k < classes; ++k) expect_same(biases[k], other.biases[k], what, "bias", k);
        expect_same(mean_loss, other.mean_loss, what, "mean loss", 0);
        for (size_t i = 0; i < weights.size(); ++i) expect_same(weights[i], other.weights[i], what, "weight", i);
        for (size_t i = 0; i < scores.size(); ++i) expect_same(scores[i], other.scores[i], what, "score", i);
    }
    static void expect_same(double a, double b, const char* what, const char* where, size_t i) {
        if (std::memcmp(&a, &b, sizeof a) != 0) fail("%s: %s %zu is %.17g and %.17g", what, where, i, a, b);
    }

    uint64_t steps = 0, dimension = 0;
    size_t classes = 0;
    double mean_loss = 0;
    std::vector<double> biases, weights, scores;  // of one feature or probe all classes, then of the next
};

inline Dataset dataset_of(const Matrix& m) {
    sl_dataset* data = nullptr;
    sl_error error;
    check(sl_dataset_from_csr(m.labels.size(), m.pointers.data(), m.indices.data(), m.ones ? nullptr : m.values.data(), m.labels.data(),
                              m.weights.data(), &data, &error),
          error);
    return Dataset(data);
}

inline Model clone_of(const sl_model* model) {
    sl_model* copy = nullptr;
    sl_error error;
    check(sl_model_clone(model, &copy, &error), error);
    return Model(copy);
}

inline void report(uint64_t seed, const Program& program, const Failure& failure) {
    std::fprintf(stderr, "FAILED --seed %" PRIu64 " --count 1: %s\n  %zu rows, %zu features%s%s, options:", seed, failure.what.c_str(),
                 program.rows.size(), program.features.size(), program.huge ? ", huge indices" : "", program.observe ? ", observed" : "");
    for (const Setting& s : program.options) std::fprintf(stderr, " %s=%s", s.first.c_str(), s.second.c_str());
    std::fprintf(stderr, "\n");
}

// The programs of a command line, --seed N --count M, in turn, until ten have failed; run(program, dice) throws Failure.
struct Seeds {
    Seeds(int argc, char** argv, uint64_t standard_count) : count(standard_count) {
        for (int i = 1; i + 1 < argc; i += 2) {
            if (std::strcmp(argv[i], "--seed") == 0) first = std::strtoull(argv[i + 1], nullptr, 10);
            if (std::strcmp(argv[i], "--count") == 0) count = std::strtoull(argv[i + 1], nullptr, 10);
        }
    }
    template <class Run>
    int failures(Run run) const {
        int failures = 0;
        for (uint64_t seed = first; seed < first + count && failures < 10; ++seed) {
            Program program;
            try {
                program = draw_program(seed);
                Dice dice(~seed);
                run(program, dice);
            } catch (const Failure& failure) {
                report(seed, program, failure);
                ++failures;
            } catch (const std::exception& e) {
                report(seed, program, {e.what()});
                return failures + 1;
            }
        }
        return failures;
    }
    uint64_t first = 1, count;
};

}  // namespace dense_twin
