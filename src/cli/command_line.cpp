// Parses the command line; every command is a file beside this one.
#include "cli/command_line.hpp"

#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <string>
#include <system_error>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "cli/command.hpp"
#include "cli/help_text.hpp"
#include "cli/last_resort.hpp"
#include "cli/output.hpp"
#include "cli/terminal.hpp"
#include "cli/usage_words.hpp"
#include "reports/terminal_text.hpp"
#include "servers/target.hpp"
#include "suite/stored_result.hpp"

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

// Converts `help` and `help run` to `--help` and `run --help`.
void help_as_flag(int argc, char** argv) {
  static char flag[] = "--help";
  if (argc < 2 || std::strcmp(argv[1], "help") != 0) return;
  const bool of_command = argc > 2 && std::strcmp(argv[2], "help") != 0;
  if (of_command) argv[1] = argv[2];
  argv[of_command ? 2 : 1] = flag;
}

// Runs before parsing: throws BadInput, with the nearest command, if the first word is missing or is neither a command
// nor a flag.
void check_command(const CLI::App& app, int argc, char** argv) {
  const std::string word = argc < 2 ? "" : argv[1];
  if (word.empty()) throw BadInput("no command given; remedy: holdfast --help lists the commands");
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == word) return;
    if (!command->get_group().empty()) commands.push_back(command->get_name());
  }
  if (word[0] != '-') throw BadInput(unknown_word("subcommand", word, commands));
  if (app.get_option_no_throw(word) == nullptr) throw BadInput(unknown_word("flag", word, visible_flags(app)));
}

// Runs before parsing: refuses empty words, which a script passes for an empty variable.
void refuse_empty_words(const CLI::App& app, int argc, char** argv) {
  const bool is_ours = argc < 3 || argv[1][0] == '-' || app.get_subcommand(argv[1])->get_group().empty();
  for (int i = 2; i < argc && !is_ours; ++i) {
    const std::string word = argv[i];
    const std::string before = argv[i - 1];
    std::string name;
    if (word.rfind("--", 0) == 0 && word.find('=') == word.size() - 1) name = word.substr(0, word.size() - 1);
    if (word.empty()) name = before.rfind("--", 0) == 0 ? before : "argument " + std::to_string(i);
    if (!name.empty()) throw BadInput(name + ": the value is empty; remedy: give a value, or leave the option out");
  }
}

// Rewords the parser's error: "holdfast: --jobs: ...; remedy: holdfast run --help".
std::string failure_text(const CLI::App* app, const CLI::Error& error) {
  std::string command;
  for (const CLI::App* chosen : app->get_subcommands()) command = chosen->get_name() + " ";
  return terminal_text("holdfast: {}; remedy: holdfast {}--help\n", usage_words(error.what()), command).text();
}

// Runs after parsing: throws BadInput for the first word that no flag or command accepts, with the nearest flag.
[[noreturn]] void explain_extras(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  const CLI::App& command = chosen.empty() ? app : *chosen.front();
  const auto extras = app.remaining(true);
  const std::string word = extras.empty() ? "" : extras.front();
  if (word.empty() || word[0] != '-') throw BadInput("unexpected argument '" + word + "'");
  throw BadInput(unknown_word("flag", word.substr(0, word.find('=')), visible_flags(command)));
}

// If true, this is the reason for any failure.
bool lost_its_folder() {
  std::error_code error;
  const auto place = std::filesystem::current_path(error);
  return place.empty() && error == std::errc::no_such_file_or_directory;
}

// Prints the error. After an interrupt the exit code is the interrupt's.
int complain(const std::string& why, int exit_code) {
  if (lost_its_folder()) {
    tell_error("the working directory was removed; remedy: cd to an existing folder (" + why + ")");
    return kExitUsage;
  }
  tell_error(why);
  return was_interrupted() ? kExitInterrupted : exit_code;
}

