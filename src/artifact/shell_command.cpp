#include "artifact/shell_command.hpp"

#include <algorithm>
#include <cctype>

namespace holdfast {
namespace {

bool is_plain(char c) {
  const bool mark = std::string_view("_+-./:=@%,").find(c) != std::string_view::npos;
  return mark || std::isalnum(static_cast<unsigned char>(c)) != 0;
}

}  // namespace

ShellCommand& ShellCommand::add(std::string_view text) {
  if (!text_.empty()) text_ += ' ';
  text_ += text;
  return *this;
}

ShellCommand& ShellCommand::literal(Literal words) {
  return add(words.view());
}

ShellCommand& ShellCommand::word(std::string_view word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return add(word);
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return add(quoted + "'");
}

ShellCommand& ShellCommand::append(const ShellCommand& more) {
  return more.text_.empty() ? *this : add(more.text_);
}

std::vector<std::string> shell_words(std::string_view command) {
  std::vector<std::string> out;
  std::string word;
  bool quoted = false;
  bool begun = false;
  for (std::size_t at = 0; at < command.size(); ++at) {
    const char c = command[at];
    if (c == ' ' && !quoted) {
      if (begun) out.push_back(std::move(word));
      word.clear();
      begun = false;
      continue;
    }
    begun = true;
    if (c == '\'') {
      quoted = !quoted;
    } else if (c == '\\' && !quoted && at + 1 < command.size()) {
      word += command[++at];
    } else {
      word += c;
    }
  }
  if (begun) out.push_back(std::move(word));
  return out;
}

}  // namespace holdfast
