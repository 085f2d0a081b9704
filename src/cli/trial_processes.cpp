// Hidden commands: `lab` creates the isolated environment and runs `trial`, `explorer`, `lab-probe`, `adapter-lab` or
// `nothing` in it, through a `timekeeper` if time is skipped; `trial` starts a `client` per client, and a `disk` for a
// server that can lose power.
#include <memory>
#include <optional>
#include <string>

#include "artifact/error.hpp"
#include "cli/command.hpp"
#include "client/client.hpp"
#include "disk/disk_service.hpp"
#include "doctor/lab_probe.hpp"
#include "doctor/time_probe.hpp"
#include "explore/explore_lab.hpp"
#include "hosts/remote_programs.hpp"
#include "lab/launch_lab.hpp"
#include "lab/namespaces.hpp"
#include "lab/process.hpp"
#include "lock/added_locks.hpp"
#include "request_explore/request_explorer.hpp"
#include "runner/adapter_lab.hpp"
#include "runner/trial.hpp"
#include "servers/server_choice.hpp"
#include "virtual_time/keep_time.hpp"

namespace holdfast {
namespace {

// The password of a target is in the environment.
std::optional<Target> target_of(const std::string& text) {
  if (text.empty()) return std::nullopt;
  return parse_target(text);
}

// Adapters and files of statements, as added_lock_words() writes them.
void add_adapter_options(CLI::App& command, std::vector<std::string>& words) {
  for (const char* flag : {"--adapter", "--adapter-command", "--lock-file"}) {
    command.add_option_function<std::vector<std::string>>(flag, [&words, flag](const std::vector<std::string>& texts) {
      for (const auto& text : texts) words.insert(words.end(), {flag, text});
    });
  }
}

void add_adapter_of(const std::vector<std::string>& words) {
  LocksToAdd order;
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    auto& list = words[i] == "--adapter"     ? order.manifests
                 : words[i] == "--lock-file" ? order.lock_files
                                             : order.commands;
    list.push_back(words[i + 1]);
  }
  add_locks(order);
}

// Parses the words written by words_of(LabOrder).
std::shared_ptr<LabOrder> lab_flags(CLI::App& command) {
  auto flags = std::make_shared<LabOrder>();
  command.group("");  // hidden from help
  command.add_option("--folder", flags->folder)->required();
  command.add_option_function<std::string>("--time",
                                           [flags](const std::string& word) { from_text(word, flags->time); });
  command.add_option("--sabotage", flags->sabotage)
      ->check(CLI::IsMember({"act", "heal", "fail", "undo_early", "time"}));
  command.add_option("--target", flags->target);
  command.add_option("--server", flags->servers);
  command.add_option("--host", flags->hosts);
  add_adapter_options(command, flags->adapter);
  return flags;
}

}  // namespace

void add_lab(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("lab", "");
  const auto flags = lab_flags(*command);
  command->add_option("--part", flags->part)
      ->check(CLI::IsMember(
          {"trial", "explorer", "request-explorer", "lab-probe", "time-probe", "adapter-lab", "nothing"}));
  command->callback([flags] {
    std::vector<std::string> argv{own_program(), flags->part};
    if (flags->time == TimeMode::skipped) {
      argv.insert(argv.begin(),
                  {own_program(), "timekeeper", "--folder", flags->folder, "--sabotage", flags->sabotage, "--"});
    }
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
    add_adapter_of(flags->adapter);
    run_trial({flags->folder,
               flags->time,
               {flags->sabotage == "act", flags->sabotage == "heal", flags->sabotage == "fail",
                flags->sabotage == "undo_early"},
               target_of(flags->target),
               flags->hosts});
  });
}

// Runs between the lab's first process and the trial if time is skipped.
void add_timekeeper(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("timekeeper", "");
  command->group("");
  struct Flags {
    std::string folder;
    std::string sabotage;
    std::vector<std::string> words;
  };
  auto flags = std::make_shared<Flags>();
  command->add_option("--folder", flags->folder)->required();
  command->add_option("--sabotage", flags->sabotage);
  command->add_option("words", flags->words)->required();
  command->callback(
      [flags, &exit_code] { exit_code = run_in_virtual_time(flags->folder, flags->words, flags->sabotage == "time"); });
}

