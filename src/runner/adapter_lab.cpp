#include "runner/adapter_lab.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "adapter/adapter_check.hpp"
#include "adapter/manifest.hpp"
#include "artifact/error.hpp"
#include "artifact/json_reader.hpp"
#include "lab/launch_lab.hpp"
#include "lab/network.hpp"
#include "lab/process.hpp"
#include "lock/added_locks.hpp"
#include "servers/server_type.hpp"

namespace holdfast {
namespace {

constexpr const char* kFound = "/found.json";
constexpr const char* kMissing = "/missing";  // what of the adapter is
constexpr std::int64_t kLimit_ms = 300'000;
constexpr std::int64_t kLease_ms = 1'500;  // one rule waits for its end
constexpr std::size_t kConnections = 200;

const char* word_of(Found found) {
  if (found == Found::ok) return "ok";
  return found == Found::wrong ? "wrong" : "skipped";
}

// A rule that is being tried rewrites the file at any moment.
nlohmann::json found_so_far(const std::string& folder) {
  const std::string file = folder + kFound;
  if (!std::filesystem::exists(file)) return nlohmann::json::array();
  return parse_json(read_text_file(file), file);
}

AdapterStart start_of(const LockType& lock, const std::string& folder, const std::string& host, std::uint32_t client) {
  const Manifest& manifest = *lock.manifest;
  const ServerType& type = server_type(lock.server);
  AdapterStart out;
  out.command = {found_command(manifest), adapter_environment(manifest),
                 folder + "/adapter-" + std::to_string(client) + ".log", manifest.folder};
  out.hello.client = client;
  out.hello.owner = "client-" + std::to_string(client);
  out.hello.servers = {
      {lock.server, "lock", host, static_cast<std::int64_t>(type.login.port), type.login.user, type.login.database}};
  out.hello.lease_ms = manifest.whole_seconds ? 2'000 : kLease_ms;
  out.hello.seed = client;
  out.hello.options = manifest.options;
  out.limits.start_ms = manifest.start_ms;
  return out;
}

}  // namespace

AdapterLabEnd check_adapter_in_lab(const std::string& folder, const std::string& lock,
                                   const std::atomic<bool>& interrupted,
                                   const std::function<void(const nlohmann::json&)>& told) {
  LabOrder order{folder};
  order.part = "adapter-lab";
  order.adapter = added_lock_words(lock);
  order.environment = adapter_variables(lock);
  AdapterLabEnd out;
  LabWatch watch;
  watch.interrupted = &interrupted;
  watch.limit_ms = kLimit_ms;
  watch.look = [&] {
    const nlohmann::json all = found_so_far(folder);
    for (; out.rules < static_cast<int>(all.size()); ++out.rules) {
      const nlohmann::json& rule = all[static_cast<std::size_t>(out.rules)];
      out.wrong += rule.at("found") == "wrong" ? 1 : 0;
      told(rule);
    }
  };
  const LabEnd end = launch_lab(order, watch);
  out.exit_code = end.exit_code;
  out.error = end.late ? "the check took longer than " + std::to_string(kLimit_ms / 1000) + " s" : end.last_words;
  return out;
}

void run_adapter_lab(const std::string& folder, const std::string& lock) {
  const ServerType& type = server_type(lock_type(lock).server);
  if (const std::string why = type.missing(); !why.empty()) throw Unavailable(why);
  if (type.start == nullptr) throw Unavailable(std::string(type.title) + " cannot be started in a lab");
  Network network(folder + "/lab.log");
  const std::size_t db = network.add_node("db", {kLockAddress}, true);
  const std::size_t client = network.add_node("n0", {Network::client_address(0)});
  const int networks = network.node(db).descriptor;
  auto server = type.start({folder, networks, kConnections, nullptr, {}, -1, {networks}});
  for (TrialServer* process : server->processes()) process->start();
  network.up();
  server->prepare({});
  Spawn spawn;
  spawn.argv = {own_program(), "adapter-talk", "--folder", folder, "--lock", lock, "--lock-host", kLockAddress};
  const auto words = added_lock_words(lock);
  spawn.argv.insert(spawn.argv.end(), words.begin(), words.end());
  spawn.network = network.node(client).descriptor;
  Process talk = spawn_process(spawn);
  const int code = talk.wait(-1).value_or(kExitHarness);
  for (TrialServer* process : server->processes()) process->stop();
  const std::string missing = folder + kMissing;
  if (code == kExitUnavailable && std::filesystem::exists(missing)) throw Unavailable(read_text_file(missing));
  if (code != 0) throw HarnessError("the check ended with code " + std::to_string(code));
}

void run_adapter_talk(const std::string& folder, const std::string& lock, const std::string& lock_host) {
  const LockType& type = lock_type(lock);
  take_adapter_variables(lock);
  const Manifest& manifest = *type.manifest;
  const auto start = [&](std::uint32_t client) {
    try {
      return start_of(type, folder, lock_host, client);
    } catch (const Unavailable& missing) {
      write_text_file(folder + kMissing, missing.what());
      throw;
    }
  };
  auto all = nlohmann::json::array();
  check_adapter(manifest, start, [&](const RuleResult& one) {
    all.push_back({{"rule", one.rule}, {"found", word_of(one.finding.found)}, {"text", one.text()}});
    if (one.finding.found == Found::skipped) all.back()["why"] = one.finding.what;
    write_text_file(folder + kFound, all.dump(1) + "\n");
  });
}

}  // namespace holdfast
