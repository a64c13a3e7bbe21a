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

// The long name of the command's options that is nearest to what was typed.
std::string nearest_option(const CLI::App& command, const std::string& typed);

}  // namespace cli
