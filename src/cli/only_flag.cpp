#include "cli/only_flag.hpp"

#include <cstddef>
#include <sstream>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "artifact/run_directory.hpp"
#include "artifact/shell_command.hpp"
#include "cli/output.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostInCommand = 10;
constexpr const char* kKeptPatterns = "only.txt";
constexpr const char* kBlanks = " \t\r";

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(kBlanks);
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

void add_patterns_in(const std::string& file, OnlyCells& out) {
  std::istringstream in(read_text_file(file));
  std::size_t number = 0;
  bool any = false;
  for (std::string line; std::getline(in, line);) {
    const std::string place = file + ":" + std::to_string(++number);
    const std::string pattern = trimmed(line.substr(0, line.find('#')));
    if (pattern.empty()) continue;
    any = true;
    if (pattern.find_first_of(kBlanks) != std::string::npos) {
      throw BadInput(place + ": '" + pattern +
                     "' is not a pattern; remedy: write one LOCK/SCENARIO per line (either "
                     "may be *)");
    }
    if (pattern.front() == '@') throw BadInput(place + ": a file of patterns cannot name another file");
    out.patterns.push_back(pattern);
    out.places.emplace(pattern, place);
  }
  if (!any) throw BadInput(file + ": has no patterns; remedy: write one LOCK/SCENARIO per line (either may be *)");
}

// Parses `--only`: patterns, and @FILE. Throws BadInput with file, line and remedy.
OnlyCells only_cells(const std::vector<std::string>& given) {
  OnlyCells out;
  for (const auto& word : given) {
    if (word == "@") throw BadInput("--only @: the file's name is missing; remedy: --only @FILE");
    if (word.starts_with('@')) {
      add_patterns_in(word.substr(1), out);
    } else {
      out.patterns.push_back(word);
    }
  }
  return out;
}

}  // namespace

CLI::Option* add_only_flag(CLI::App* command, OnlyCells& only, const std::string& about) {
  const auto take = [&only](const std::vector<std::string>& given) { only = only_cells(given); };
  return command->add_option_function<std::vector<std::string>>(
      "--only", take, about + " (either may be *); @FILE reads them from a file, one per line; may be repeated");
}

std::string with_patterns_kept(const std::string& command, const OnlyCells& only, const std::string& folder) {
  if (only.patterns.size() <= kMostInCommand) return command;
  const RunDirectory run(folder);
  std::string text;
  for (const auto& pattern : only.patterns) text += pattern + "\n";
  run.write(kKeptPatterns, text);
  ShellCommand out;
  bool told = false;
  const auto words = shell_words(command);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] != "--only") {
      out.word(words[i]);
      continue;
    }
    ++i;  // its pattern
    if (!told) out.flag("--only", "@" + from_here(run.path_of(kKeptPatterns)));
    told = true;
  }
  return out.text();
}

}  // namespace holdfast
