#include "cli/server_flags.hpp"

#include <cstdio>

#include "artifact/error.hpp"
#include "cli/find_suite.hpp"
#include "cli/output.hpp"
#include "cli/terminal.hpp"
#include "lock/adapter_locks.hpp"
#include "servers/server_choice.hpp"
#include "servers/target.hpp"
#include "servers/target_names.hpp"

namespace holdfast {

void add_adapter_flags(CLI::App* command, ServerFlags& flags) {
  command->add_option("--adapter", flags.adapters,
                      "A lock in another language: its lock.json (docs/adapters.md); may be repeated");
  command->add_option("--adapter-command", flags.adapter_commands,
                      "NAME=COMMAND, or NAME@SERVER=COMMAND: such a lock without a lock.json, for a first try");
}

void add_server_flags(CLI::App* command, ServerFlags& flags) {
  command->add_option("--server", flags.servers,
                      "A program in place of the installed server: " + server_choices() + "; may be repeated");
  command->add_option("--target", flags.target,
                      "A server of your own in place of the lab's: " + target_forms() +
                          "; with ?tls=required&ca=FILE for TLS; the password is in HOLDFAST_TARGET_PASSWORD");
  add_adapter_flags(command, flags);
  command->add_option("--target-run", flags.target_run, "")->group("");  // a run's name, for tests
}

void check_servers(const ServerFlags& flags) {
  for (const auto& server : flags.servers) choose_server(server);  // tells what is wrong
}

void add_named_adapters(const ServerFlags& flags) {
  add_adapters({flags.adapters, flags.adapter_commands});
  if (const std::string shipped = shipped_folder("adapters"); !shipped.empty()) add_adapters_in(shipped);
}

std::unique_ptr<Sandbox> open_place(const ServerFlags& flags) {
  if (flags.target.empty()) return nullptr;
  const Target target = parse_target(flags.target);
  if (!target.prefix.empty()) throw BadInput("--target: nothing may follow the database");
  if (!flags.target_run.empty() && !is_run_name(flags.target_run)) throw BadInput("--target-run: is no run's name");
  auto place = open_sandbox(target, flags.target_run.empty() ? new_run_name() : flags.target_run);
  const Sweep found = swept(*place);
  for (const auto& line : found.done) tell("holdfast: {}: {}\n", target.place(), line);
  if (!found.foreign.empty()) tell("holdfast: {}: {}\n", target.place(), told(found.foreign));
  return place;
}

void close_place(Sandbox* place, std::string& server) {
  if (place == nullptr) return;
  for (const auto& left : place->close()) tell("holdfast: {}\n", left);
  if (!server.empty()) server += " at " + place->target().place();
}

ShellCommand server_words(const ServerFlags& flags) {
  ShellCommand out;
  for (const auto& server : flags.servers) out.flag("--server", server);
  for (const auto& adapter : flags.adapters) out.flag("--adapter", adapter);
  for (const auto& command : flags.adapter_commands) out.flag("--adapter-command", command);
  if (!flags.target.empty()) out.flag("--target", parse_target(flags.target).text());
  return out;
}

}  // namespace holdfast
