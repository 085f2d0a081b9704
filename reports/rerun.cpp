#include "reports/rerun.hpp"

#include <algorithm>
#include <cctype>

#include "reports/visible.hpp"

namespace holdfast {
namespace {

// The command without its own `--only PATTERN` and `--only=PATTERN`.
std::string without_only(const std::string& command) {
  std::string out;
  for (std::size_t at = 0; at < command.size();) {
    const std::size_t blank = std::min(command.find(' ', at), command.size());
    const std::string word = command.substr(at, blank - at);
    at = blank + 1;
    if (word == "--only") {
      at = std::min(command.find(' ', at), command.size()) + 1;
    } else if (!word.starts_with("--only=") && !word.empty()) {
      out += (out.empty() ? "" : " ") + word;
    }
  }
  return out;
}

}  // namespace

std::string shell_word(std::string_view word) {
  bool plain = !word.empty();
  for (const char c : word) {
    const bool mark = std::string_view("_+-./:=@%,").find(c) != std::string_view::npos;
    plain = plain && (mark || std::isalnum(static_cast<unsigned char>(c)) != 0);
  }
  if (plain) return std::string(word);
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// Only `run` takes a cell; an exploration or a replay is repeated as it was.
std::string rerun_command(const RunVerdict& run, const Cell& cell) {
  if (!run.command.empty() && run.command.find(" run ") == std::string::npos) return visible(run.command);
  std::string out = without_only(run.command.empty() ? "holdfast run " + shell_word(run.suite) : run.command);
  if (out.find("--seed") == std::string::npos) out += " --seed " + std::to_string(run.seed);
  return visible(out + " --only " + shell_word(cell.lock + "/" + cell.scenario));
}

}  // namespace holdfast
