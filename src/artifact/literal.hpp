// A string literal of this program: its text must be known at compile time, so a parameter of type Literal can never
// receive outside text.
//
//   Literal name = "td";
//   Literal other = column_name;   // does not compile: a std::string, whatever its value
//
// Text written unescaped, in any format, consists of literals and passes through the format's one writer only
// (CONTRIBUTING.md lists them). An escaping call could be forgotten; with this type, text in the wrong place does not
// compile or is escaped.
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
