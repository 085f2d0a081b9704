// The one place where text becomes lines for a terminal, or for a reader of plain text: any text but a literal is made
// visible (visible.hpp) and stays within its line, so that a name can neither move the cursor nor begin a line.
//
//   TerminalText out = terminal_text("rerun: {}\n", command);
//   out += coloured("x!", "1;31", colour);
//   say("{}", out);                            the terminal's (src/cli/terminal.hpp)
//
// There is no other way to make a TerminalText from a text; terminal_lines() is for texts of several lines. It cuts
// nothing.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "artifact/literal.hpp"
#include "artifact/visible.hpp"

namespace holdfast {

class TerminalText;

template <typename T>
constexpr bool kIsOurs = std::is_same_v<T, TerminalText> || std::is_same_v<T, Literal>;
template <typename T>
constexpr bool kIsText = std::is_convertible_v<const T&, std::string_view>;

// The type that a format gets in the place of an argument.
template <typename T>
using Printed = std::conditional_t<kIsText<T> || kIsOurs<T>, std::string, T>;

class TerminalText {
 public:
  TerminalText() = default;
  TerminalText(Literal text) : text_(text.text()) {}  // NOLINT(google-explicit-constructor): ours, colours included

  TerminalText& operator+=(const TerminalText& more) {
    text_ += more.text_;
    return *this;
  }
  TerminalText& operator+=(Literal more) {
    text_ += more.view();
    return *this;
  }
  const std::string& text() const { return text_; }
  bool empty() const { return text_.empty(); }
  std::size_t width() const { return columns(text_); }  // of one line without colours

  static TerminalText blanks(std::size_t count) { return TerminalText(std::string(count, ' ')); }
  TerminalText without_trailing_blanks() const {
    return TerminalText(text_.substr(0, text_.find_last_not_of(' ') + 1));
  }

 private:
  template <typename... Args>
  friend TerminalText terminal_text(fmt::format_string<Printed<Args>...> format, const Args&... args);
  friend TerminalText terminal_lines(std::string_view text);
  friend TerminalText folded(const TerminalText& text, std::size_t most);
  friend TerminalText terminal_message(std::string_view text);
  explicit TerminalText(std::string text) : text_(std::move(text)) {}

  std::string text_;
};

// The text with lines longer than `most` columns (0: any) broken at blanks and continued below their beginning. A line
// with a command (`rerun: `) stays whole, so that it can be copied. Colours have no width.
TerminalText folded(const TerminalText& text, std::size_t most);

// Several lines of a text from outside; and those of a message, whose further lines are indented: each could be a name,
// and none is to be taken for a line of ours.
inline TerminalText terminal_lines(std::string_view text) {
  return TerminalText(visible_lines(text));
}
TerminalText terminal_message(std::string_view text);

template <typename T>
Printed<T> printed(const T& value) {
  if constexpr (kIsOurs<T>) {
    return std::string(value.text());
  } else if constexpr (kIsText<T>) {
    return visible(value);
  } else {
    return value;
  }
}

template <typename... Args>
TerminalText terminal_text(fmt::format_string<Printed<Args>...> format, const Args&... args) {
  return TerminalText(fmt::format(format, printed(args)...));
}

}  // namespace holdfast
