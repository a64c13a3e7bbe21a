// Help texts in two columns, 80 wide.
#pragma once
#include <CLI/CLI.hpp>
#include <string>

namespace cli {

class HelpFormatter : public CLI::Formatter {
  public:
    HelpFormatter();
    std::string make_help(const CLI::App* command, std::string name, CLI::AppFormatMode mode) const override;
    std::string make_option(const CLI::Option* option, bool is_positional) const override;
    std::string make_subcommand(const CLI::App* command) const override;
};

// What to say of an option that the command does not have, with the nearest that it has.
std::string unknown_option(const CLI::App& command, const std::string& typed);

}  // namespace cli
