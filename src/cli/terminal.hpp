// All output of the program, to a terminal and to GitHub Actions; tests/tidy checks that no other file prints.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "reports/format.hpp"
#include "reports/terminal_text.hpp"

namespace holdfast {

// Output for GitHub Actions: the job's summary, and annotations.

// Appends the summary to the file named by GITHUB_STEP_SUMMARY, and prints annotations on standard error if
// GITHUB_ACTIONS is set. A summary that cannot be written is reported and changes no verdict.
void tell_github(const FormatInput& in);

// All printing of the program (tests/tidy checks). Outside text in any argument is made visible
// (reports/terminal_text.hpp), so a name cannot move the cursor, set the window's title, or begin a line; under GitHub
// Actions no line can be read as a command.
//
//   say("{}: {}\n", verdict.lock, witness.text);      standard output
//   tell("{} of {} trials\n", done, all);             standard error
//   say("{}\n", matrix_text(found, true));             text that is already a TerminalText
//   print_json(to_json(verdict));                     for programs
//
// The format is a literal and stays unchanged. Nothing is cut.

// Prints the text unchanged, except lines that GitHub Actions would read as commands.
void print_lines(std::FILE* to, const TerminalText& text);

template <typename... Args>
void say(fmt::format_string<Printed<Args>...> format, const Args&... args) {
  print_lines(stdout, terminal_text(format, args...));
}

template <typename... Args>
void tell(fmt::format_string<Printed<Args>...> format, const Args&... args) {
  print_lines(stderr, terminal_text(format, args...));
}

// A line at the bottom of a terminal, drawn over the last one and no wider than the terminal. Other output removes it
// first and draws it again, so the two never share a line. Nothing is drawn after tell_stopping.
void show_status(const TerminalText&);
void clear_status();

// Answers a first Ctrl-C at once: for a signal handler.
void tell_stopping() noexcept;

// Columns of the terminal that standard output is, of 80 at least; COLUMNS has precedence. 0: no terminal.
std::size_t screen_columns();

void print_json(const nlohmann::json& json, int indent = 1);
void print_json(const nlohmann::ordered_json& json, int indent = 1);

// Prints a file to standard output (a report's copy, a manual page), byte for byte.
void print_file(std::string_view text);

}  // namespace holdfast
