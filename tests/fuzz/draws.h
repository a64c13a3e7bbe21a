// What fuzz_api draws from an input: rows with numbers of every kind, matrices of them, and settings of models.
#pragma once
#include <utility>

#include "fuzz.h"

namespace fuzz {

struct Settings {
    std::vector<std::pair<std::string, std::string>> pairs;
};

struct Row {
    std::vector<uint32_t> indices;
    std::vector<double> values;
    bool ones = false;
    double label = 1, weight = 1;

    const double* value_data() const { return ones ? nullptr : values.data(); }
};

inline double any_double(Input& in) {
    const uint64_t bits = in.bits(8);
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

inline double draw_value(Input& in) {
    static const double kValues[] = {1, -1, 2, 0.5, -0.25, 3, 0, -0.0, 1e-300, 5e-324, 1e10, 1e100, -1e150, 1e160, 0.0 / 0.0, 1.0 / 0.0};
    const size_t pick = in.below(24);
    if (pick < 16) return kValues[pick];
    return pick < 18 ? any_double(in) : static_cast<double>(static_cast<int8_t>(in.byte())) / 16;
}

inline double draw_label(Input& in) {
    static const double kLabels[] = {1, -1, 1, -1, 1, -1, 0, 2, 0.5, -3.25, 1e10, 1e300, 0.0 / 0.0};
    const size_t pick = in.below(14);
    return pick < 13 ? kLabels[pick] : any_double(in);
}

inline double draw_weight(Input& in) {
    static const double kWeights[] = {1, 1, 1, 1, 1, 0.5, 2, 1.5, 0, 1e-300, 1e10, 1e300, -1, -0.0, 0.0 / 0.0};
    const size_t pick = in.below(16);
    return pick < 15 ? kWeights[pick] : any_double(in);
}

inline uint32_t draw_index(Input& in) {
    const size_t pick = in.below(16);
    if (pick < 10) return in.byte() % 32u;
    return static_cast<uint32_t>(pick < 15 ? in.bits(2) : in.bits(4));
}

inline Row draw_row(Input& in) {
    Row row;
    row.ones = in.below(4) == 0;
    for (size_t count = in.below(9); count > 0; --count) {
        row.indices.push_back(draw_index(in));
        if (!row.ones) row.values.push_back(draw_value(in));
    }
    row.label = draw_label(in);
    row.weight = draw_weight(in);
    return row;
}

// Rows as a matrix, with an offset before the first.
struct Matrix {
    std::vector<int64_t> pointers;
    std::vector<uint32_t> indices;
    std::vector<double> values, labels, weights;
    std::vector<Row> rows;

    explicit Matrix(Input& in) {
        pointers.push_back(static_cast<int64_t>(in.below(3)));
        indices.resize(static_cast<size_t>(pointers[0]), 7);
        values.resize(indices.size(), 0.0 / 0.0);
        for (size_t count = in.below(9); count > 0; --count) {
            Row row = draw_row(in);
            if (row.ones) row.values.assign(row.indices.size(), 1.0);
            row.ones = false;
            indices.insert(indices.end(), row.indices.begin(), row.indices.end());
            values.insert(values.end(), row.values.begin(), row.values.end());
            labels.push_back(row.label);
            weights.push_back(row.weight);
            pointers.push_back(static_cast<int64_t>(indices.size()));
            rows.push_back(row);
        }
    }
};

inline std::string draw_option_value(Input& in, const std::string& kind) {
    static const char* const kNumbers[] = {"0",  "1",   "auto", "0.5", "2",     "1e-6",   "1e-4",  "0.01", "0.1",  "0.05", "0.3",
                                           "10", "1.5", "100",  "inf", "-inf",  "-2",     "-0.5",  "nan",  "40",   "5",    "3",
                                           "16", "7",   "1e-9", "64",  "1e300", "1e-300", "65536", "true", "false"};
    const size_t pick = in.below(40);
    if (pick == 0) return in.text(in.below(12));
    if (kind.find('|') != kind.npos && pick < 36) {
        std::vector<std::string> choices(1);
        for (const char c : kind)
            if (c == '|')
                choices.emplace_back();
            else
                choices.back() += c;
        const std::string choice = choices[pick % choices.size()];
        if (choice != "number" && choice != "integer") return choice;
    }
    return kNumbers[in.below(sizeof kNumbers / sizeof *kNumbers)];
}

// So many options are for models; those of encoders only come behind them.
inline size_t model_options() {
    size_t count = sl_option_count();
    const char* name = nullptr;
    for (int model = 0; !model; --count) {
        CHECK(sl_option_describe(count - 1, &name, nullptr, nullptr, nullptr, nullptr) == SL_OK);
        CHECK(sl_option_is_for(name, &model, nullptr, nullptr) == SL_OK);
    }
    return count + 1;
}

inline Settings draw_settings(Input& in, sl_options* options) {
    Settings settings;
    for (size_t count = in.below(10); count > 0; --count) {
        const char *name = nullptr, *kind = nullptr, *standard = nullptr, *help = nullptr;
        sl_error error;
        CHECK(sl_option_describe(in.below(model_options()), &name, &kind, &standard, &help, nullptr) == SL_OK);
        if (std::strcmp(name, "epochs") == 0) continue;  // few, as they are
        const std::string value = draw_option_value(in, kind);
        const sl_status status = told(sl_options_set(options, name, value.c_str(), &error), error);
        CHECK_SAYING(status == SL_OK || status == SL_ERROR_INVALID_OPTION, "%s", error.message);
        char text[400];
        size_t length = 0;
        CHECK(sl_options_get(options, name, text, sizeof text, &length, nullptr) == SL_OK && length <= sizeof text);
        if (status != SL_OK) continue;
        CHECK_SAYING(sl_options_set(options, name, text, nullptr) == SL_OK, "%s does not take its own %s", name, text);
        settings.pairs.emplace_back(name, value);
    }
    return settings;
}

}  // namespace fuzz
