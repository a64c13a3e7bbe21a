#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "columns.h"
#include "commands.h"
#include "label_watch.h"
#include "output.h"
#include "progress.h"
#include "reading.h"
#include "report.h"
#include "system.h"
#include "validation.h"

namespace cli {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

class Training {
  public:
    explicit Training(const TrainArguments& arguments);
    int run();

  private:
    bool streams() const { return arguments_.streams(); }
    Reading how_to_read() const;
    void learn_whole_file();
    bool is_learned(const sl_dataset* data) const;
    Data start_validation(Data data);
    void fit(const sl_dataset* data);
    bool look_at_pass();
    void keep_best();
    void learn_stream();
    void feed(const Chunk& chunk);
    std::string rescue();
    void learn_names(bool frozen = false);
    LabelNames label_names();
    void save(const std::string& path, sl_keep keep = SL_KEEP_EVERYTHING);
    sl_keep kept() const { return arguments_.predictor_only ? SL_KEEP_PREDICTOR : SL_KEEP_EVERYTHING; }
    bool checkpoint_due() const;
    uint64_t steps() const { return ask<uint64_t>(sl_model_steps, model_.get()); }
    uint64_t steps_learned() const { return (validation_ ? steps_made_ : steps()) - steps_before_; }
    uint64_t but_held_out(uint64_t rows) const;
    std::string account_of_stop() const;
    std::string command_to_go_on(const std::string& from) const {
        return cli::command_to_go_on(arguments_, from, std::max(rows_, arguments_.skip));
    }
    void report_run(Output& output) const;

