// A text that stands in this program: no other can become one, since it has to be known when the program is compiled.
// So what takes a Literal can take nothing from outside.
//
//   Literal name = "td";
//   Literal other = column_name;   // does not compile: a std::string, whatever it holds
//
// What is written as it is, in any format, is made of literals and by that format's one writer only (CONTRIBUTING.md
// names them). A call that escapes could be forgotten; a text in the wrong place does not compile, or is escaped.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace holdfast {

class Literal {
 public:
  consteval Literal(const char* text) : text_(text) {}  // NOLINT(google-explicit-constructor): to be written as it is

  constexpr std::string_view view() const { return text_; }
  std::string text() const { return std::string(text_); }

 private:
  std::string_view text_;
};

}  // namespace holdfast
