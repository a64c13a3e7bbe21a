#include "validation.h"

#include <algorithm>
#include <set>
#include <vector>

#include "report.h"

namespace cli {

namespace {

Data with_weights(const sl_dataset* data, const std::vector<double>& weights) {
    return make<sl_dataset>(sl_dataset_with_labels, data, nullptr, weights.data());
}

}  // namespace

// Which rows are held out is told by a search, which asks for their labels and weights alone: its rows are empty.
Parts hold_out(sl_model* model, const sl_dataset* data, double share) {
    const auto rows = static_cast<size_t>(rows_of(data));
    const auto builder = make<sl_builder>(sl_builder_create, uint64_t{rows}, uint64_t{0});
    std::vector<double> all_labels(rows), all_weights(rows);
    for (size_t r = 0; r < rows; ++r) {
        const auto [label, weight] = target_of(data, r);
        all_labels[r] = label;
        all_weights[r] = weight;
        call(sl_builder_add, builder.get(), nullptr, nullptr, size_t{0}, all_labels[r], all_weights[r]);
    }
    const Data empty = make<sl_dataset>(sl_builder_finish, builder.get());
    const Options options = make<sl_options>(sl_options_create);
    for (const char* name : {"loss", "seed", "classes"}) call(sl_options_set, options.get(), name, model_option(model, name).c_str());
    const auto search =
        make<sl_search>(sl_search_run, options.get(), "", empty.get(), nullptr, uint32_t{0}, share, "loss", uint32_t{1}, nullptr, nullptr);
    std::vector<uint32_t> splits(rows);
    size_t found = 0;
    call(sl_search_splits, search.get(), splits.data(), rows, &found);

    std::vector<double> learned(rows), held_out(rows);
    const auto rows_held_out = static_cast<uint64_t>(std::count(splits.begin(), splits.end(), 0u));
    std::set<double> labels, labels_learned;
    for (size_t r = 0; r < rows; ++r) {
        const double label = all_labels[r], weight = all_weights[r];
        (splits[r] == 0 ? held_out : learned)[r] = weight;
        if (weight == 0 || !has_labels(model)) continue;
        labels.insert(label);
        if (splits[r] != 0) labels_learned.insert(label);
    }
    if (labels.size() > labels_learned.size() && labels_of(model).empty()) {
        const std::vector<double> all(labels.begin(), labels.end());
        call(sl_model_set_labels, model, all.data(), all.size());
    }
    return {with_weights(data, learned), with_weights(data, held_out), rows_held_out};
}

Metric::Metric(const sl_model* model, const std::string& given) {
    const char* const metric = given.empty() ? nullptr : given.c_str();
    int larger = 0;
    name = text_of([&](char* text, size_t capacity, size_t* length, sl_error* error) {
        return sl_model_metric(model, metric, text, capacity, length, &larger, error);
    });
    larger_is_better = larger != 0;
}

Validation::Validation(Data data, const std::string& name, Metric metric, uint64_t patience)
    : data_(std::move(data)),
      name_(name),
      metric_(std::move(metric)),
      patience_(patience),
      curve_("pass\ttrain_loss\tvalidation_" + metric_.name + "\tnonzeros\n") {}

double Validation::judge(const sl_model* model) const {
    double value = 0;
    try {
        call(sl_model_evaluate, model, data_.get(), metric_.name.c_str(), &value);
    } catch (const LibraryError& error) {
        throw Failure(kBadData, name_ + ": " + error.what());
    }
    return value;
}

void Validation::keep(const sl_model* model, double value) {
    best_ = make<sl_model>(sl_model_clone, model);
    best_value_ = value;
}

void Validation::begin(const sl_model* model, bool goes_on) {
    steps_ = static_cast<double>(ask<uint64_t>(sl_model_steps, model));
    if (steps_ > 0) loss_sum_ = steps_ * ask<double>(sl_model_mean_loss, model);
    tells_loss_ = steps_ == 0 || goes_on;
    if (goes_on && steps_ > 0) keep(model, judge(model));
}

bool Validation::is_due(const sl_progress& progress, uint64_t rows) {
    passes_done_ = progress.epoch;
    if (!has_begun_) {  // reports come at the end of each pass, so this one is of the pass with which the fit began
        has_begun_ = true;
        best_pass_ = last_pass_ = passes_done_ - (progress.rows > 0 && progress.rows == passes_done_ * rows ? 1 : 0);
    }
    return is_due();
}

// The loss is that of this pass: every pass has the same weight in the mean, which the model has of all its steps. What it learned before
// of other data may have any weight in it, so that there the loss of a pass cannot be told.
bool Validation::look(const sl_model* model) {
    const auto steps = static_cast<double>(ask<uint64_t>(sl_model_steps, model));
    const double loss_sum = steps * ask<double>(sl_model_mean_loss, model);
    has_looked_ = true;
    last_pass_ = passes_done_;
    last_value_ = judge(model);
    last_loss_ = (loss_sum - loss_sum_) / (steps - steps_);
    steps_ = steps;
    loss_sum_ = loss_sum;
    curve_ += std::to_string(last_pass_) + "\t" + (tells_loss_ ? shortest(last_loss_) : "NA") + "\t" + shortest(last_value_) + "\t" +
              std::to_string(nonzero_weights(model)) + "\n";
    if (!best_ || (metric_.larger_is_better ? last_value_ > best_value_ : last_value_ < best_value_)) {
        keep(model, last_value_);
        best_pass_ = last_pass_;
    }
    return patience_ == 0 || last_pass_ - best_pass_ < patience_;
}

std::string Validation::account() const {
    return "pass " + std::to_string(last_pass_) + ": " + (tells_loss_ ? "train loss " + rounded(last_loss_, 6) + ", " : "") +
           "validation " + metric_.name + " " + rounded(last_value_, 6) + (best_pass_ == last_pass_ ? ", the best so far" : "");
}

void Validation::report(Output& output, const std::string& most_passes) const {
    output.write(report_line("passes", std::to_string(last_pass_) + " of " + most_passes + " at most; the model is that of pass " +
                                           std::to_string(best_pass_) + ", the best"));
    output.write(report_line("validation " + metric_.name, rounded(best_value_, 6)));
}

// Of a run that a signal stopped, too, which Output would not write.
void Validation::write_curve(const std::string& path) const {
    OutputFile file(path);
    for (size_t done = 0; done < curve_.size();) done += file.write(std::string_view(curve_).substr(done));
    file.finish();
}

}  // namespace cli
