// The library's option table as command line options.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include "library.h"

namespace cli {

using GivenOptions = std::vector<std::pair<std::string, std::string>>;  // name, value

enum class Which { kAll, kForReading };

// Adds the options of the table to a command; names with underscores may be written with dashes.
void add_library_options(CLI::App& command, Which which);

// Those that were given, in the order of the command line: a preset sets what comes before it, and gives way to what comes after it.
GivenOptions given_library_options(const CLI::App& command);

enum class Reads { kModel, kEncoder };

// Whether models, or encoders, read an option; some are for both.
bool is_for(const std::string& name, Reads reader);

// Of those given the ones that `reader` reads.
Options make_options(const GivenOptions& given, Reads reader = Reads::kModel);

// Whether an option says how text is read, and nothing about the model.
bool is_for_reading(const std::string& name);

// How to read text for a model: as the model's own options say, but for those given.
Options reading_options(const sl_model* model, const GivenOptions& given);

bool gives(const GivenOptions& given, const std::string& name);

// In how many threads there is to be work: a model that was loaded has none of what is given here.
uint32_t threads_of(const GivenOptions& given);

}  // namespace cli
