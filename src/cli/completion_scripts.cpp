#include "cli/completion_scripts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace holdfast {
namespace {

std::string words_of_list(const std::vector<std::string>& words, const char* between = " ") {
  return fmt::format("{}", fmt::join(words, between));
}

// For zsh and fish, within single quotes; `special` are the letters that the place itself gives a meaning to.
std::string quoted_text(const std::string& text, const std::string& special) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') out += "'\\'";
    if (special.find(c) != std::string::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string bash_case(const CompletedCommand& command) {
  std::string names;
  std::string values;
  for (const auto& option : command.options) {
    names += (names.empty() ? "" : " ") + words_of_list(option.names);
    if (!option.takes_value) continue;
    const std::string answer =
        option.choices.empty() ? "return" : fmt::format("words='{}'", words_of_list(option.choices));
    values += fmt::format("        {}) {} ;;\n", words_of_list(option.names, "|"), answer);
  }
  return fmt::format(
      "    {})\n      case $before in\n{}        *) if [[ $now == -* ]]; then words='{}'; else words='{}'; fi ;;\n"
      "      esac ;;\n",
      command.name, values, names, words_of_list(command.words));
}

}  // namespace

// Where nothing is offered bash itself offers files (-o default).
std::string bash_completion(const std::vector<CompletedCommand>& commands, const std::string& typed) {
  std::vector<std::string> names;
  std::string cases;
  for (const auto& command : commands) {
    names.push_back(command.name);
    cases += bash_case(command);
  }
  return fmt::format(
      "# holdfast's commands for bash: source <(holdfast completion bash)\n"
      "_holdfast() {{\n"
      "  local now=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} words=\n"
      "  COMPREPLY=()\n"
      "  if ((COMP_CWORD == 1)); then\n"
      "    words='{} --help --version'\n"
      "  else\n"
      "    case ${{COMP_WORDS[1]}} in\n{}    esac\n"
      "  fi\n"
      "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$now\")\n"
      "}}\n"
      "complete -o default -F _holdfast holdfast{}\n",
      words_of_list(names), cases, typed.empty() ? "" : " " + typed);
}

std::string zsh_completion(const std::vector<CompletedCommand>& commands) {
  std::string names;
  std::string cases;
  for (const auto& command : commands) {
    names += fmt::format("    '{}:{}'\n", command.name, quoted_text(command.about, ":\\"));
    cases += fmt::format("    {}) _arguments", command.name);
    for (const auto& option : command.options) {
      const std::string value = !option.takes_value      ? ""
                                : option.choices.empty() ? ":value:_files"
                                                         : ":value:(" + words_of_list(option.choices) + ")";
      for (const auto& name : option.names) {
        cases += fmt::format(" \\\n      '*{}[{}]{}'", name, quoted_text(option.about, "[]:\\"), value);
      }
    }
    const std::string rest = command.words.empty() ? "_files" : "(" + words_of_list(command.words) + ")";
    cases += fmt::format(" \\\n      '*:what:{}' ;;\n", rest);
  }
  return fmt::format(
      "#compdef holdfast\n"
      "# holdfast's commands for zsh: holdfast completion zsh > ~/.zfunc/_holdfast\n"
      "_holdfast() {{\n"
      "  local -a commands=(\n{}  )\n"
      "  if ((CURRENT == 2)); then _describe command commands; return; fi\n"
      "  shift words\n"
      "  ((CURRENT--))\n"
      "  case $words[1] in\n{}  esac\n"
      "}}\n"
      "if [[ $funcstack[1] == _holdfast ]]; then _holdfast \"$@\"; else compdef _holdfast holdfast; fi\n",
      names, cases);
}

std::string fish_completion(const std::vector<CompletedCommand>& commands) {
  std::string out =
      "# holdfast's commands for fish: holdfast completion fish > ~/.config/fish/completions/holdfast.fish\n";
  for (const auto& command : commands) {
    out += fmt::format("complete -c holdfast -f -n __fish_use_subcommand -a {} -d '{}'\n", command.name,
                       quoted_text(command.about, "\\"));
    const std::string here = fmt::format("complete -c holdfast -n '__fish_seen_subcommand_from {}'", command.name);
    for (const auto& option : command.options) {
      out += here;
      for (const auto& name : option.names) out += name[1] == '-' ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (option.takes_value) out += " -r";
      if (!option.choices.empty()) out += fmt::format(" -f -a '{}'", words_of_list(option.choices));
      out += fmt::format(" -d '{}'\n", quoted_text(option.about, "\\"));
    }
    if (!command.words.empty()) out += fmt::format("{} -f -a '{}'\n", here, words_of_list(command.words));
  }
  return out;
}

}  // namespace holdfast
