// What somebody is told who mistyped a command or a flag: the word, and the nearest one that there is.
#pragma once

#include <CLI/CLI.hpp>

namespace holdfast {

// Before parsing: throws BadInput when the first word is no command.
void check_command(const CLI::App& app, int argc, char** argv);

// After parsing found words that it has no use for: throws BadInput about the first of them.
[[noreturn]] void explain_extras(const CLI::App& app);

}  // namespace holdfast
