// The one place where commands for GitHub Actions are made, and where others are taken out. The runner reads them from
// what a step prints: "::error title=x::text" becomes an annotation. So whatever is printed there must not hold one
// that we did not mean. Any file may be printed there, so in no other format a line can be taken for a command: pages
// spell it as a character reference, JSON as an escape, Markdown with a backslash or a blank.
//
//   WorkflowCommands out;
//   out.add("error", "a, b", terminal_text("50 %\n"));            ::error title=a%2C b::50 %25%0A
//   out.add("error", "a", terminal_text("b"), &place);           ::error file=my_lock.sql,line=7,title=a::b
//   without_commands("  ::set-env name=x::y")             "  : :set-env name=x::y"
//   without_commands_in_json("{\"a\": \"##[error]b\"}")    the same value, with the bracket spelled out
#pragma once

#include <string>
#include <string_view>

#include "artifact/literal.hpp"
#include "artifact/source_place.hpp"
#include "reports/terminal_text.hpp"

namespace holdfast {

class WorkflowCommands {
 public:
  // Adds a line. The title is made visible, and cut to a readable length. With a place GitHub shows it there.
  void add(Literal name, std::string_view title, const TerminalText& message, const SourcePlace* place = nullptr);

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// The text with no line in it that the runner would take for a command, in either of the spellings that it knows.
std::string without_commands(std::string_view text);
std::string without_commands_in_json(std::string json);

}  // namespace holdfast
