// What somebody is told who mistyped a command or a flag: the word, and the nearest one that there is.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace holdfast {

// `help` and `help run` become `--help` and `run --help`.
void help_as_flag(int argc, char** argv);

// Before parsing: throws BadInput when the first word is no command and no flag, or there is none.
void check_command(const CLI::App& app, int argc, char** argv);

// After parsing found words that it has no use for: throws BadInput about the first of them.
[[noreturn]] void explain_extras(const CLI::App& app);

// Of what the parser refuses otherwise: "holdfast: --jobs: ...; remedy: holdfast run --help".
std::string failure_text(const CLI::App* app, const CLI::Error&);

}  // namespace holdfast
