// The program `sparselin`: its command line, and what becomes of failures.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "../number.h"
#include "commands.h"
#include "help.h"
#include "output.h"
#include "system.h"

namespace {

const char* const kDataHelp = "svmlight text, a table (csv, tsv), plain or gzip, or what convert wrote; - for standard input";
const char* const kTextHelp = "svmlight text, plain or gzip, or what convert wrote; - for standard input";
const char* const kWeightsHelp = "the weights of the examples, one a line";
const char* const kMetricHelp = "what evaluate can tell; left out: log_loss, or error_rate, or loss, as the loss says";
const char* const kColumns = "Columns of a table";
const char* const kNamesHelp = "names of the features: line k is the name of the text's index k, or k - 1 where index_base is zero";

// CLI11's own checks print the largest double in full, and let a size be negative.
const CLI::Validator kNotEmpty([](std::string& text) { return text.empty() ? std::string("it is given, but empty") : std::string(); }, "");
const CLI::Validator kWholeNumber(
    [](const std::string& text) {
        const bool good = !text.empty() && text.size() < 19 && text.find_first_not_of("0123456789") == text.npos;
        return good ? std::string() : "'" + text + "' is not a whole number of at most 18 digits";
    },
    "");
const CLI::Validator kAboveZero(
    [](const std::string& text) {
        double value = 0;
        const bool good = sparselin::read_number(text, value) == sparselin::Reading::number && value > 0;
        return good ? std::string() : "'" + text + "' is not a number above 0";
    },
    "");

void add_format(CLI::App& command, std::string& format) {
    command
        .add_option("--format", format,
                    "svmlight, csv or tsv; left out: csv or tsv where the name ends so, before .gz; or as the model was trained")
        ->type_name("FORMAT")
        ->check(CLI::IsMember({"svmlight", "csv", "tsv"}));
}

class CommandLine {
  public:
    CommandLine();
    int run(std::vector<std::string> words);

  private:
    CLI::App* add_command(const std::string& name, const std::string& description);
    void add_train();
    void add_tune();
    void add_columns(CLI::App& command, cli::ColumnArguments& a);
    void add_predict();
    void add_evaluate();
    void add_convert();
    void add_merge();
    void add_inspect();
    int run_command();
    int show_help() const;
    std::string account_of(const CLI::ParseError& error) const;

