#include "help.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "../edit_distance.h"
#include "option_table.h"

namespace cli {

namespace {

constexpr size_t kWidth = 80, kColumn = 31;

std::string two_columns(const std::string& name, std::string_view description) {
    std::string text, line = "  " + name;
    const auto end_line = [&] {
        text += line + '\n';
        line.clear();
    };
    if (line.size() >= kColumn) end_line();
    line.resize(kColumn, ' ');
    while (!description.empty()) {
        const size_t length = std::min(description.find(' '), description.size());
        if (line.size() > kColumn && line.size() + 1 + length > kWidth) {
            end_line();
            line.resize(kColumn, ' ');
        }
        if (line.size() > kColumn) line += ' ';
        line += description.substr(0, length);
        description.remove_prefix(std::min(length + 1, description.size()));
    }
    end_line();
    return text;
}

}  // namespace

HelpFormatter::HelpFormatter() {
    label("Positionals", "Arguments");
    label("SUBCOMMAND", "COMMAND");
}

std::string HelpFormatter::make_help(const CLI::App* command, std::string name, CLI::AppFormatMode mode) const {
    std::string text = CLI::Formatter::make_help(command, name, mode);
    for (size_t at = 0; (at = text.find("\n\n\n", at)) != text.npos;) text.erase(at, 1);
    return text;
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
    std::string name = option->get_name(is_positional);
    if (!is_positional) {
        // A name with dashes beside the one with underscores is not worth a line.
        name = option->get_lnames().empty() ? name : "--" + option->get_lnames().front();
        if (!option->get_snames().empty()) name = "-" + option->get_snames().front() + ", " + name;
        if (option->get_type_size() != 0) name += " " + option->get_type_name();
    }
    return two_columns(name, option->get_description());
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
    return two_columns(command->get_name(), command->get_description());
}

std::string unknown_option(const CLI::App& command, const std::string& typed) {
    constexpr size_t kTypo = 2;  // letters
    std::string nearest;
    size_t distance = SIZE_MAX;
    bool trains = false;
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name : option->get_lnames()) {
            trains = trains || name == "eta0";
            if (const size_t d = sparselin::edit_distance("--" + name, typed); d < distance) {
                nearest = "--" + name;
                distance = d;
            }
        }
    }
    if (trains && distance > kTypo) {  // the library knows what others call its options
        sl_error error;
        size_t length = 0;
        const Options options = make_options({});
        if (sl_options_get(options.get(), typed.c_str() + 2, nullptr, 0, &length, &error) != SL_OK) return error.message;
    }
    return "there is no option " + typed + "; the nearest is " + nearest;
}

}  // namespace cli