// The path came from the user: the program's own paths are never too long or in a loop of links.
bool names_no_place(const std::filesystem::filesystem_error& error) {
  return error.code() == std::errc::too_many_symbolic_link_levels || error.code() == std::errc::filename_too_long;
}

// A suite has more open files than the soft limit of some shells (64) allows; the limit is raised. A file that exceeds
// its size limit must be a write error, not end the process.
void ease_limits() {
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  const rlim_t wanted = std::min<rlim_t>(files.rlim_max, 4096);
  if (files.rlim_cur >= wanted) return;
  files.rlim_cur = wanted;
  ::setrlimit(RLIMIT_NOFILE, &files);
}

// Lost output is an error. A reader that closed the pipe (`| head -1`) has what it wanted.
int printed(int exit_code) {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit_code;
  // errno of an earlier write is unknown
  const std::string why = errno != 0 ? std::string(": ") + std::strerror(errno) : "";
  pollfd reader{STDOUT_FILENO, POLLOUT, 0};
  if (::poll(&reader, 1, 0) == 1 && (reader.revents & POLLERR) != 0) return exit_code;
  tell("holdfast: standard output cannot be written{}\n", why);
  return kExitHarness;
}

using AddCommand = void (*)(CLI::App&, int&);
// In the order of the help.
constexpr AddCommand kCommands[] = {add_run,
                                    add_try,
                                    add_compare,
                                    add_curve,
                                    add_explore,
                                    add_soak,
                                    add_replay,
                                    add_check,
                                    add_report,
                                    add_merge,
                                    add_table,
                                    add_list,
                                    add_locks,
                                    add_plan,
                                    add_schema,
                                    add_completion,
                                    add_clean,
                                    add_doctor,
                                    add_adapter,
                                    add_lab,
                                    add_trial,
                                    add_client,
                                    add_explorer,
                                    add_lab_probe,
                                    add_time_probe,
                                    add_adapter_lab,
                                    add_adapter_talk,
                                    add_nothing,
                                    add_remove_when_over,
                                    add_man_page,
                                    add_disk,
                                    add_libraries,
                                    add_remote_pipe,
                                    add_timekeeper,
                                    add_request_explorer};

// A separate function, because its large stack frame is needed only after the stack check.
[[gnu::noinline]] int parse_and_run(int argc, char** argv) {
  ease_limits();
  CLI::App app{
      "holdfast: tests whether a distributed lock holds. Runs locks on real servers, injects faults and judges the "
      "recorded history.",
      "holdfast"};  // not its path, which may be longer than a line
  app.set_version_flag("--version", "holdfast " HOLDFAST_VERSION);
  app.require_subcommand(1);
  app.failure_message(failure_text);
  app.formatter(help_formatter());
  give_examples(&app, {"holdfast doctor", "holdfast try fenced_lease", "holdfast run quick"});
  int exit_code = 0;
  for (const auto add : kCommands) add(app, exit_code);
  try {
    hide_target_password(argc, argv);
    help_as_flag(argc, argv);
    check_command(app, argc, argv);
    refuse_empty_words(app, argc, argv);
    try {
      app.parse(argc, argv);
    } catch (const CLI::ExtrasError&) {
      explain_extras(app);
    }
    return printed(exit_code);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);  // prints help, version or the error
    return printed(code == 0 ? 0 : kExitUsage);
  } catch (const BadInput& error) {
    take_back_run_folders();
    return complain(error.what(), kExitUsage);
  } catch (const Unavailable& error) {
    return complain(error.what(), kExitUnavailable);
  } catch (const std::filesystem::filesystem_error& error) {
    return complain(text_of(error), names_no_place(error) ? kExitUsage : kExitHarness);
  } catch (const std::exception& error) {
    return complain(text_of(error), kExitHarness);
  }
}

}  // namespace

int run_command_line(int argc, char** argv) {
  end_with_a_word();
  if (const auto why = small_stack()) return complain(*why, kExitUnavailable);
  return parse_and_run(argc, argv);
}

}  // namespace holdfast
