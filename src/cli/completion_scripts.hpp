// The commands and options of a program, as each shell wants to be told of them.
#pragma once

#include <string>
#include <vector>

namespace holdfast {

struct CompletedOption {
  std::vector<std::string> names;  // "--quiet", "-q"
  std::string about;
  bool takes_value = false;
  std::vector<std::string> choices;  // of its value; empty: anything, or a file
};

struct CompletedCommand {
  std::string name;
  std::string about;
  std::vector<CompletedOption> options;
  std::vector<std::string> words;  // that may stand without an option; empty: files
};

// `typed`: how the program is called besides `holdfast`; empty: not otherwise.
std::string bash_completion(const std::vector<CompletedCommand>& commands, const std::string& typed);
std::string zsh_completion(const std::vector<CompletedCommand>& commands);
std::string fish_completion(const std::vector<CompletedCommand>& commands);

}  // namespace holdfast
