// The one way out of the program, to a terminal and to GitHub Actions: nothing else prints (tests/tidy looks).
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "reports/format.hpp"
#include "reports/terminal_text.hpp"

namespace holdfast {

// What GitHub Actions is given where it is who runs us: the summary of the job, and annotations.

// Appends the summary to the file that GITHUB_STEP_SUMMARY names, and prints the annotations on standard error where
// GITHUB_ACTIONS is set. A summary that cannot be written is told, and changes no verdict.
void tell_github(const FormatInput& in);

// The one way out of the program: nothing else here prints (tests/tidy looks). Text from outside, in whatever argument,
// is made visible on its way (reports/terminal_text.hpp), so that a name cannot move the cursor, set the window's
// title, or begin a line; and where GitHub Actions reads, no line can be taken for a command.
//
//   say("{}: {}\n", verdict.lock, witness.text);      standard output
//   tell("{} of {} trials\n", done, all);             standard error
//   say("{}\n", matrix_text(found, true));             a piece that is TerminalText already
//   print_json(to_json(verdict));                     for programs
//
// The format is a literal of ours, and stays as it is. What it does not do: it cuts nothing.

// As it is, but for what GitHub Actions would take for a command.
void print_lines(std::FILE* to, const TerminalText& text);

template <typename... Args>
void say(fmt::format_string<Printed<Args>...> format, const Args&... args) {
  print_lines(stdout, terminal_text(format, args...));
}

template <typename... Args>
void tell(fmt::format_string<Printed<Args>...> format, const Args&... args) {
  print_lines(stderr, terminal_text(format, args...));
}

void print_json(const nlohmann::json& json, int indent = 1);
void print_json(const nlohmann::ordered_json& json, int indent = 1);

// A file that goes to standard output (a report's copy, a page of the manual): every byte of it.
void print_file(std::string_view text);

}  // namespace holdfast
