// The hidden commands: `lab` makes the private world and runs `trial`, `explorer`, `lab-probe` or `nothing` in it;
// `trial` starts a `client` per client.
#include <memory>
#include <optional>
#include <string>

#include "artifact/error.hpp"
#include "cli/command.hpp"
#include "client/client.hpp"
#include "doctor/lab_probe.hpp"
#include "explore/explore_lab.hpp"
#include "lab/launch_lab.hpp"
#include "lab/namespaces.hpp"
#include "lab/process.hpp"
#include "runner/trial.hpp"
#include "servers/server_choice.hpp"

namespace holdfast {
namespace {

// The password of a target is in the environment.
std::optional<Target> target_of(const std::string& text) {
  if (text.empty()) return std::nullopt;
  return parse_target(text);
}

// As words_of(LabOrder) writes them.
std::shared_ptr<LabOrder> lab_flags(CLI::App& command) {
  auto flags = std::make_shared<LabOrder>();
  command.group("");  // hidden from help
  command.add_option("--folder", flags->folder)->required();
  command.add_option("--sabotage", flags->sabotage)->check(CLI::IsMember({"act", "heal", "fail", "undo_early"}));
  command.add_option("--target", flags->target);
  command.add_option("--server", flags->servers);
  return flags;
}

}  // namespace

void add_lab(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("lab", "");
  const auto flags = lab_flags(*command);
  command->add_option("--part", flags->part)->check(CLI::IsMember({"trial", "explorer", "lab-probe", "nothing"}));
  command->callback([flags] {
    std::vector<std::string> argv{own_program(), flags->part};
    const auto words = words_of(*flags);
    argv.insert(argv.end(), words.begin(), words.end());
    run_in_lab(flags->folder, argv, flags->target.empty());
  });
}

void add_trial(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("trial", "");
  const auto flags = lab_flags(*command);
  command->callback([flags] {
    for (const auto& server : flags->servers) choose_server(server);
    run_trial(flags->folder,
              {flags->sabotage == "act", flags->sabotage == "heal", flags->sabotage == "fail",
               flags->sabotage == "undo_early"},
              target_of(flags->target));
  });
}

// An empty lab: whether one can be made, and whether the servers that were chosen can be reached in it.
void add_nothing(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("nothing", "");
  const auto flags = lab_flags(*command);
  command->callback([flags] {
    for (const auto& server : flags->servers) choose_server(server);
  });
}

void add_explorer(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("explorer", "");
  const auto flags = lab_flags(*command);
  command->callback([flags] { run_explorer(flags->folder); });
}

void add_lab_probe(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("lab-probe", "");
  const auto flags = lab_flags(*command);
  command->callback([flags] { run_lab_probe(flags->folder); });
}

void add_client(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("client", "");
  command->group("");
  auto options = std::make_shared<ClientOptions>();
  command->add_option("--folder", options->folder)->required();
  command->add_option("--client", options->client)->required();
  command->add_option("--seed", options->seed)->required();
  command->add_option("--page", options->page_descriptor)->required();
  command->add_option("--lock-host", options->lock_host)->required();
  command->add_option("--replica-host", options->replica_host);
  command->add_option("--resource-host", options->resource_host)->required();
  command->add_option("--address", options->own_address)->required();
  command->add_option("--resource-socket", options->resource_socket);
  auto target = std::make_shared<std::string>();
  command->add_option("--target", *target);
  command->callback([options, target] {
    options->target = target_of(*target);
    run_client(*options);
  });
}

}  // namespace holdfast
