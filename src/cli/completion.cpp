// `holdfast completion bash|zsh|fish`: what makes a shell complete commands, options and their values. Written from the
// program's own options, so it cannot fall behind them; where a value is no word of a list, file names are offered.
//
//   source <(holdfast completion bash)
//   holdfast completion zsh > ~/.zfunc/_holdfast
//   holdfast completion fish > ~/.config/fish/completions/holdfast.fish
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>

#include "artifact/error.hpp"
#include "cli/command.hpp"
#include "cli/completion_scripts.hpp"
#include "cli/output.hpp"
#include "cli/terminal.hpp"

namespace holdfast {
namespace {

// "TEXT:{auto,always,never}" -> auto, always, never: how the parser names an option whose values are a list.
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

CompletedCommand described(const CLI::App& command) {
  CompletedCommand out{command.get_name(), command.get_description(), {}, {}};
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) continue;  // hidden
    const auto choices = choices_of(option->get_type_name());
    if (option->get_positional()) {
      out.words.insert(out.words.end(), choices.begin(), choices.end());
      continue;
    }
    CompletedOption one;
    one.about = option->get_description();
    one.takes_value = option->get_expected_max() > 0;
    one.choices = choices;
    for (const auto& name : option->get_lnames()) one.names.push_back("--" + name);
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
  CLI::App* command = app.add_subcommand("completion", "Print what makes a shell complete this program's commands");
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
