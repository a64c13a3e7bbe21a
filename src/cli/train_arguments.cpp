// What can be wrong about how `train` is called, before any file is read; and how it is called to go on.
#include <string>
#include <utility>

#include "commands.h"
#include "library.h"
#include "output.h"
#include "system.h"

namespace cli {

namespace {

// The same file, whether it is there yet or not.
bool same_place(const std::string& a, const std::string& b) {
    const auto parted = [](const std::string& path) {
        const size_t name = path.find_last_of("/\\") + 1;
        return std::pair("./" + path.substr(0, name), path.substr(name));
    };
    const auto [folder_a, name_a] = parted(a);
    const auto [folder_b, name_b] = parted(b);
    return same_file(a, b) || (name_a == name_b && same_file(folder_a, folder_b));
}

// For a shell.
std::string quoted(const std::string& text) {
    if (text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%") == text.npos) return text;
    std::string result = "'";
    for (const char letter : text) result += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    return result + "'";
}

}  // namespace

void check(const TrainArguments& arguments) {
    const auto refuse = [](const std::string& why) { throw Failure(kBadUsage, why); };
    if ((arguments.file == "-") + (arguments.test == "-") + (arguments.validate == "-") + (arguments.names == "-") > 1) {
        refuse("only one of FILE, --test, --validate and --names can be standard input");
    }
    for (const auto& [name, given] : {std::pair("--patience", arguments.patience > 0), std::pair("--metric", !arguments.metric.empty()),
                                      std::pair("--curve", !arguments.curve.empty())})
        if (given && !arguments.validates()) refuse(std::string(name) + " needs --validate FILE, or --holdout SHARE, to judge by");
    if (arguments.validates() && arguments.streams())
        refuse(
            "a stream is learned in one pass, after which there is nothing to choose: --validate and --holdout need "
            "FILE in memory");
    if (arguments.checkpoint > 0 && arguments.model.empty()) refuse("--checkpoint needs --model, the file to save to");
    if (arguments.predictor_only && arguments.model.empty()) refuse("--predictor-only needs --model, the file to save to");
    if (arguments.skip > 0 && !arguments.streams()) refuse("--skip is for a stream: add --stream");
    if (!arguments.curve.empty() && same_place(arguments.curve, arguments.model))
        refuse("--curve " + arguments.curve + " is the file of --model");
    if (arguments.curve == "-" || same_file(arguments.curve, "/dev/stdout"))
        refuse("--curve needs a file of its own: standard output has the report");
    if (same_file(arguments.curve, arguments.from)) refuse("--curve " + arguments.curve + " is a file to be read");
    for (const std::string& input :
         {arguments.file, arguments.test, arguments.validate, arguments.names, arguments.weights, arguments.start}) {
        if (same_file(arguments.curve, input)) refuse("--curve " + arguments.curve + " is a file to be read");
        for (const std::string& output : {arguments.model, arguments.streams() ? arguments.part() : arguments.model})
            if (same_file(output, input)) refuse("--model " + arguments.model + ": " + output + " is a file to be read");
    }
    for (const auto& [name, value] : arguments.options) {
        if (!arguments.from.empty() && !is_for_reading(name)) {
            refuse("--" + name + " cannot be given with --from: a model keeps the options it was created with");
        }
        if (arguments.streams() && ((name == "epochs" && value != "1") || (name == "sampling" && value != "sequential"))) {
            refuse("--" + name + " " + value + " needs the file in memory: a stream is learned once, in the order it comes");
        }
    }
    for (const std::string& path : {arguments.model, arguments.curve}) {
        const std::string why = path.empty() ? "" : why_not_written(path);
        if (!why.empty()) throw Failure(kBadData, "cannot save to " + path + ": " + why);
    }
}

// Without --curve, whose file has the passes until here.
std::string command_to_go_on(const TrainArguments& arguments, const std::string& from, uint64_t skip) {
    std::string command = "sparselin train " + quoted(arguments.file) + " --from " + quoted(from) + " --model " + quoted(arguments.model);
    if (arguments.stream) command += " --stream";
    if (arguments.streams()) command += " --skip " + std::to_string(skip);
    for (const auto& [name, value] : arguments.options)
        if (is_for_reading(name)) command += " --" + name + " " + quoted(value);
    if (!arguments.test.empty()) command += " --test " + quoted(arguments.test);
    if (!arguments.validate.empty()) command += " --validate " + quoted(arguments.validate);
    if (arguments.holdout > 0) command += " --holdout " + shortest(arguments.holdout);
    if (arguments.patience > 0) command += " --patience " + std::to_string(arguments.patience);
    if (!arguments.metric.empty()) command += " --metric " + arguments.metric;
    if (!arguments.weights.empty()) command += " --weights " + quoted(arguments.weights);
    if (!arguments.columns.format.empty()) command += " --format " + arguments.columns.format;
    if (!arguments.names.empty()) command += " --names " + quoted(arguments.names);
    return command;
}

}  // namespace cli
