#include "report.h"

#include <algorithm>
#include <cmath>

#include "columns.h"

namespace cli {

namespace {

constexpr int kDigits = 6, kAllDigits = 17;
constexpr size_t kConfusions = 10, kMostErrors = 30;

struct Weighted {
    uint32_t index;
    double weight;
};

double metric(const sl_model* model, const sl_dataset* data, const char* name) {
    double value = 0;
    call(sl_model_evaluate, model, data, name, &value);
    return value;
}

bool knows(const sl_model* model, const char* metric) {
    sl_error error;
    size_t length = 0;
    const sl_status status = sl_model_metric(model, metric, nullptr, 0, &length, nullptr, &error);
    if (status != SL_OK && status != SL_ERROR_STATE) throw LibraryError(error);
    return status == SL_OK;
}

// Prints those of the metrics that the loss knows. Where one is undefined on this data, such as the auc of one class, the line says so.
bool report_known(Output& output, const sl_model* model, const sl_dataset* data, std::initializer_list<const char*> names,
                  const std::string& prefix) {
    bool any = false;
    for (const char* name : names) {
        if (!knows(model, name)) continue;
        try {
            output.write(report_line(prefix + name, rounded(metric(model, data, name), kDigits)));
        } catch (const LibraryError& error) {
            if (error.status() != SL_ERROR_INVALID_DATA) throw;
            output.write(report_line(prefix + name, std::string("undefined: ") + error.what()));
        }
        any = true;
    }
    return any;
}

std::vector<Weighted> weights_of(const sl_model* model, size_t k) {
    size_t count = 0;
    call(sl_model_class_nonzeros, model, k, nullptr, nullptr, size_t{0}, &count);
    std::vector<uint32_t> indices(count);
    std::vector<double> values(count);
    call(sl_model_class_nonzeros, model, k, indices.data(), values.data(), count, &count);
    std::vector<Weighted> weights(count);
    for (size_t i = 0; i < count; ++i) weights[i] = {indices[i], values[i]};
    return weights;
}

void report_side(Output& output, const std::string& title, const std::vector<Weighted>& weights, size_t count, const FeatureNames& names) {
    output.write("\n" + title + "\n");
    for (size_t i = 0; i < count; ++i) {
        const auto [index, weight] = weights[i];
        std::string name = names[index];
        if (name.empty()) name = "feature " + names.number(index);
        std::string number = rounded(weight, 4);
        if (number.size() < 11) number.insert(0, 11 - number.size(), ' ');
        output.write(number + "  " + name + "\n");
    }
}

// The `count` first of the weights in an order, where there are so many.
template <class Order>
void report_first(Output& output, const std::string& title, std::vector<Weighted>& weights, size_t count, Order comes_first,
                  const FeatureNames& names) {
    const size_t shown = std::min(count, weights.size());
    std::partial_sort(weights.begin(), weights.begin() + static_cast<std::ptrdiff_t>(shown), weights.end(), comes_first);
    report_side(output, title, weights, shown, names);
}

// The error of each class that the data have, and what is taken for what most often.
void report_classes(Output& output, const sl_model* model, const sl_dataset* data, const std::string& prefix) {
    const std::vector<double> labels = labels_of(model);
    const LabelNames label_names(model);
    const size_t classes = labels.size();
    std::vector<double> counts(classes * classes);
    call(sl_model_confusion, model, data, counts.data(), counts.size());
    struct Confusion {
        double count;
        size_t actual, predicted;
    };
    std::vector<Confusion> confusions;
    std::vector<std::pair<double, size_t>> errors;
    for (size_t k = 0; k < classes; ++k) {
        double all = 0;
        for (size_t j = 0; j < classes; ++j) {
            const double count = counts[k * classes + j];
            all += count;
            if (j != k && count > 0) confusions.push_back({count, k, j});
        }
        if (all > 0) errors.emplace_back(1 - counts[k * classes + k] / all, k);
    }
    if (errors.size() > kMostErrors) {
        std::stable_sort(errors.begin(), errors.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
        output.write(report_line(prefix + "classes", std::to_string(errors.size()) + ", of which the worst follow"));
        errors.resize(kMostErrors);
    }
    for (const auto& [error, k] : errors) output.write(report_line(prefix + "error of " + label_names[labels[k]], rounded(error, kDigits)));
    const size_t shown = std::min(kConfusions, confusions.size());
    std::partial_sort(confusions.begin(), confusions.begin() + static_cast<std::ptrdiff_t>(shown), confusions.end(),
                      [](const Confusion& a, const Confusion& b) {
                          if (a.count != b.count) return a.count > b.count;
                          return a.actual != b.actual ? a.actual < b.actual : a.predicted < b.predicted;
                      });
    for (size_t i = 0; i < shown; ++i)
        output.write(
            report_line(prefix + label_names[labels[confusions[i].actual]] + " taken for " + label_names[labels[confusions[i].predicted]],
                        rounded(confusions[i].count, kDigits)));
}

void report_all_metrics(Output& output, const sl_model* model, const sl_dataset* data, const std::vector<std::string>& names,
                        const std::string& prefix) {
    for (const std::string& name : names) {
        double value = 0;
        call(sl_model_evaluate, model, data, name.c_str(), &value);
        output.write(report_line(prefix + name, shortest(value)));
    }
    if (!names.empty()) return;
    // The loss is defined wherever the data suit the model, so data that do not end the command here.
    const double loss = metric(model, data, "loss");
    if (!report_known(output, model, data, {"error_rate", "macro_f1", "f1", "mcc", "auc", "average_precision"}, prefix))
        report_known(output, model, data, {"rmse", "mae", "r2"}, prefix);
    if (!report_known(output, model, data, {"log_loss", "brier", "calibration_error"}, prefix))
        output.write(report_line(prefix + "loss", rounded(loss, kDigits)));
    if (ask<size_t>(sl_model_classes, model) == 1) return;
    report_classes(output, model, data, prefix);
}

}  // namespace

void report_metrics(Output& output, const sl_model* model, const sl_dataset* data, const std::string& file,
                    const std::vector<std::string>& names, const std::string& prefix) {
    try {
        report_all_metrics(output, model, data, names, prefix);
    } catch (const LibraryError& error) {
        if (error.status() != SL_ERROR_INVALID_DATA) throw;
        throw Failure(kBadData, file + ": " + error.what());
    }
}

FeatureNames::FeatureNames(const sl_model* model, std::vector<std::string> lines)
    : lines_(std::move(lines)), index_base_(model_option(model, "index_base") == "zero" ? 0 : 1) {
    Encoder encoder = encoder_of(model);
    if (!encoder) return;
    index_base_ = 0;
    if (lines_.empty()) encoder_ = std::move(encoder);
}

std::string FeatureNames::operator[](uint32_t index) const {
    if (!lines_.empty()) return index < lines_.size() ? lines_[index] : "";
    if (!encoder_) return "";
    try {
        std::string name = text_of(sl_encoder_name, encoder_.get(), index);
        std::replace_if(
            name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
        return name;
    } catch (const LibraryError& error) {
        if (error.status() == SL_ERROR_STATE || error.status() == SL_ERROR_INVALID_ARGUMENT) return "";  // hashed, or dropped
        throw;
    }
}

void report_all(Output& output, const sl_model* model, const FeatureNames& names) {
    const std::vector<double> labels = labels_of(model);
    const LabelNames label_names(model);
    const auto classes = ask<size_t>(sl_model_classes, model);
    output.write("name\tindex\tclass\tweight\n");
    for (size_t k = 0; k < classes; ++k) {
        const std::string label = labels.empty() ? "" : csv_field(label_names[labels[classes > 1 ? k : 1]], '\t');
        for (const auto [index, weight] : weights_of(model, k))
            output.write(csv_field(names[index], '\t') + "\t" + names.number(index) + "\t" + label + "\t" + rounded(weight, kAllDigits) +
                         "\n");
    }
}

namespace {

// As JSON writes it. What is not UTF-8 is left as it is.
std::string json_text(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        if (static_cast<unsigned char>(c) < ' ') {
            const char* const digits = "0123456789abcdef";
            result += std::string("\\u00") + digits[c >> 4 & 15] + digits[c & 15];
        } else {
            result += c;
        }
    }
    return result + "\"";
}

std::string json_numbers(const std::vector<double>& numbers) {
    std::string result;
    for (const double number : numbers) result += (result.empty() ? "[" : ", ") + shortest(number);
    return result + "]";
}

}  // namespace

void report_json(Output& output, const sl_model* model) {
    const auto line = [&](const char* name, const std::string& value, const char* end = ",\n") {
        output.write("  " + json_text(name) + ": " + value + end);
    };
    output.write("{\n");
    line("version", json_text(sl_version()));
    std::string options;
    for (size_t i = 0; i < sl_option_count(); ++i) {
        const char* name = nullptr;
        call(sl_option_describe, i, &name, nullptr, nullptr, nullptr);
        if (is_for(name, Reads::kModel)) options += (i ? ", " : "") + json_text(name) + ": " + json_text(model_option(model, name));
    }
    line("options", "{" + options + "}");
    const auto steps = ask<uint64_t>(sl_model_steps, model);
    line("steps", std::to_string(steps));
    line("mean_loss", steps ? shortest(ask<double>(sl_model_mean_loss, model)) : "null");
    const std::vector<double> labels = labels_of(model);
    line("labels", labels.empty() ? "null" : json_numbers(labels));
    line("dimension", std::to_string(ask<uint64_t>(sl_model_dimension, model)));
    line("nonzero_weights", std::to_string(nonzero_weights(model)));
    const std::vector<double> biases = biases_of(model);
    line("bias", biases.size() == 1 ? shortest(biases[0]) : json_numbers(biases));
    std::string columns;
    if (Encoder encoder = encoder_of(model); encoder && !text_of(sl_encoder_note, encoder.get()).empty()) {
        const Columns kept(std::move(encoder), false);
        for (const Columns::Column& column : kept.all())
            columns += (columns.empty() ? "" : ", ") + json_text(column.name) + ": " + json_text(Columns::name_of(column.kind));
    }
    line("columns", "{" + columns + "}");
    line("memory", std::to_string(ask<uint64_t>(sl_model_memory, model)), "\n}\n");
}

void report_top(Output& output, const sl_model* model, const FeatureNames& names, size_t count) {
    const auto is_larger = [](const Weighted& a, const Weighted& b) {
        return a.weight != b.weight ? a.weight > b.weight : a.index < b.index;
    };
    const auto is_smaller = [](const Weighted& a, const Weighted& b) {
        return a.weight != b.weight ? a.weight < b.weight : a.index < b.index;
    };
    const auto is_positive = [](const Weighted& w) { return w.weight > 0; };
    const std::vector<double> labels = labels_of(model);
    const LabelNames label_names(model);
    if (labels.size() > 2) {
        for (size_t k = 0; k < labels.size(); ++k) {
            std::vector<Weighted> weights = weights_of(model, k);
            weights.erase(std::partition(weights.begin(), weights.end(), is_positive), weights.end());
            report_first(output, "Weights that speak most for label " + label_names[labels[k]] + ":", weights, count, is_larger, names);
        }
        return;
    }
    std::string for_larger = "Weights that raise the score most:", for_smaller = "Weights that lower the score most:";
    if (labels.size() == 2) {
        for_larger = "Weights that speak most for label " + label_names[labels[1]] + ":";
        for_smaller = "Weights that speak most for label " + label_names[labels[0]] + ":";
    }
    std::vector<Weighted> weights = weights_of(model, 0);
    const auto negatives = std::partition(weights.begin(), weights.end(), is_positive);
    std::vector<Weighted> lower(negatives, weights.end());
    weights.erase(negatives, weights.end());
    report_first(output, for_larger, weights, count, is_larger, names);
    report_first(output, for_smaller, lower, count, is_smaller, names);
}

size_t nonzero_weights(const sl_model* model) {
    size_t all = 0;
    for (size_t k = 0; k < ask<size_t>(sl_model_classes, model); ++k) {
        size_t count = 0;
        call(sl_model_class_nonzeros, model, k, nullptr, nullptr, size_t{0}, &count);
        all += count;
    }
    return all;
}

std::string mean_loss_text(const sl_model* model) {
    if (ask<uint64_t>(sl_model_steps, model) == 0) return "none yet";
    return rounded(ask<double>(sl_model_mean_loss, model), kDigits) +
           " (of each example before it was learned, by the iterate of the time)";
}

bool has_labels(const sl_model* model) { return knows(model, "error_rate"); }
bool has_probabilities(const sl_model* model) { return knows(model, "log_loss"); }

std::vector<double> biases_of(const sl_model* model) {
    std::vector<double> biases(ask<size_t>(sl_model_classes, model));
    for (size_t k = 0; k < biases.size(); ++k) call(sl_model_class_bias, model, k, &biases[k]);
    return biases;
}

std::vector<double> labels_of(const sl_model* model) {
    size_t count = 0;
    sl_error error;
    const sl_status status = sl_model_class_labels(model, nullptr, 0, &count, &error);
    if (status == SL_ERROR_STATE) return {};
    if (status != SL_OK) throw LibraryError(error);
    std::vector<double> labels(count);
    call(sl_model_class_labels, model, labels.data(), count, &count);
    return labels;
}

bool takes_label(const sl_model* model, double label) {
    const std::vector<double> labels = labels_of(model);
    const size_t classes = ask<size_t>(sl_model_classes, model);
    if (labels.empty() && classes > 1) return label >= 0 && label < static_cast<double>(classes) && label == std::floor(label);
    if (labels.empty() || labels == std::vector<double>{-1, 1}) return label == -1 || label == 0 || label == 1;
    return std::binary_search(labels.begin(), labels.end(), label);
}

void report_labels(Output& output, const sl_model* model) {
    const std::vector<double> labels = labels_of(model);
    const LabelNames label_names(model);
    if (labels.size() == 2) output.write(report_line("labels", label_names[labels[0]] + " and " + label_names[labels[1]]));
    if (labels.size() > 2)
        output.write(report_line(
            "classes", std::to_string(labels.size()) + ", labels " + label_names[labels.front()] + " to " + label_names[labels.back()]));
}

}  // namespace cli
