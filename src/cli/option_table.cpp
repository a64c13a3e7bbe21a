#include "option_table.h"

#include <algorithm>
#include <string>

namespace cli {

namespace {

const char* const kGroup = "Options of the library, the same in every language";
const char* const kEncoderGroup = "Options of the library for tables: how text and categories become features";
const char* const kForReading[] = {"index_base", "threads"};

std::string replaced(std::string text, char from, const std::string& to) {
    for (size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) text.replace(at, 1, to);
    return text;
}

}  // namespace

bool is_for_reading(const std::string& name) {
    return std::find(std::begin(kForReading), std::end(kForReading), name) != std::end(kForReading);
}

void add_library_options(CLI::App& command, Which which) {
    for (size_t i = 0; i < sl_option_count(); ++i) {
        const char *name, *kind, *standard, *help;
        call(sl_option_describe, i, &name, &kind, &standard, &help);
        if (which == Which::kForReading && !is_for_reading(name)) continue;

        const std::string kind_text = kind, long_name = std::string("--") + name;
        std::string value = "CHOICE", choices;
        if (kind_text == "boolean") {
            value = "true|false";
        } else if (kind_text.rfind("number", 0) == 0 || kind_text.rfind("integer", 0) == 0) {
            const size_t length = std::min(kind_text.find('|'), kind_text.size());
            value = kind_text;
            std::transform(value.begin(), value.begin() + static_cast<std::ptrdiff_t>(length), value.begin(),
                           [](char letter) { return static_cast<char>(letter - 'a' + 'A'); });
        } else {
            choices = " One of " + replaced(kind_text, '|', ", ") + ".";
        }
        const std::string description = help + choices + " Default: " + standard;

        std::string names = long_name;
        if (const std::string dashed = "--" + replaced(name, '_', "-"); dashed != long_name) names += "," + dashed;
        command.add_option(names, description)->type_name(value)->group(is_for(name, Reads::kModel) ? kGroup : kEncoderGroup);
    }
}

GivenOptions given_library_options(const CLI::App& command) {
    GivenOptions given;
    for (const CLI::Option* option : command.parse_order()) {
        if (option->get_group() == kGroup || option->get_group() == kEncoderGroup)
            given.emplace_back(option->get_lnames().front(), option->as<std::string>());
    }
    return given;
}

bool is_for(const std::string& name, Reads reader) {
    int model = 0, encoder = 0;
    call(sl_option_is_for, name.c_str(), &model, &encoder);
    return (reader == Reads::kModel ? model : encoder) != 0;
}

Options make_options(const GivenOptions& given, Reads reader) {
    Options options = make<sl_options>(sl_options_create);
    for (const auto& [name, value] : given)
        if (is_for(name, reader)) call(sl_options_set, options.get(), name.c_str(), value.c_str());
    return options;
}

Options reading_options(const sl_model* model, const GivenOptions& given) {
    GivenOptions for_reading;
    for (const char* name : kForReading) for_reading.emplace_back(name, model_option(model, name));
    for (const auto& option : given) {
        if (is_for_reading(option.first)) for_reading.push_back(option);
    }
    return make_options(for_reading);
}

bool gives(const GivenOptions& given, const std::string& name) {
    return std::any_of(given.begin(), given.end(), [&](const auto& option) { return option.first == name; });
}

uint32_t threads_of(const GivenOptions& given) {
    const Options options = make<sl_options>(sl_options_create);
    for (const auto& [name, value] : given)
        if (name == "threads") call(sl_options_set, options.get(), name.c_str(), value.c_str());
    return static_cast<uint32_t>(std::stoul(text_of(sl_options_get, options.get(), "threads")));
}

}  // namespace cli
