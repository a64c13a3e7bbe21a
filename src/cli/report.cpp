#include "report.h"

#include <algorithm>
#include <optional>

#include "columns.h"

namespace cli {

namespace {

constexpr int kDigits = 6, kAllDigits = 17;

struct Weighted {
    uint32_t index;
    double weight;
};

// Nothing where the model's loss does not know the metric.
std::optional<double> metric(const sl_model* model, const sl_dataset* data, const std::string& name) {
    double value = 0;
    try {
        call(sl_model_evaluate, model, data, name.c_str(), &value);
    } catch (const LibraryError& error) {
        if (error.status() == SL_ERROR_STATE) return std::nullopt;
        throw;
    }
    return value;
}

// Prints those of the metrics that the loss knows. Where one is undefined on this data, such as the auc of one class, the line says so.
bool report_known(Output& output, const sl_model* model, const sl_dataset* data, std::initializer_list<const char*> names,
                  const std::string& prefix) {
    bool any = false;
    for (const std::string name : names) {
        try {
            const std::optional<double> value = metric(model, data, name);
            if (!value) continue;
            output.write(report_line(prefix + name, rounded(*value, kDigits)));
        } catch (const LibraryError& error) {
            if (error.status() != SL_ERROR_INVALID_DATA) throw;
            output.write(report_line(prefix + name, std::string("undefined: ") + error.what()));
        }
        any = true;
    }
    return any;
}

std::vector<Weighted> weights_of(const sl_model* model) {
    size_t count = nonzero_weights(model);
    std::vector<uint32_t> indices(count);
    std::vector<double> values(count);
    call(sl_model_nonzeros, model, indices.data(), values.data(), count, &count);
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

}  // namespace

void report_metrics(Output& output, const sl_model* model, const sl_dataset* data, const std::vector<std::string>& names,
                    const std::string& prefix) {
    for (const std::string& name : names) {
        double value = 0;
        call(sl_model_evaluate, model, data, name.c_str(), &value);
        output.write(report_line(prefix + name, shortest(value)));
    }
    if (!names.empty()) return;
    // The loss is defined wherever the data suit the model, so data that do not end the command here.
    const double loss = metric(model, data, "loss").value();
    if (!report_known(output, model, data, {"error_rate", "auc"}, prefix)) report_known(output, model, data, {"rmse", "mae", "r2"}, prefix);
    if (!report_known(output, model, data, {"log_loss", "brier", "calibration_error"}, prefix))
        output.write(report_line(prefix + "loss", rounded(loss, kDigits)));
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
    double smaller = 0, larger = 0;
    const bool has_labels = sl_model_labels(model, &smaller, &larger, nullptr) == SL_OK;
    output.write("name\tindex\tclass\tweight\n");
    for (const auto [index, weight] : weights_of(model))
        output.write(csv_field(names[index], '\t') + "\t" + names.number(index) + "\t" + (has_labels ? shortest(larger) : "") + "\t" +
                     rounded(weight, kAllDigits) + "\n");
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
    double smaller = 0, larger = 0;
    const bool has_labels = sl_model_labels(model, &smaller, &larger, nullptr) == SL_OK;
    line("labels", has_labels ? "[" + shortest(smaller) + ", " + shortest(larger) + "]" : "null");
    line("dimension", std::to_string(ask<uint64_t>(sl_model_dimension, model)));
    line("nonzero_weights", std::to_string(nonzero_weights(model)));
    line("bias", shortest(ask<double>(sl_model_bias, model)));
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
    std::string for_larger = "Weights that raise the score most:", for_smaller = "Weights that lower the score most:";
    double smaller = 0, larger = 0;
    sl_error error;
    if (sl_model_labels(model, &smaller, &larger, &error) == SL_OK) {
        for_larger = "Weights that speak most for label " + shortest(larger) + ":";
        for_smaller = "Weights that speak most for label " + shortest(smaller) + ":";
    } else if (error.status != SL_ERROR_STATE) {
        throw LibraryError(error);
    }
    std::vector<Weighted> weights = weights_of(model);
    const auto positives =
        static_cast<size_t>(std::count_if(weights.begin(), weights.end(), [](const Weighted& w) { return w.weight > 0; }));
    const auto report = [&](const std::string& title, size_t available, auto comes_first) {
        const size_t shown = std::min(count, available);
        std::partial_sort(weights.begin(), weights.begin() + static_cast<std::ptrdiff_t>(shown), weights.end(), comes_first);
        report_side(output, title, weights, shown, names);
    };
    report(for_larger, positives,
           [](const Weighted& a, const Weighted& b) { return a.weight != b.weight ? a.weight > b.weight : a.index < b.index; });
    report(for_smaller, weights.size() - positives,
           [](const Weighted& a, const Weighted& b) { return a.weight != b.weight ? a.weight < b.weight : a.index < b.index; });
}

size_t nonzero_weights(const sl_model* model) {
    size_t count = 0;
    call(sl_model_nonzeros, model, nullptr, nullptr, size_t{0}, &count);
    return count;
}

std::string mean_loss_text(const sl_model* model) {
    if (ask<uint64_t>(sl_model_steps, model) == 0) return "none yet";
    return rounded(ask<double>(sl_model_mean_loss, model), kDigits) +
           " (of each example before it was learned, by the iterate of the time)";
}

bool has_two_labels(const sl_model* model) {
    const std::string loss = model_option(model, "loss");
    return loss == "log" || loss == "hinge" || loss == "squared_hinge";
}

void report_labels(Output& output, const sl_model* model) {
    double smaller = 0, larger = 0;
    if (sl_model_labels(model, &smaller, &larger, nullptr) == SL_OK) {
        output.write(report_line("labels", shortest(smaller) + " and " + shortest(larger)));
    }
}

}  // namespace cli
