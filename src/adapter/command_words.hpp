// A command as it is given on a command line, split into the words of a program and its arguments.
//
//   command_words("python3 \"my lock.py\" --mode=a\\ b")     python3 | my lock.py | --mode=a b
//   named_command("first_try=python3 my_lock.py")            first_try, and the words
//
// As in a shell: '...' keeps everything, "..." keeps everything but \" and \\, a backslash outside keeps the next
// character. No variables, no globs, no pipes: what would need a shell is a word like any other.
// Errors: BadInput, with the command.
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

// Whether it can be the name of a lock: words of small letters and digits, joined by `_`, at most 60 characters.
bool is_lock_name(std::string_view name);

}  // namespace holdfast
