#include "cli/usage_errors.hpp"

#include <cstring>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "reports/shown.hpp"

namespace holdfast {
namespace {

std::vector<std::string> visible_flags(const CLI::App& command) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) continue;  // hidden
    for (const auto& name : option->get_lnames()) flags.push_back("--" + name);
  }
  return flags;
}

}  // namespace

void help_as_flag(int argc, char** argv) {
  static char flag[] = "--help";
  if (argc < 2 || std::strcmp(argv[1], "help") != 0) return;
  const bool of_command = argc > 2 && std::strcmp(argv[2], "help") != 0;
  if (of_command) argv[1] = argv[2];
  argv[of_command ? 2 : 1] = flag;
}

void check_command(const CLI::App& app, int argc, char** argv) {
  const std::string word = argc < 2 ? "" : argv[1];
  if (word.empty()) throw BadInput("which command? remedy: holdfast --help tells of all");
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == word) return;
    if (!command->get_group().empty()) commands.push_back(command->get_name());
  }
  if (word[0] != '-') throw BadInput(unknown_word("subcommand", word, commands));
  if (app.get_option_no_throw(word) == nullptr) throw BadInput(unknown_word("flag", word, visible_flags(app)));
}

std::string failure_text(const CLI::App* app, const CLI::Error& error) {
  std::string command;
  for (const CLI::App* chosen : app->get_subcommands()) command = chosen->get_name() + " ";
  return shown("holdfast: {}; remedy: holdfast {}--help\n", error.what(), command).text();
}

void explain_extras(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  const CLI::App& command = chosen.empty() ? app : *chosen.front();
  const auto extras = app.remaining(true);
  const std::string word = extras.empty() ? "" : extras.front();
  if (word.empty() || word[0] != '-') throw BadInput("unexpected argument '" + word + "'");
  throw BadInput(unknown_word("flag", word.substr(0, word.find('=')), visible_flags(command)));
}

}  // namespace holdfast
