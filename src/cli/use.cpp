// Commands that learn nothing: predict, evaluate, convert, merge, inspect.
#include <initializer_list>
#include <string>
#include <vector>

#include "commands.h"
#include "output.h"
#include "plot.h"
#include "reading.h"
#include "report.h"
#include "system.h"

namespace cli {

namespace {

void check_output(const std::string& output, std::initializer_list<std::string> inputs) {
    for (const std::string& input : inputs)
        if (output != "-" && same_file(output, input)) throw Failure(kBadUsage, output + " is a file to be read");
}

// So that an output which is not whole goes.
void stop_at_signals(Input& input) {
    catch_stop_signals();
    input.set_go_on([] { return stop_signal() == 0; });
}

// What predict writes of a row: so many numbers, which are columns with a header where they are more than one.
struct Written {
    Written(const PredictArguments& arguments, const sl_model* model) : classes(ask<size_t>(sl_model_classes, model)) {
        labels = arguments.label || (classes > 1 && !arguments.probability && !arguments.scores);
        if (arguments.probability) convert = sl_model_probabilities;
        if (labels) convert = sl_model_predicted_labels;
        columns = labels ? 1 : classes;
    }

    size_t classes;  // scores a row
    size_t columns;
    bool labels;
    sl_status (*convert)(const sl_model*, const double* scores, size_t rows, double* converted, sl_error*) = nullptr;  // none: the scores
};

// A row as svmlight text, which has no place for weights.
std::string svmlight_line(const sl_dataset* data, uint64_t row, uint64_t index_base) {
    size_t count = 0;
    double label = 0, weight = 0;
    call(sl_dataset_row, data, row, nullptr, nullptr, size_t{0}, &count, &label, &weight);
    if (weight != 1)
        throw Failure(kBadData, "example " + std::to_string(row + 1) + " has weight " + shortest(weight) + ", which text cannot hold");
    std::vector<uint32_t> indices(count);
    std::vector<double> values(count);
    call(sl_dataset_row, data, row, indices.data(), values.data(), count, &count, nullptr, nullptr);
    std::string line = shortest(label);
    for (size_t j = 0; j < count; ++j) line += " " + std::to_string(indices[j] + index_base) + ":" + shortest(values[j]);
    return line + "\n";
}

}  // namespace

int run_predict(const PredictArguments& arguments) {
    check_output(arguments.output, {arguments.file, arguments.model});
    const Model model = load_model(arguments.model);
    Input input(arguments.file);
    stop_at_signals(input);
    Reading reading = reading_for(model.get(), arguments.file, arguments.format, arguments.options, Purpose::kPredict);
    call(sl_model_set_threads, model.get(), threads_of(arguments.options));
    reading.with = arguments.with;
    if (!reading.columns && !arguments.with.empty()) throw Failure(kBadUsage, "--with is for tables");
    ChunkReader reader(input, reading);
    const char delimiter = reading.columns ? delimiter_of(reading.columns->format()) : '\t';
    const Written written(arguments, model.get());
    std::vector<double> scores(written.classes), converted(written.classes);
    if (written.convert) call(written.convert, model.get(), scores.data(), size_t{1}, converted.data());  // before the output is touched
    Output output(arguments.output);
    call(sl_model_finalize, model.get());
    const LabelNames label_names(model.get());
    if (written.columns > 1) {
        std::string header = arguments.with.empty() ? "" : csv_field(arguments.with, delimiter);
        for (const double label : labels_of(model.get()))
            header += (header.empty() ? "" : std::string(1, delimiter)) + csv_field(label_names[label], delimiter);
        output.write(header + "\n");
    }
    for (;;) {
        const Chunk chunk = reader.next();
        if (chunk.rows == 0) break;
        scores.resize(chunk.rows * written.classes);
        converted.resize(scores.size());
        call(sl_model_scores_dataset, model.get(), chunk.data.get(), scores.data(), scores.size());
        if (written.convert) call(written.convert, model.get(), scores.data(), chunk.rows, converted.data());
        const double* number = (written.convert ? converted : scores).data();
        for (size_t r = 0; r < chunk.rows; ++r) {
            if (!chunk.copied.empty()) output.write(csv_field(chunk.copied[r], delimiter) + delimiter);
            for (size_t k = 0; k < written.columns; ++k, ++number)
                output.write((written.labels ? csv_field(label_names[*number], delimiter) : shortest(*number)) +
                             (k + 1 < written.columns ? delimiter : '\n'));
        }
        output.flush();
    }
    output.finish();
    return 0;
}

int run_evaluate(const EvaluateArguments& arguments) {
    const Model model = load_model(arguments.model);
    if (!arguments.plot.empty()) {
        check_output(arguments.plot, {arguments.file, arguments.model});
        require_plottable(model.get());
    }
    Input input(arguments.file);
    Reading reading = reading_for(model.get(), arguments.file, arguments.format, arguments.options, Purpose::kEvaluate);
    call(sl_model_set_threads, model.get(), threads_of(arguments.options));
    if (reading.columns && !arguments.weights.empty())
        throw Failure(kBadUsage, "--weights is for svmlight text: a table has --weight COLUMN");
    reading.weights = arguments.weights;
    const Data data = read_all(input, reading);
    call(sl_model_finalize, model.get());
    Output output("-");
    if (arguments.metrics.empty()) output.write(report_line("examples", std::to_string(rows_of(data.get()))));
    report_metrics(output, model.get(), data.get(), input.name(), arguments.metrics, "");
    if (!arguments.plot.empty()) plot(arguments.plot, model.get(), data.get());
    output.finish();
    return 0;
}

int run_convert(const ConvertArguments& arguments) {
    check_output(arguments.output, {arguments.file});
    Input input(arguments.file);
    stop_at_signals(input);
    Reading reading;
    reading.text = make_options(arguments.options);
    const Data data = read_all(input, reading);
    if (!arguments.text) {
        call(sl_dataset_save, data.get(), arguments.output.c_str());
        return 0;
    }
    char base[8];
    size_t length = 0;
    call(sl_options_get, reading.text.get(), "index_base", base, sizeof base, &length);
    Output output(arguments.output);
    for (uint64_t row = 0; row < rows_of(data.get()); ++row)
        output.write(svmlight_line(data.get(), row, std::string(base) == "one" ? 1 : 0));
    output.finish();
    return 0;
}

int run_merge(const MergeArguments& arguments) {
    const std::string why = why_not_written(arguments.output);
    if (!why.empty()) throw Failure(kBadData, "cannot save to " + arguments.output + ": " + why);
    std::vector<Model> models;
    std::vector<const sl_model*> handles;
    for (const std::string& path : arguments.models) {
        check_output(arguments.output, {path});
        models.push_back(load_model(path));
        handles.push_back(models.back().get());
    }
    try {
        const Model merged = make<sl_model>(sl_model_merge, handles.data(), handles.size());
        call(sl_model_save, merged.get(), SL_KEEP_EVERYTHING, arguments.output.c_str());
    } catch (const LibraryError& error) {
        std::string message = error.what();  // which numbers the models, where files have names
        for (size_t m = models.size(); m-- > 0;) {
            const std::string number = "model number " + std::to_string(m);
            for (size_t at = 0; (at = message.find(number, at)) != message.npos; at += arguments.models[m].size())
                message.replace(at, number.size(), arguments.models[m]);
        }
        throw Failure(kBadData, message);
    }
    return 0;
}

int run_inspect(const InspectArguments& arguments) {
    const Model model = load_model(arguments.model);
    const FeatureNames names(model.get(), arguments.names.empty() ? std::vector<std::string>() : read_lines(arguments.names));
    Output output("-");
    if (arguments.all || arguments.json) {
        if (arguments.all) {
            report_all(output, model.get(), names);
        } else {
            report_json(output, model.get());
        }
        output.finish();
        return 0;
    }
    const Encoder encoder = encoder_of(model.get());
    for (size_t i = 0; i < sl_option_count(); ++i) {
        const char* name = nullptr;
        call(sl_option_describe, i, &name, nullptr, nullptr, nullptr);
        if (is_for(name, Reads::kModel)) {
            output.write(report_line(name, model_option(model.get(), name)));
        } else if (encoder) {
            output.write(report_line(name, text_of(sl_encoder_option, encoder.get(), name)));
        }
    }
    output.write("\n");
    output.write(report_line("steps", std::to_string(ask<uint64_t>(sl_model_steps, model.get()))));
    output.write(report_line("mean loss", mean_loss_text(model.get())));
    report_labels(output, model.get());
    output.write(report_line("dimension", std::to_string(ask<uint64_t>(sl_model_dimension, model.get()))));
    output.write(report_line("nonzero weights", std::to_string(nonzero_weights(model.get()))));
    const std::vector<double> biases = biases_of(model.get()), labels = labels_of(model.get());
    const LabelNames label_names(model.get());
    for (size_t k = 0; k < biases.size(); ++k)
        output.write(report_line(biases.size() > 1 ? "bias of " + label_names[labels[k]] : "bias", shortest(biases[k])));
    output.write(report_line("memory", std::to_string(ask<uint64_t>(sl_model_memory, model.get())) + " bytes"));
    report_top(output, model.get(), names, arguments.top);
    output.finish();
    return 0;
}

}  // namespace cli