    CLI::App app_{"Sparse linear models, learned by stochastic gradient descent.", "sparselin"};
    CLI::App *train_, *tune_, *predict_, *evaluate_, *convert_, *merge_, *inspect_;
    CLI::Option* top_;
    cli::TrainArguments train_arguments_;
    cli::TuneArguments tune_arguments_;
    cli::PredictArguments predict_arguments_;
    cli::EvaluateArguments evaluate_arguments_;
    cli::ConvertArguments convert_arguments_;
    cli::MergeArguments merge_arguments_;
    cli::InspectArguments inspect_arguments_;
};

CommandLine::CommandLine() {
    app_.formatter(std::make_shared<cli::HelpFormatter>());
    app_.set_help_flag("-h,--help", "show this help");
    app_.set_version_flag("--version", std::string("sparselin ") + sl_version(), "show the version");
    app_.require_subcommand(0, 1);
    app_.allow_windows_style_options(false);  // a word that begins with / is a path
    add_train();
    add_tune();
    add_predict();
    add_evaluate();
    add_convert();
    add_merge();
    add_inspect();
    // After the commands, which take over the footer that is there when they are made.
    app_.footer(
        "`sparselin COMMAND --help` explains a command. Exit codes: 0 done, 1 bad data or\n"
        "input/output, 2 bad usage, 128 + n stopped by signal n.");
}

CLI::App* CommandLine::add_command(const std::string& name, const std::string& description) {
    CLI::App* const command = app_.add_subcommand(name, description);
    command->group("Commands");
    command->set_help_flag("-h,--help", "show this help");
    return command;
}

void CommandLine::add_train() {
    cli::TrainArguments& a = train_arguments_;
    train_ = add_command("train", "learn a model, and try it on other data");
    train_->add_option("FILE", a.file, std::string(kDataHelp) + ", which is learned as it comes")->required();
    train_->add_option("--model", a.model, "save the model to this file")->type_name("OUT")->check(kNotEmpty);
    train_->add_option("--from", a.from, "go on with this model instead of a new one")->type_name("MODEL")->check(kNotEmpty);
    train_->add_option("--start", a.start, "begin the new model at the weights of this one, and with its columns, whatever its options")
        ->type_name("MODEL")
        ->check(kNotEmpty)
        ->excludes("--from");
    train_->add_flag("--again", a.again, "learn FILE once more if --from has learned all of it already");
    train_->add_option("--checkpoint", a.checkpoint, "save to --model this often while learning")->type_name("SECONDS")->check(kAboveZero);
    train_->add_option("--test", a.test, "say how well the model does on this data")->type_name("FILE")->check(kNotEmpty);
    CLI::Option* const validate =
        train_->add_option("--validate", a.validate, "judge by this data after each of the --epochs, and keep the best pass's model")
            ->type_name("FILE")
            ->check(kNotEmpty);
    train_->add_option("--holdout", a.holdout, "judge so by this share of FILE, 0.1 say, which is not learned")
        ->type_name("SHARE")
        ->check(kAboveZero)
        ->excludes(validate);
    train_->add_option("--patience", a.patience, "stop after so many passes without gain; left out: after --epochs")
        ->type_name("PASSES")
        ->check(kWholeNumber)
        ->check(kAboveZero);
    train_->add_option("--metric", a.metric, kMetricHelp)->type_name("NAME")->check(kNotEmpty);
    train_
        ->add_option("--curve", a.curve,
                     "write pass, train loss (NA after --from of other data), metric and nonzero weights of each pass to this file, with "
                     "tabs between")
        ->type_name("FILE.tsv")
        ->check(kNotEmpty);
    top_ = train_->add_option("--top", a.top, "show the K largest weights each way; 12 with --names")->type_name("K")->check(kWholeNumber);
    train_->add_option("--names", a.names, kNamesHelp)->type_name("FILE")->check(kNotEmpty);
    train_->add_flag("--stream", a.stream, "learn FILE as it comes, without holding it in memory");
    train_->add_option("--skip", a.skip, "pass over this many examples of a stream first")->type_name("EXAMPLES")->check(kWholeNumber);
    train_->add_flag("--quiet", a.quiet, "no progress, and no word on how columns are read, on standard error");
    train_->add_flag("--predictor-only", a.predictor_only, "save what predicting needs alone: a smaller file, which cannot be learned on");
    train_->add_option("--weights", a.weights, kWeightsHelp)->type_name("FILE")->check(kNotEmpty);
    add_columns(*train_, a.columns);
    cli::add_library_options(*train_, cli::Which::kAll);
    train_->footer(
        "SIGINT and SIGTERM end the run at the next example and save --model so far.\n"
        "Given as --from it goes on, and so does what --checkpoint saved before a run was\n"
        "killed; a FILE learned to its end is not learned again without --again.\n"
        "With --validate or --holdout a signal saves the best pass's model, and\n"
        "--checkpoint the one so far.\n"
        "A file is read in up to four threads, unless --threads says how many. A stream\n"
        "is read by a thread of its own while it is learned. If it fails, what it was\n"
        "learned of before is saved to OUT.part.\n"
        "Example:\n  sparselin train examples/data/spam.train.svm.gz --l1 1e-5 --model spam.slm");
}

void CommandLine::add_columns(CLI::App& command, cli::ColumnArguments& a) {
    add_format(command, a.format);
    const auto add = [&command](const std::string& name, auto& value, const std::string& help) {
        command.add_option(name, value, help)->type_name("COLUMN")->check(kNotEmpty)->group(kColumns);
    };
    add("--label", a.label,
        "what is to be predicted: numbers, words of which each is a class where there are three and more, or with --positive anything");
    command.add_option("--positive", a.positive, "label 1 is this value, and -1 all others")
        ->type_name("VALUE")
        ->check(kNotEmpty)
        ->group(kColumns);
    add("--weight", a.weight, "how much a row counts; 1 if left out");
    add("--text", a.text, "one or more columns of text, of which each token is a feature");
    add("--category", a.category, "columns of which each value is a feature");
    add("--number", a.number,
        "columns that are features themselves; columns nobody names are such if their first 1,000 values are numbers, and categories else");
    add("--ignore", a.ignore, "columns to pass over");
    command.add_option("--cross", a.cross, "two columns, each pair of whose features is one too")
        ->type_name("A*B")
        ->check(kNotEmpty)
        ->group(kColumns);
}

void CommandLine::add_tune() {
    cli::TuneArguments& a = tune_arguments_;
    tune_ = add_command("tune", "choose options by data held out, and learn the model");
    tune_->add_option("FILE", a.file, kDataHelp)->required();
    tune_->add_option("--model", a.model, "save the model, which learns all of FILE, to this file")->type_name("OUT")->check(kNotEmpty);
    tune_
        ->add_option("--grid", a.grid,
                     "values of an option to try, once or several times; left out: l1=0,1e-6,1e-5,1e-4 and l2=1e-7,1e-6,1e-5, "
                     "but for what is given as an option")
        ->type_name("NAME=VALUE,...")
        ->allow_extra_args(false)
        ->check(kNotEmpty);
    CLI::Option* const folds =
        tune_->add_option("--folds", a.folds, "parts of FILE, each of which judges models of the others; 5 if left out")
            ->type_name("K")
            ->check(kWholeNumber);
    CLI::Option* const holdout = tune_->add_option("--holdout", a.holdout, "judge by this share of FILE instead, 0.1 say")
                                     ->type_name("SHARE")
                                     ->check(kAboveZero)
                                     ->excludes(folds);
    tune_->add_option("--test", a.test, "judge by this data instead")
        ->type_name("FILE")
        ->check(kNotEmpty)
        ->excludes(folds)
        ->excludes(holdout);
    tune_->add_option("--metric", a.metric, kMetricHelp)->type_name("NAME")->check(kNotEmpty);
    tune_->add_flag("--sparsest", a.sparsest, "learn the sparsest model within one standard error of the best");
    tune_->add_option("--weights", a.weights, kWeightsHelp)->type_name("FILE")->check(kNotEmpty);
    tune_->add_flag("--quiet", a.quiet, "no progress, and no word on how columns are read, on standard error");
    add_columns(*tune_, a.columns);
    cli::add_library_options(*tune_, cli::Which::kAll);
    tune_->footer(
        "Models are learned in --threads threads, to the same results for any number.\n"
        "Averages are sparse (--sparse_average true) unless an option says otherwise.\n"
        "Example:\n  sparselin tune examples/data/spam.train.svm.gz --threads 2 --model spam.slm");
}

void CommandLine::add_predict() {
    cli::PredictArguments& a = predict_arguments_;
    predict_ = add_command("predict", "score examples, one line each");
    predict_->add_option("MODEL,--model", a.model, "a file that train --model wrote")->required()->type_name("MODEL");
    predict_->add_option("FILE", a.file, std::string(kDataHelp) + "; labels do not matter, and need not be there")->required();
    add_format(*predict_, a.format);
    predict_->add_option("--with", a.with, "begin each line with this column of the table")->type_name("COLUMN")->check(kNotEmpty);
    predict_->add_option("--output", a.output, "write to this file instead of standard output")->type_name("FILE");
    CLI::Option* const probability = predict_->add_flag(
        "--probability", a.probability,
        "the probability of the larger label, or with three classes and more of each, under a line of labels; of losses that give them");
    CLI::Option* const label =
        predict_->add_flag("--label", a.label, "the label that the score stands for; what models of three classes and more give")
            ->excludes(probability);
    predict_->add_flag("--scores", a.scores, "the score, or of three classes and more each class's, under a line of labels")
        ->excludes(probability)
        ->excludes(label);
    cli::add_library_options(*predict_, cli::Which::kForReading);
    predict_->footer("Example:\n  sparselin predict spam.slm examples/data/spam.test.svm.gz --probability");
}

void CommandLine::add_evaluate() {
    cli::EvaluateArguments& a = evaluate_arguments_;
    evaluate_ = add_command("evaluate", "say how well a model does on data");
    evaluate_->add_option("MODEL,--model", a.model, "a file that train --model wrote")->required()->type_name("MODEL");
    evaluate_->add_option("FILE", a.file, kDataHelp)->required();
    add_format(*evaluate_, a.format);
    evaluate_->add_option("--weights", a.weights, kWeightsHelp)->type_name("FILE")->check(kNotEmpty);
    evaluate_
        ->add_option(
            "--metric", a.metrics,
            "loss, objective, error_rate, f1, macro_f1, mcc, auc, average_precision, log_loss, brier, calibration_error, rmse, mae or r2, "
            "or several with commas between; "
            "left out: those that suit the loss")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("NAME");
    evaluate_->add_option("--plot", a.plot, "draw ROC, precision against recall, and calibration to this file, as SVG (two labels)")
        ->type_name("FILE.svg")
        ->check(kNotEmpty);
    cli::add_library_options(*evaluate_, cli::Which::kForReading);
    evaluate_->footer("Example:\n  sparselin evaluate spam.slm examples/data/spam.test.svm.gz --plot spam.svg");
}

void CommandLine::add_convert() {
    cli::ConvertArguments& a = convert_arguments_;
    convert_ = add_command("convert", "write data in a binary form that loads faster, or as text again");
    convert_->add_option("IN", a.file, kTextHelp)->required();
    convert_->add_option("OUT", a.output, "the file to write")->required()->check(kNotEmpty);
    convert_->add_flag("--text", a.text, "write svmlight text; - for standard output");
    cli::add_library_options(*convert_, cli::Which::kForReading);
    convert_->footer("Example:\n  sparselin convert examples/data/spam.train.svm.gz spam.train.sld");
}

void CommandLine::add_merge() {
    cli::MergeArguments& a = merge_arguments_;
    merge_ = add_command("merge", "make one model of several that learned parts of the data");
    merge_->add_option("OUT", a.output, "the file to write")->required()->check(kNotEmpty);
    merge_->add_option("MODEL", a.models, "files that train --model wrote, all with the same options and labels")->required();
    merge_->footer(
        "Each counts with its share of the examples; the result can be learned on.\n"
        "One round of parts is not a pass over the whole: let each part go on from the\n"
        "merged model (train --from), and merge again.\n"
        "Example:\n  sparselin merge merged.slm spam.slm spam.slm");
}

void CommandLine::add_inspect() {
    cli::InspectArguments& a = inspect_arguments_;
    inspect_ = add_command("inspect", "show a model's options, counts and largest weights");
    inspect_->add_option("MODEL,--model", a.model, "a file that train --model wrote")->required()->type_name("MODEL");
    inspect_->add_option("--top", a.top, "how many of the largest weights each way; 12 if left out")->type_name("K")->check(kWholeNumber);
    CLI::Option* const all = inspect_->add_flag(
        "--all", a.all, "every weight that is not 0 with 17 digits, as lines of name, index, class and weight with tabs between");
    inspect_->add_flag("--json", a.json, "options, counts, columns and bias as JSON")->excludes(all);
    inspect_->add_option("--names", a.names, kNamesHelp)->type_name("FILE")->check(kNotEmpty);
    inspect_->footer("Example:\n  sparselin inspect spam.slm --names examples/data/words.txt.gz");
}

int CommandLine::run(std::vector<std::string> words) {
    std::reverse(words.begin(), words.end());  // as CLI11 wants them
    try {
        app_.parse(std::move(words));
    } catch (const CLI::CallForHelp&) {
        return show_help();
    } catch (const CLI::CallForVersion& version) {
        cli::Output output("-");
        output.write(std::string(version.what()) + "\n");
        output.finish();
        return 0;
    } catch (const CLI::ParseError& error) {
        cli::tell(account_of(error));
        return cli::kBadUsage;
    }
    return run_command();
}

int CommandLine::run_command() {
    if (*train_) {
        train_arguments_.top_given = top_->count() > 0;
        train_arguments_.options = cli::given_library_options(*train_);
        return cli::run_train(train_arguments_);
    }
    if (*tune_) {
        tune_arguments_.options = cli::given_library_options(*tune_);
        return cli::run_tune(tune_arguments_);
    }
    if (*predict_) {
        predict_arguments_.options = cli::given_library_options(*predict_);
        return cli::run_predict(predict_arguments_);
    }
    if (*evaluate_) {
        evaluate_arguments_.options = cli::given_library_options(*evaluate_);
        return cli::run_evaluate(evaluate_arguments_);
    }
    if (*convert_) {
        convert_arguments_.options = cli::given_library_options(*convert_);
        return cli::run_convert(convert_arguments_);
    }
    if (*merge_) return cli::run_merge(merge_arguments_);
    if (*inspect_) return cli::run_inspect(inspect_arguments_);
    show_help();
    return cli::kBadUsage;
}

int CommandLine::show_help() const {
    cli::Output output("-");
    output.write(app_.help());
    output.finish();
    return 0;
}

std::string CommandLine::account_of(const CLI::ParseError& error) const {
    const std::vector<CLI::App*> commands = app_.get_subcommands();
    const CLI::App& command = commands.empty() ? app_ : *commands.back();
    std::string text = error.what();
    for (const std::string& word : command.remaining()) {
        const std::string name = word.substr(0, word.find('='));
        if (name.rfind("--", 0) != 0) continue;
        text = cli::unknown_option(command, name);
        break;
    }
    return text + "\nTry `sparselin " + (commands.empty() ? "" : command.get_name() + " ") + "--help`.";
}

}  // namespace

int main(int count, char** words) {
    cli::prepare_standard_streams();
    try {
        return CommandLine().run(cli::arguments(count, words));
    } catch (const cli::Failure& failure) {
        cli::tell(failure.what());
        return cli::stop_signal() != 0 ? 128 + cli::stop_signal() : failure.exit_code();
    } catch (const std::exception& error) {
        cli::tell(error.what());
        return cli::kBadData;
    }
}
