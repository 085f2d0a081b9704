// holdfast: does a distributed lock hold? Parses the command line; every command is a file beside this one.
#include <cstdio>
#include <exception>

#include "artifact/error.hpp"
#include "cli/command.hpp"

namespace {

int complain(const std::exception& error, int exit_code) {
  std::fprintf(stderr, "holdfast: %s\n", error.what());
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace holdfast;
  CLI::App app{
      "holdfast: does a distributed lock hold? Runs locks for real, breaks the world around them, judges the record."};
  app.set_version_flag("--version", "holdfast " HOLDFAST_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 as expected, 1 not as expected, 2 usage, 3 undecided or not exercised, 4 cannot run here,\n"
      "5 harness error, 130 interrupted.");
  int exit_code = 0;
  for (const auto add :
       {add_run, add_check, add_report, add_list, add_plan, add_schema, add_lab, add_trial, add_client})
    add(app, exit_code);
  try {
    app.parse(argc, argv);
    return exit_code;
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);  // prints help, version or what is wrong
    return code == 0 ? 0 : kExitUsage;
  } catch (const BadInput& error) {
    return complain(error, kExitUsage);
  } catch (const Unavailable& error) {
    return complain(error, kExitUnavailable);
  } catch (const std::exception& error) {
    return complain(error, kExitHarness);
  }
}
