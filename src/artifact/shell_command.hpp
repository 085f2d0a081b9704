// Builds all commands that can be pasted into a shell: outside text is always quoted as one argument; only literals of
// the program are written unquoted.
//
//   ShellCommand("holdfast").literal("run").flag("--lock", "a; reboot").text()   holdfast run --lock 'a; reboot'
//   ShellCommand("runs/a b").text()                                              'runs/a b'
//
// It does not make invisible characters visible; the terminal writer does (reports/terminal_text.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "artifact/literal.hpp"

namespace holdfast {

class ShellCommand {
 public:
  ShellCommand() = default;
  explicit ShellCommand(std::string_view program) { word(program); }

  ShellCommand& literal(Literal words);       // unquoted: "run --controls"
  ShellCommand& word(std::string_view word);  // one argument, quoted only where it must be
  ShellCommand& flag(Literal name, std::string_view value) { return literal(name).word(value); }
  ShellCommand& append(const ShellCommand& more);

  const std::string& text() const { return text_; }

 private:
  ShellCommand& add(std::string_view text);

  std::string text_;
};

// The words of a command as ShellCommand writes them, without their quotes.
std::vector<std::string> shell_words(std::string_view command);

}  // namespace holdfast