    const TrainArguments& arguments_;
    Progress progress_;
    std::vector<std::string> names_;
    Input input_;
    std::optional<Input> test_, validate_;
    std::optional<Metric> metric_;
    std::optional<Validation> validation_;
    Model model_;
    Reading reading_;
    uint64_t steps_before_ = 0;
    uint64_t rows_ = 0;  // of the file
    uint64_t rows_held_out_ = 0;
    uint64_t rows_wanted_ = 0;  // of all passes of the fit, and how many of them are done
    uint64_t rows_done_ = 0;
    uint64_t steps_made_ = 0;  // whatever becomes of the model that made them
    double reading_seconds_ = 0, learning_seconds_ = 0, judging_seconds_ = 0;
    Clock::time_point last_saved_ = Clock::now();
    bool stopped_ = false;
};

// Whatever can be wrong about files is found here, before the work.
Training::Training(const TrainArguments& arguments) : arguments_(arguments), progress_(arguments.quiet), input_(arguments.file) {
    check(arguments);
    if (!arguments.test.empty()) test_.emplace(arguments.test);
    if (!arguments.validate.empty()) {
        validate_.emplace(arguments.validate);
        validate_->set_go_on([] { return stop_signal() == 0; });
    }
    if (!arguments.names.empty()) names_ = read_lines(arguments.names);
    if (arguments.from.empty()) {
        const Options options = make_options(arguments.options);
        model_ = make<sl_model>(sl_model_create, options.get());
        if (!arguments.start.empty()) {
            const Model source = load_model(arguments.start);
            call(sl_model_start, model_.get(), source.get());
            if (const Encoder encoder = encoder_of(source.get())) call(sl_model_set_encoder, model_.get(), encoder.get());
        }
    } else {
        model_ = load_model(arguments.from);
    }
    if (arguments.patience > 0 && model_option(model_.get(), "epochs") == "1")
        throw Failure(kBadUsage, "--patience needs --epochs, the most passes there may be: it is 1");
    reading_ = how_to_read();
    reading_.weights = arguments.weights;
    reading_.quiet = arguments.quiet;
    if (arguments.validates()) metric_.emplace(model_.get(), arguments.metric);
    steps_before_ = steps_made_ = steps();
}

// A model that goes on from another one, or begins at its weights, has its features.
Reading Training::how_to_read() const {
    const ColumnArguments& columns = arguments_.columns;
    if (arguments_.from.empty() && arguments_.start.empty())
        return reading_for_new(model_.get(), arguments_.file, columns, arguments_.options, arguments_.weights);
    const std::string with = arguments_.from.empty() ? "--start" : "--from";
    std::string given = columns.given();
    for (const auto& [name, value] : arguments_.options)
        if (!is_for(name, Reads::kModel)) given = "--" + name;
    if (!given.empty()) throw Failure(kBadUsage, given + " cannot be given with " + with + ": a model keeps how columns are read");
    return reading_for(model_.get(), arguments_.file, columns.format, arguments_.options, Purpose::kTrain, true);
}

int Training::run() {
    catch_stop_signals();
    input_.set_go_on([this] {
        if (!streams()) progress_.reading(input_.name(), input_.fraction());
        return stop_signal() == 0;
    });
    if (streams()) {
        learn_stream();
    } else {
        learn_whole_file();
    }
    progress_.clear();
    if (!stopped_ && rows_ == 0) throw Failure(kBadData, input_.name() + " has no examples");
    if (!arguments_.model.empty() && !(stopped_ && steps() == 0)) save(arguments_.model, stopped_ ? SL_KEEP_EVERYTHING : kept());
    if (!arguments_.curve.empty() && validation_) validation_->write_curve(arguments_.curve);
    learn_names();
    if (stop_signal() != 0) {
        tell(account_of_stop());
        return 128 + stop_signal();
    }
    let_stop_signals_end_the_program();

    Output output("-");
    report_run(output);
    if (validation_ && validation_->has_looked()) validation_->report(output, model_option(model_.get(), "epochs"));
    output.flush();
    call(sl_model_finalize, model_.get());
    if (test_) {
        Reading reading = reading_for(model_.get(), arguments_.test, arguments_.columns.format, arguments_.options, Purpose::kEvaluate);
        const Data data = read_all(*test_, reading);
        output.write("\n" + report_line("test examples", std::to_string(rows_of(data.get()))));
        report_metrics(output, model_.get(), data.get(), test_->name(), {}, "test ");
    }
    const FeatureNames names(model_.get(), names_);
    constexpr size_t kManyClasses = 20;
    if ((names.are_known() && ask<size_t>(sl_model_classes, model_.get()) <= kManyClasses) || arguments_.top_given)
        report_top(output, model_.get(), names, arguments_.top);
    output.finish();
    return 0;
}

void Training::learn_whole_file() {
    const Clock::time_point start = Clock::now();
    Data data;
    try {
        data = read_all(input_, reading_);
    } catch (const Failure&) {
        if (stop_signal() == 0) throw;
        stopped_ = true;
        return;
    }
    reading_seconds_ = seconds_since(start);
    rows_ = rows_of(data.get());
    if (arguments_.validates() && rows_ > 0) data = start_validation(std::move(data));

    const Clock::time_point learning_start = Clock::now();
    if (is_learned(data.get()) && !arguments_.again) {
        tell(arguments_.from + " has learned all of " + arguments_.file + " already; --again learns it once more" +
             (validation_ ? ", and judges it" : ""));
        validation_.reset();
    } else {
        fit(data.get());
    }
    learning_seconds_ = seconds_since(learning_start) - judging_seconds_;
}

// Reads or parts off what validation needs. The result is what is learned.
Data Training::start_validation(Data data) {
    if (validate_) {
        learn_names();
        const Reading reading =
            reading_for(model_.get(), arguments_.validate, arguments_.columns.format, arguments_.options, Purpose::kValidate);
        validation_.emplace(read_all(*validate_, reading), validate_->name(), *metric_, arguments_.patience);
        return data;
    }
    try {
        Parts parts = hold_out(model_.get(), data.get(), arguments_.holdout);
        rows_held_out_ = parts.rows_held_out;
        validation_.emplace(std::move(parts.held_out), "the rows held out", *metric_, arguments_.patience);
        return std::move(parts.learned);
    } catch (const LibraryError& error) {
        throw Failure(error.exit_code(), input_.name() + ": " + error.what());
    }
}

// Whoever takes up a run that was killed need not know whether it had come to its end.
bool Training::is_learned(const sl_dataset* data) const {
    sl_fit_state state = SL_FIT_NEW;
    call(sl_model_fit_state, model_.get(), data, &state);
    return state == SL_FIT_DONE;
}

// The model may not be saved while it is fitted, so a checkpoint is a fit that stops and is taken up again.
void Training::fit(const sl_dataset* data) {
    const sl_progress_fn look = [](const sl_progress* progress, void* user) -> int {
        auto& training = *static_cast<Training*>(user);
        training.rows_done_ = progress->rows;
        training.rows_wanted_ = progress->rows_total;
        training.progress_.learning(progress->rows, static_cast<double>(progress->rows) / static_cast<double>(progress->rows_total),
                                    progress->mean_loss);
        const bool work_left = progress->rows < progress->rows_total;
        // While the data are observed nothing is learned yet: there is nothing to save, and observing would start anew.
        const bool learning = progress->rows > 0;
        const bool pass_ended = training.validation_ && training.validation_->is_due(*progress, training.rows_);
        return work_left && (pass_ended || stop_signal() != 0 || (learning && training.checkpoint_due()));
    };
    if (validation_) {
        sl_fit_state state = SL_FIT_NEW;
        call(sl_model_fit_state, model_.get(), data, &state);
        validation_->begin(model_.get(), state == SL_FIT_STOPPED);
    }
    for (;;) {
        sl_error error;
        const sl_status status = sl_model_fit(model_.get(), data, look, this, &error);
        if (status != SL_OK && status != SL_ERROR_CANCELLED) throw Failure(kBadData, input_.name() + ": " + LibraryError(error).what());
        const bool goes_on = !validation_ || !validation_->is_due() || look_at_pass();
        steps_made_ = steps();
        stopped_ = status != SL_OK && stop_signal() != 0;
        if (status == SL_OK || stopped_ || !goes_on) return keep_best();
        if (checkpoint_due()) save(arguments_.model);
    }
}

bool Training::look_at_pass() {
    const Clock::time_point start = Clock::now();
    bool goes_on = false;
    try {
        goes_on = validation_->look(model_.get());
    } catch (const Failure& failure) {
        if (arguments_.model.empty() || validation_->best_pass() == 0) throw;
        keep_best();
        save(arguments_.model);
        throw Failure(failure.exit_code(), std::string(failure.what()) + "\nThe model of pass " + std::to_string(validation_->best_pass()) +
                                               ", the best before, is saved to " + arguments_.model);
    }
    judging_seconds_ += seconds_since(start);
    progress_.clear();
    if (!arguments_.quiet) tell(validation_->account());
    return goes_on;
}

// Rows held out are passed over, in each pass.
uint64_t Training::but_held_out(uint64_t rows) const {
    return rows - rows / rows_ * rows_held_out_ - rows % rows_ * rows_held_out_ / rows_;
}

// A fit that was stopped at the end of a pass, which can be taken up there.
void Training::keep_best() {
    if (!validation_) return;
    if (Model best = validation_->take_best()) model_ = std::move(best);
}

void Training::learn_stream() {
    const Clock::time_point start = Clock::now();
    if (steps_before_ == 0 && !arguments_.quiet && model_option(model_.get(), "scale") == "auto" &&
        model_option(model_.get(), "center") == "false") {
        tell(
            "a stream is learned once, in the order it comes and without scaling the features, as with --scale none; a file learned "
            "without --stream is scaled");
    }
    if (steps_before_ > 0 && arguments_.skip == 0 && !arguments_.quiet) {
        tell(arguments_.from + " has made " + std::to_string(steps_before_) +
             " steps; if they were of the first examples of this stream, " + "--skip " + std::to_string(steps_before_) +
             " passes over those");
    }
    const bool watches = !arguments_.quiet && has_labels(model_.get());
    LabelWatch watch([this](double label) { return label_names()[label]; });
    try {
        ChunkReader reader(input_, reading_, arguments_.skip);
        if (reading_.columns && reading_.columns->have_words() && steps_before_ == 0 && model_option(model_.get(), "classes") == "auto")
            throw Failure(kBadUsage, "the labels are words: a stream needs --classes K, the number of them");
        while (stop_signal() == 0) {
            const Chunk chunk = reader.next();
            if (chunk.rows == 0) break;
            if (rows_ >= arguments_.skip) feed(chunk);
            if (watches) watch.look_at(model_.get(), chunk.data.get());
            rows_ += chunk.rows;
            if (checkpoint_due()) save(arguments_.model);
        }
    } catch (const Failure& failure) {
        if (stop_signal() == 0) throw Failure(failure.exit_code(), failure.what() + rescue());
    }
    if (watches) watch.finish();
    stopped_ = stop_signal() != 0;
    learning_seconds_ = seconds_since(start);
}

// What a stream was learned of before it failed may have taken hours. It goes beside --model, where it is taken for no whole model.
std::string Training::rescue() {
    if (arguments_.model.empty() || steps() == steps_before_) return "";
    const std::string path = arguments_.part();
    save(path);
    return "\nThe " + std::to_string(rows_) + " examples before are learned and saved to " + path +
           ". To go on with a sound input: " + command_to_go_on(path);
}

void Training::feed(const Chunk& chunk) {
    size_t done = 0;
    try {
        call(sl_model_feed_dataset, model_.get(), chunk.data.get(), &done);
    } catch (const LibraryError& error) {
        rows_ += done;
        std::string message = input_.name() + ", example " + std::to_string(rows_ + 1) + ": " + error.reason();
        if (error.status() == SL_ERROR_STATE && steps() == 0) {
            message += "; a file given without --stream is observed first, and --scale none --center false needs no observing";
        } else if (arguments_.from.empty() && has_labels(model_.get()) &&
                   !takes_label(model_.get(), target_of(chunk.data.get(), done).label)) {
            message += "; a file given without --stream has the classes that its labels make";
        }
        throw Failure(kBadData, message);
    }
    progress_.learning(rows_, chunk.fraction, ask<double>(sl_model_mean_loss, model_.get()));
}

// What can only predict learns no names either.
void Training::learn_names(bool frozen) {
    if (reading_.columns) reading_.columns->give_encoder_to(model_.get(), frozen);
}

LabelNames Training::label_names() {
    learn_names();
    return LabelNames(model_.get());
}

void Training::save(const std::string& path, sl_keep keep) {
    learn_names(keep == SL_KEEP_PREDICTOR);
    call(sl_model_save, model_.get(), keep, path.c_str());
    last_saved_ = Clock::now();
}

bool Training::checkpoint_due() const { return arguments_.checkpoint > 0 && seconds_since(last_saved_) >= arguments_.checkpoint; }

std::string Training::account_of_stop() const {
    std::string text = "stopped ";
    if (!stopped_) {
        text += "when all was learned";
    } else if (steps_learned() == 0) {
        text += "before anything was learned";
    } else if (streams()) {
        text += "after " + std::to_string(rows_) + " examples";
    } else {
        text += "after " + std::to_string(but_held_out(rows_done_)) + " of " + std::to_string(but_held_out(rows_wanted_)) + " examples";
    }
    if (arguments_.model.empty()) return text + "; without --model nothing is saved";
    if (steps() == 0) return text + "; nothing was saved";
    if (validation_ && validation_->best_pass() > 0)
        text += "; the best pass so far was " + std::to_string(validation_->best_pass()) + ", whose model is";
    else
        text += ";";
    text += " saved to " + arguments_.model;
    if (!stopped_) return text;
    const bool from_best = validation_ && validation_->best_pass() > 0;
    return text +
           (arguments_.file == "-" ? ". To go on with the same input: "
            : from_best            ? ". To go on from there: "
                                   : ". To go on: ") +
           command_to_go_on(arguments_.model);
}

void Training::report_run(Output& output) const {
    const auto learned = static_cast<double>(steps_learned());
    output.write(report_line("examples", std::to_string(rows_ - std::min(rows_, arguments_.skip)) +
                                             (rows_held_out_ > 0 ? " (" + std::to_string(rows_held_out_) + " held out)" : "")));
    output.write(report_line("features", std::to_string(ask<uint64_t>(sl_model_dimension, model_.get()))));
    output.write(report_line("nonzero weights", std::to_string(nonzero_weights(model_.get()))));
    output.write(report_line("steps", std::to_string(steps())));
    output.write(report_line("mean loss", mean_loss_text(model_.get())));
    report_labels(output, model_.get());
    output.write(report_line("seconds", rounded(learning_seconds_, 3) +
                                            (streams() ? " (with reading)" : " (and " + rounded(reading_seconds_, 3) + " for reading)")));
    output.write(report_line("examples a second", std::to_string(std::llround(learned / std::max(learning_seconds_, 1e-9)))));
}

}  // namespace

int run_train(const TrainArguments& arguments) { return Training(arguments).run(); }

}  // namespace cli
