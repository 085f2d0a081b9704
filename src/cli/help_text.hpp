// The text of `--help`: options with a named value, wrapped descriptions, and examples at the end.
//
//   app.formatter(help_formatter());
//   give_examples(command, {"holdfast run quick", "holdfast run quick --only ip_lease/pause --seed 42"});
//
//     --jobs N                  Trials in parallel (1 to 256; default: 6 a processor)
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

namespace holdfast {

std::shared_ptr<CLI::FormatterBase> help_formatter();

void give_examples(CLI::App* command, const std::vector<std::string>& lines);

// Names of an option's values, for help and the manual page: "N", "FILE", "auto|always|never"; empty for a flag.
std::string value_name(const CLI::Option& option);

// Returns an option's description with the range of its value and its default.
std::string option_text(const CLI::Option& option);

}  // namespace holdfast
