#include "reports/rerun.hpp"

#include <algorithm>
#include <cctype>

#include "reports/visible.hpp"

namespace holdfast {
namespace {

// Where the word that begins at `at` ends: at a blank outside quotes, as shell_word writes them.
std::size_t word_end(const std::string& command, std::size_t at) {
  bool quoted = false;
  for (; at < command.size() && (quoted || command[at] != ' '); ++at) {
    if (command[at] == '\'') {
      quoted = !quoted;
    } else if (command[at] == '\\' && !quoted) {
      ++at;
    }
  }
  return std::min(at, command.size());
}

// What a shell makes of a word that shell_word wrote.
std::string unquoted(std::string_view word) {
  std::string out;
  bool quoted = false;
  for (std::size_t at = 0; at < word.size(); ++at) {
    if (word[at] == '\'') {
      quoted = !quoted;
    } else if (word[at] == '\\' && !quoted && at + 1 < word.size()) {
      out += word[++at];
    } else {
      out += word[at];
    }
  }
  return out;
}

// The command without its own `--only PATTERN` and `--only=PATTERN`.
std::string without_only(const std::string& command) {
  std::string out;
  for (std::size_t at = 0; at < command.size();) {
    const std::size_t blank = word_end(command, at);
    const std::string word = command.substr(at, blank - at);
    at = blank + 1;
    if (word == "--only") {
      at = word_end(command, at) + 1;
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

std::string stored_command(const std::string& command, const std::string& program) {
  std::string out = program;
  bool ours = false;
  for (std::size_t at = 0; at < command.size();) {
    const std::size_t end = word_end(command, at);
    const std::string word = unquoted(std::string_view(command).substr(at, end - at));
    at = end + 1;
    const bool of_ours = word == "run" || word == "replay" || word == "explore";
    if (ours || of_ours) out += " " + shell_word(word);
    ours = ours || of_ours;
  }
  return ours ? out : "";
}

// Only `run` takes a cell; an exploration or a replay is repeated as it was.
std::string rerun_command(const RunVerdict& run, const Cell& cell) {
  if (!run.command.empty() && run.command.find(" run ") == std::string::npos) return visible(run.command);
  std::string out = without_only(run.command.empty() ? "holdfast run " + shell_word(run.suite) : run.command);
  if (out.find("--seed") == std::string::npos) out += " --seed " + std::to_string(run.seed);
  return visible(out + " --only " + shell_word(cell.lock + "/" + cell.scenario));
}

}  // namespace holdfast
