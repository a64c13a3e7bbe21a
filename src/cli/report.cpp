#include "report.h"

#include <algorithm>
#include <optional>

namespace cli {

namespace {

constexpr int kDigits = 6;

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

void report_side(Output& output, const std::string& title, const std::vector<Weighted>& weights, size_t count,
                 const std::vector<std::string>& names, uint32_t index_base) {
    output.write("\n" + title + "\n");
    for (size_t i = 0; i < count; ++i) {
        const auto [index, weight] = weights[i];
        const std::string name = index < names.size() ? names[index] : "feature " + std::to_string(uint64_t{index} + index_base);
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

void report_top(Output& output, const sl_model* model, const std::vector<std::string>& names, size_t count) {
    std::string for_larger = "Weights that raise the score most:", for_smaller = "Weights that lower the score most:";
    double smaller = 0, larger = 0;
    sl_error error;
    if (sl_model_labels(model, &smaller, &larger, &error) == SL_OK) {
        for_larger = "Weights that speak most for label " + shortest(larger) + ":";
        for_smaller = "Weights that speak most for label " + shortest(smaller) + ":";
    } else if (error.status != SL_ERROR_STATE) {
        throw LibraryError(error);
    }
    const uint32_t index_base = model_option(model, "index_base") == "zero" ? 0 : 1;

    std::vector<Weighted> weights = weights_of(model);
    const auto positives =
        static_cast<size_t>(std::count_if(weights.begin(), weights.end(), [](const Weighted& w) { return w.weight > 0; }));
    const auto report = [&](const std::string& title, size_t available, auto comes_first) {
        const size_t shown = std::min(count, available);
        std::partial_sort(weights.begin(), weights.begin() + static_cast<std::ptrdiff_t>(shown), weights.end(), comes_first);
        report_side(output, title, weights, shown, names, index_base);
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
