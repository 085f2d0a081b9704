// The one way out of the program: nothing else here prints (tests/tidy looks). Text from outside, in whatever argument,
// is made visible on its way (reports/visible.hpp), so that a name cannot move the cursor, set the window's title, or
// begin a line; and where GitHub Actions reads, no line can be taken for a command.
//
//   say("{}: {}\n", verdict.lock, witness.text);      standard output
//   tell("{} of {} trials\n", done, all);             standard error
//   say("{}\n", shown(matrix_text(verdict, true)));   a finished piece, of a renderer that did so itself
//   print_json(to_json(verdict));                     for programs
//
// The format is a literal of ours, and stays as it is. What it does not do: it cuts nothing.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <type_traits>

#include "reports/visible.hpp"

namespace holdfast {

struct Shown {
  std::string text;
};

// A renderer's work, colours and line ends included: whoever says so has looked.
inline Shown shown(std::string text) {
  return {std::move(text)};
}
// Several lines of a text from outside.
inline Shown shown_lines(std::string_view text) {
  return {visible_lines(text)};
}

template <typename T>
constexpr bool kIsText = std::is_convertible_v<const T&, std::string_view>;

template <typename T>
using Printed = std::conditional_t<kIsText<T> || std::is_same_v<T, Shown>, std::string, T>;

template <typename T>
Printed<T> printed(const T& value) {
  if constexpr (std::is_same_v<T, Shown>) {
    return value.text;
  } else if constexpr (kIsText<T>) {
    return visible(value);
  } else {
    return value;
  }
}

// As it is, but for what GitHub Actions would take for a command.
void print_lines(std::FILE* to, std::string_view text);

template <typename... Args>
void say(fmt::format_string<Printed<Args>...> format, const Args&... args) {
  print_lines(stdout, fmt::format(format, printed(args)...));
}

template <typename... Args>
void tell(fmt::format_string<Printed<Args>...> format, const Args&... args) {
  print_lines(stderr, fmt::format(format, printed(args)...));
}

void print_json(const nlohmann::json& json, int indent = 1);
void print_json(const nlohmann::ordered_json& json, int indent = 1);

// Commands of GitHub Actions, as workflow_commands.hpp makes them; to standard error.
void print_commands(std::string_view commands);

// A file that goes to standard output (a report's copy, a page of the manual): every byte of it.
void print_file(std::string_view text);

}  // namespace holdfast
