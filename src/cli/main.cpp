// holdfast: does a distributed lock hold? Parses the command line; every command is a file beside this one.
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>
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
#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/terminal.hpp"
#include "cli/usage_errors.hpp"
#include "servers/target.hpp"

namespace {

// Whatever failed then failed for that.
bool lost_its_folder() {
  std::error_code error;
  const auto place = std::filesystem::current_path(error);
  return place.empty() && error == std::errc::no_such_file_or_directory;
}

int complain(const std::string& why, int exit_code) {
  if (lost_its_folder()) {
    holdfast::tell_error("the working directory was removed; remedy: cd to a folder that is there (" + why + ")");
    return holdfast::kExitUsage;
  }
  holdfast::tell_error(why);
  return exit_code;
}

// A suite has more files open than some shells allow at first (64), though they allow more when asked. And a file that
// grows beyond its limit is to be an error of the write, not the end of the process.
void ease_limits() {
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  const rlim_t wanted = std::min<rlim_t>(files.rlim_max, 4096);
  if (files.rlim_cur >= wanted) return;
  files.rlim_cur = wanted;
  ::setrlimit(RLIMIT_NOFILE, &files);
}

// An answer that did not reach its file is no answer. A reader that has gone (`| head -1`) has all that it wanted.
int printed(int exit_code) {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit_code;
  const std::string why = errno != 0 ? std::string(": ") + std::strerror(errno) : "";  // of an earlier part: lost
  pollfd reader{STDOUT_FILENO, POLLOUT, 0};
  if (::poll(&reader, 1, 0) == 1 && (reader.revents & POLLERR) != 0) return exit_code;
  holdfast::tell("holdfast: standard output cannot be written{}\n", why);
  return holdfast::kExitHarness;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace holdfast;
  ease_limits();
  CLI::App app{
      "holdfast: does a distributed lock hold? Runs locks for real, breaks the world around them, judges the record."};
  app.set_version_flag("--version", "holdfast " HOLDFAST_VERSION);
  app.require_subcommand(1);
  app.failure_message(failure_text);
  app.footer(
      "Exit codes: 0 as expected, 1 not as expected, 2 usage, 3 undecided, not exercised,\n"
      "nothing judged or not run, 4 cannot run here, 5 harness error, 130 interrupted.");
  int exit_code = 0;
  for (const auto add :
       {add_run,      add_compare,   add_explore,     add_replay,       add_check,   add_report,
        add_table,    add_list,      add_locks,       add_plan,         add_schema,  add_completion,
        add_clean,    add_doctor,    add_adapter,     add_lab,          add_trial,   add_client,
        add_explorer, add_lab_probe, add_adapter_lab, add_adapter_talk, add_nothing, add_remove_when_over,
        add_man_page})
    add(app, exit_code);
  try {
    hide_target_password(argc, argv);
    help_as_flag(argc, argv);
    check_command(app, argc, argv);
    try {
      app.parse(argc, argv);
    } catch (const CLI::ExtrasError&) {
      explain_extras(app);
    }
    return printed(exit_code);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);  // prints help, version or what is wrong
    return printed(code == 0 ? 0 : kExitUsage);
  } catch (const BadInput& error) {
    return complain(error.what(), kExitUsage);
  } catch (const Unavailable& error) {
    return complain(error.what(), kExitUnavailable);
  } catch (const std::exception& error) {
    return complain(text_of(error), kExitHarness);
  }
}