// An empty lab: tests whether a lab can be created, and whether the chosen servers and adapter are reachable in it.
void add_nothing(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("nothing", "");
  const auto flags = lab_flags(*command);
  command->callback([flags] {
    for (const auto& server : flags->servers) choose_server(server);
    add_adapter_of(flags->adapter);
  });
}

void add_explorer(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("explorer", "");
  const auto flags = lab_flags(*command);
  command->callback([flags] {
    add_adapter_of(flags->adapter);
    run_explorer(flags->folder);
  });
}

void add_request_explorer(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("request-explorer", "");
  const auto flags = lab_flags(*command);
  command->callback([flags] {
    add_adapter_of(flags->adapter);
    take_adapter_variables(locks().back().name);
    run_request_explorer(flags->folder);
  });
}

void add_lab_probe(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("lab-probe", "");
  const auto flags = lab_flags(*command);
  command->callback([flags] { run_lab_probe(flags->folder); });
}

void add_time_probe(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("time-probe", "");
  const auto flags = lab_flags(*command);
  command->callback([] { run_time_probe(); });
}

void add_adapter_lab(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("adapter-lab", "");
  const auto flags = lab_flags(*command);
  command->callback([flags] {
    add_adapter_of(flags->adapter);
    run_adapter_lab(flags->folder, locks().back().name);
  });
}

void add_adapter_talk(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("adapter-talk", "");
  command->group("");
  struct Flags {
    AdapterTalkOrder order;
    std::vector<std::string> adapter;
  };
  auto flags = std::make_shared<Flags>();
  command->add_option("--folder", flags->order.folder)->required();
  command->add_option("--lock", flags->order.lock)->required();
  command->add_option("--lock-host", flags->order.lock_host)->required();
  command->add_option("--server-pid", flags->order.server_pids);
  add_adapter_options(*command, flags->adapter);
  command->callback([flags] {
    add_adapter_of(flags->adapter);
    run_adapter_talk(flags->order);
  });
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
  command->add_option("--server-host", options->server_hosts);
  command->add_option("--replica-host", options->replica_host);
  command->add_option("--resource-host", options->resource_host)->required();
  command->add_option("--address", options->own_address)->required();
  command->add_option("--resource-socket", options->resource_socket);
  command->add_flag("--wall-is-asked", options->wall_is_asked);
  command->add_option("--through", options->through);
  command->add_option("--host-there", options->host_there);
  command->add_option("--port-there", options->port_there);
  auto target = std::make_shared<std::string>();
  command->add_option("--target", *target);
  auto adapter = std::make_shared<std::vector<std::string>>();
  add_adapter_options(*command, *adapter);
  command->callback([options, target, adapter] {
    add_adapter_of(*adapter);
    options->target = target_of(*target);
    run_client(*options);
  });
}

void add_remote_pipe(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("remote-pipe", "");
  command->group("");
  struct Flags {
    std::string folder;
    std::uint32_t client = 0;
    std::uint32_t node = 0;
  };
  auto flags = std::make_shared<Flags>();
  command->add_option("--folder", flags->folder)->required();
  command->add_option("--client", flags->client)->required();
  command->add_option("--node", flags->node)->required();
  command->callback([flags, &exit_code] { exit_code = run_remote_pipe(flags->folder, flags->client, flags->node); });
}

void add_disk(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("disk", "");
  command->group("");
  struct Flags {
    int device = -1;
    int orders = -1;
  };
  auto flags = std::make_shared<Flags>();
  command->add_option("--device", flags->device)->required();
  command->add_option("--orders", flags->orders)->required();
  command->callback([flags] { run_disk(flags->device, flags->orders); });
}

}  // namespace holdfast
