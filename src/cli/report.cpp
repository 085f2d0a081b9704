// `holdfast report`: writes the page of an earlier run again, from its stored verdicts.
#include <cstdio>
#include <memory>

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/stored.hpp"

namespace holdfast {
namespace {

RunVerdict stored_run(const std::string& folder) {
  return read_stored(folder + "/verdict.json", run_verdict_from_json);
}

}  // namespace

void add_report(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("report", "Write the report of an earlier run again");
  auto folder = std::make_shared<std::string>("runs/latest");
  auto json = std::make_shared<bool>(false);
  command->add_option("folder", *folder, "The run's folder")->capture_default_str();
  command->add_flag("--json", *json, "Print the verdict as JSON");
  command->callback([folder, json, &exit_code] {
    const RunVerdict run = stored_run(*folder);
    write_report(run, *folder);
    print_result(run, *folder, *json, wants_colour("auto"));
    exit_code = run.exit_code;
  });
}

}  // namespace holdfast
