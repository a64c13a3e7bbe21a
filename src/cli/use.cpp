// Commands that learn nothing: predict, evaluate, convert, inspect.
#include <initializer_list>
#include <string>
#include <vector>

#include "commands.h"
#include "output.h"
#include "reading.h"
#include "report.h"
#include "stop.h"

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

double converted(sl_status (*function)(const sl_model*, double, double*, sl_error*), const sl_model* model, double score) {
    double result = 0;
    call(function, model, score, &result);
    return result;
}

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
    reading.with = arguments.with;
    if (!reading.columns && !arguments.with.empty()) throw Failure(kBadUsage, "--with is for tables");
    ChunkReader reader(input, reading);
    const char delimiter = reading.columns ? delimiter_of(reading.columns->format()) : ' ';
    const auto convert = arguments.probability ? sl_model_probability : arguments.label ? sl_model_label : nullptr;
    if (convert) converted(convert, model.get(), 0);  // a model that cannot say is told before the output is touched
    Output output(arguments.output);
    call(sl_model_finalize, model.get());

    std::vector<double> scores;
    for (;;) {
        const Chunk chunk = reader.next();
        scores.resize(chunk.rows);
        if (scores.empty()) break;
        call(sl_model_predict_dataset, model.get(), chunk.data.get(), scores.data(), scores.size());
        for (size_t r = 0; r < chunk.rows; ++r) {
            if (!chunk.copied.empty()) output.write(csv_field(chunk.copied[r], delimiter) + delimiter);
            output.write(shortest(convert ? converted(convert, model.get(), scores[r]) : scores[r]) + "\n");
        }
        output.flush();
    }
    output.finish();
    return 0;
}

int run_evaluate(const EvaluateArguments& arguments) {
    const Model model = load_model(arguments.model);
    Input input(arguments.file);
    Reading reading = reading_for(model.get(), arguments.file, arguments.format, arguments.options, Purpose::kEvaluate);
    if (reading.columns && !arguments.weights.empty())
        throw Failure(kBadUsage, "--weights is for svmlight text: a table has --weight COLUMN");
    reading.weights = arguments.weights;
    const Data data = read_all(input, reading);
    call(sl_model_finalize, model.get());
    Output output("-");
    if (arguments.metrics.empty()) output.write(report_line("examples", std::to_string(rows_of(data.get()))));
    report_metrics(output, model.get(), data.get(), arguments.metrics, "");
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
    output.write(report_line("bias", shortest(ask<double>(sl_model_bias, model.get()))));
    output.write(report_line("memory", std::to_string(ask<uint64_t>(sl_model_memory, model.get())) + " bytes"));
    report_top(output, model.get(), names, arguments.top);
    output.finish();
    return 0;
}

}  // namespace cli
