// `holdfast completion bash|zsh|fish`: makes a shell complete commands, options and their values. Generated from the
// program's options, so it is always current; values that are not from a list are completed as file names.
//
//   source <(holdfast completion bash)
//   holdfast completion zsh > ~/.zfunc/_holdfast
//   holdfast completion fish > ~/.config/fish/completions/holdfast.fish
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "artifact/error.hpp"
#include "artifact/shell_command.hpp"
#include "cli/command.hpp"
#include "cli/help_text.hpp"
#include "cli/output.hpp"
#include "cli/terminal.hpp"
#include "lab/process.hpp"

namespace holdfast {
namespace {

struct CompletedOption {
  std::vector<std::string> names;  // "--quiet", "-q"
  std::string about;
  bool takes_value = false;
  std::vector<std::string> choices;  // allowed values; empty: any text, or a file
  std::string listed;                // values are those printed by `holdfast list` with this word
};

struct CompletedCommand {
  std::string name;
  std::string about;
  std::vector<CompletedOption> options;
  std::vector<std::string> words;   // allowed positional words; empty: files
  std::vector<std::string> listed;  // positional words printed by `holdfast list` with these words
};

// Options and arguments whose values are names known to the program.
const std::map<std::string, std::string>& listed_values() {
  static const std::map<std::string, std::string> kAll{
      {"--lock", "locks"}, {"LOCK", "locks"},        {"--only", "cells"},      {"CELL", "cells"},
      {"suite", "suites"}, {"--scenario", "suites"}, {"--envelope", "faults"}, {"--fault", "faults"},
      {"RUN", "runs"},     {"folder", "runs"},       {"--resume", "runs"},     {"--durations", "runs"}};
  return kAll;
}

// A shell command that prints them.
std::string list_command(const std::string& what) {
  return ShellCommand(own_program()).literal("list").word(what).literal("--names").text() + " 2>/dev/null";
}

std::string words_of_list(const std::vector<std::string>& words, const char* between = " ") {
  return fmt::format("{}", fmt::join(words, between));
}

// For zsh and fish, within single quotes; `special`: characters with a meaning at that place.
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
  std::string listed;
  for (const auto& what : command.listed) listed += fmt::format("\" $({})\"", list_command(what));
  for (const auto& option : command.options) {
    names += (names.empty() ? "" : " ") + words_of_list(option.names);
    if (!option.takes_value) continue;
    const std::string answer = !option.listed.empty()   ? fmt::format("words=$({})", list_command(option.listed))
                               : option.choices.empty() ? "return"
                                                        : fmt::format("words='{}'", words_of_list(option.choices));
    values += fmt::format("        {}) {} ;;\n", words_of_list(option.names, "|"), answer);
  }
  return fmt::format(
      "    {})\n      case $before in\n{}        *) if [[ $now == -* ]]; then words='{}'; else words='{}'{}; fi ;;\n"
      "      esac ;;\n",
      command.name, values, names, words_of_list(command.words), listed);
}

// Without candidates bash itself completes files (-o default). `typed`: another name under which the program is called;
// empty: none.
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

// Files are also offered: a lock's manifest, or a user's own suite.
std::string zsh_action(const std::vector<std::string>& listed) {
  std::string out;
  for (const auto& what : listed) {
    out += fmt::format("compadd -- ${{(f)\"$({})\"}}; ", quoted_text(list_command(what), ""));
  }
  return "{" + out + "_files}";
}

std::string zsh_completion(const std::vector<CompletedCommand>& commands) {
  std::string names;
  std::string cases;
  for (const auto& command : commands) {
    names += fmt::format("    '{}:{}'\n", command.name, quoted_text(command.about, ":\\"));
    cases += fmt::format("    {}) _arguments", command.name);
    for (const auto& option : command.options) {
      const std::string value = !option.takes_value      ? ""
                                : !option.listed.empty() ? ":value:" + zsh_action({option.listed})
                                : option.choices.empty() ? ":value:_files"
                                                         : ":value:(" + words_of_list(option.choices) + ")";
      for (const auto& name : option.names) {
        cases += fmt::format(" \\\n      '*{}[{}]{}'", name, quoted_text(option.about, "[]:\\"), value);
      }
    }
    const std::string rest = !command.listed.empty() ? zsh_action(command.listed)
                             : command.words.empty() ? "_files"
                                                     : "(" + words_of_list(command.words) + ")";
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
      if (!option.listed.empty()) out += fmt::format(" -a '({})'", quoted_text(list_command(option.listed), "\\"));
      if (!option.choices.empty()) out += fmt::format(" -f -a '{}'", words_of_list(option.choices));
      out += fmt::format(" -d '{}'\n", quoted_text(option.about, "\\"));
    }
    if (!command.words.empty()) out += fmt::format("{} -f -a '{}'\n", here, words_of_list(command.words));
    for (const auto& what : command.listed) {
      out += fmt::format("{} -a '({})'\n", here, quoted_text(list_command(what), "\\"));
    }
  }
  return out;
}

// "TEXT:{auto,always,never}" -> auto, always, never: the parser's notation for a list of values.
std::vector<std::string> choices_of(const std::string& type_name) {
  std::vector<std::string> out;
  const auto open = type_name.find('{');
  const auto close = type_name.find('}');
  if (open == std::string::npos || close == std::string::npos) return out;
  std::string word;
  for (const char c : type_name.substr(open + 1, close - open - 1) + ",") {
    if (c == ',') out.push_back(std::exchange(word, ""));
    if (c != ',') word += c;
  }
  return out;
}

// Empty: they are not listed.
std::string listed_as(const std::string& name) {
  const auto found = listed_values().find(name);
  return found == listed_values().end() ? "" : found->second;
}

CompletedCommand described(const CLI::App& command) {
  CompletedCommand out{command.get_name(), command.get_description(), {}, {}, {}};
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) continue;  // hidden
    const auto choices = choices_of(option->get_type_name());
    if (option->get_positional()) {
      out.words.insert(out.words.end(), choices.begin(), choices.end());
      if (const std::string what = listed_as(option->get_name()); !what.empty()) out.listed.push_back(what);
      continue;
    }
    CompletedOption one;
    one.about = option->get_description();
    one.takes_value = option->get_expected_max() > 0;
    one.choices = choices;
    for (const auto& name : option->get_lnames()) one.names.push_back("--" + name);
    for (const auto& name : one.names) one.listed += listed_as(name);
    for (const auto& name : option->get_snames()) one.names.push_back("-" + name);
    out.options.push_back(std::move(one));
  }
  return out;
}

std::vector<CompletedCommand> all_commands(const CLI::App& app) {
  std::vector<CompletedCommand> out;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); })) {
    out.push_back(described(*command));
  }
  return out;
}

}  // namespace

void add_completion(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("completion", "Print a shell completion script for this program");
  give_examples(command, {"holdfast completion bash > ~/.local/share/bash-completion/completions/holdfast"});
  auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "Which shell")->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->callback([shell, &app] {
    if (shell->empty()) throw BadInput("which shell? remedy: holdfast completion bash, or zsh, or fish");
    const auto commands = all_commands(app);
    const std::string typed = program_as_typed() == "holdfast" ? "" : ShellCommand(program_as_typed()).text();
    const std::string text = *shell == "bash"  ? bash_completion(commands, typed)
                             : *shell == "zsh" ? zsh_completion(commands)
                                               : fish_completion(commands);
    print_file(text);
  });
}

}  // namespace holdfast
