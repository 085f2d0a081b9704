// Splits a command line into the program and its arguments.
//
//   command_words("python3 \"my lock.py\" --mode=a\\ b")     python3 | my lock.py | --mode=a b
//   named_command("first_try=python3 my_lock.py")            first_try, and the words
//
// Quoting as in a shell: '...' keeps everything, "..." everything except \" and \\, and a backslash outside quotes
// keeps the next character. There are no variables, globs or pipes: such characters are ordinary text. Throws BadInput
// with the command.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

std::vector<std::string> command_words(std::string_view command);

struct NamedCommand {
  std::string name;  // a lock's
  std::vector<std::string> words;
};
NamedCommand named_command(const std::string& text);

// Returns true for a valid lock name: words of small letters and digits joined by `_`, at most 60 characters.
bool is_lock_name(std::string_view name);

}  // namespace holdfast
