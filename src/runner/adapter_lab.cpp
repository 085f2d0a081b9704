#include "runner/adapter_lab.hpp"

#include <cstdlib>
#include <exception>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "adapter/adapter_check.hpp"
#include "adapter/manifest.hpp"
#include "artifact/error.hpp"
#include "artifact/input_file.hpp"
#include "artifact/json_reader.hpp"
#include "artifact/monotonic.hpp"
#include "artifact/run_directory.hpp"
#include "lab/launch_lab.hpp"
#include "lab/network.hpp"
#include "lab/process.hpp"
#include "lock/added_locks.hpp"
#include "servers/server_type.hpp"

namespace holdfast {
namespace {

constexpr const char* kFound = "found.json";      // results so far, and the current rule
constexpr const char* kReason = "reason";         // why the conversation could not take place
constexpr const char* kTries = "HOLDFAST_TRIES";  // the command that tries the lock, as a user types it
constexpr std::int64_t kLimit_ms = 900'000;
// four times 30 s on a fully loaded machine, repeated once if it was starved
constexpr std::int64_t kRuleLimit_ms = 200'000;
constexpr std::int64_t kStopped_ms = 10'000;  // no rule calls an adapter that it has stopped
constexpr int kTalkLook_ms = 250;
constexpr int kStoppedLooks = 12;          // consecutive ones after which the process counts as stopped permanently
constexpr std::int64_t kLease_ms = 1'500;  // one rule waits for its end
constexpr std::size_t kConnections = 200;

constexpr EnumWords<Found> kFoundWords({"ok", "wrong", "skipped", "undecided"});

// Results so far.
struct TriedRules {
  std::string tries;  // the current rule
  std::vector<TriedRule> rules;

  bool operator==(const TriedRules&) const = default;
  static const JsonForm<TriedRules>& form();
};

const JsonForm<TriedRules>& TriedRules::form() {
  static const JsonForm<TriedRules> kForm{
      "tried", "", {field("tries", &TriedRules::tries), field("rules", &TriedRules::rules)}};
  return kForm;
}

// A running check may rewrite the file at any time.
TriedRules found_so_far(const std::string& folder) {
  try {
    const InputFile file = InputFile::in(folder, kFound);
    if (!file.is_there()) return {};
    return read_json_text(read_text_file(file), file.path(), from_json<TriedRules>);
  } catch (const BadInput& broken) {
    throw HarnessError(std::string(broken.what()) + "; a program of the lab created it");
  }
}

bool has_reason(const TriedRule& rule) {
  return rule.found == Found::skipped || rule.found == Found::undecided;
}

TriedRule tried_rule(const RuleResult& one) {
  const RuleFinding& finding = one.finding;
  return {one.rule, finding.found, one.text(), finding.found == Found::skipped ? finding.what : finding.excuse};
}

// Ends a check without progress: a program of the lab may have stopped the processes that would end it.
class RuleLimit {
 public:
  explicit RuleLimit(std::int64_t limit_ms) : limit_ns_(limit_ms * 1'000'000) {}

  void look(const TriedRules& found) {
    const std::int64_t now_ns = monotonic_ns();
    if (found != last_) {
      last_ = found;
      since_ns_ = now_ns;
    }
    if (now_ns - since_ns_ <= limit_ns_) return;
    const std::string& rule = found.tries;
    throw HarnessError("nothing happened for " + std::to_string(limit_ns_ / 1'000'000'000) + " s " +
                       (rule.empty() ? "before the first rule" : "at the rule " + rule) +
                       "; remedy: make the adapter stop only its own processes");
  }

 private:
  std::int64_t limit_ns_;
  std::int64_t since_ns_ = monotonic_ns();
  TriedRules last_;
};

// Exit code of the process that talks to the adapter. An adapter runs as the same user and can stop it.
int code_of_talk(Process& talk) {
  for (int stopped = 0; stopped < kStoppedLooks;) {
    if (const auto code = talk.wait(kTalkLook_ms)) return *code;
    stopped = talk.state() == 'T' ? stopped + 1 : 0;
  }
  throw HarnessError(
      "the process that checks the adapter was stopped (SIGSTOP) by a program of the lab, and stayed so for 3 s; "
      "remedy: make the adapter stop only its own processes");
}

AdapterStart start_of(const LockType& lock, const std::string& folder, const std::string& host, std::uint32_t client) {
  const Manifest& manifest = *lock.manifest;
  const ServerType& type = server_type(lock.server);
  AdapterStart out;
  out.command = {found_command(manifest), adapter_environment(manifest),
                 folder + "/adapter-" + std::to_string(client) + ".log", manifest.folder, manifest.install};
  out.hello.client = client;
  out.hello.owner = "client-" + std::to_string(client);
  out.hello.servers = {
      {lock.server, "lock", host, static_cast<std::int64_t>(type.login.port), type.login.user, type.login.database}};
  out.hello.lease_ms = manifest.whole_seconds ? 2'000 : kLease_ms;
  out.hello.seed = client;
  out.hello.options = manifest.options;
  out.limits.start_ms = manifest.start_ms;
  out.limits.stopped_ms = kStopped_ms;
  return out;
}

}  // namespace

const char* to_text(Found found) {
  return kFoundWords[found];
}

bool from_text(const std::string& word, Found& out) {
  return kFoundWords.read(word, out);
}

const JsonForm<TriedRule>& TriedRule::form() {
  using Of = TriedRule;
  static const JsonForm<Of> kForm{"rule",
                                  "",
                                  {field("rule", &Of::rule), field("found", &Of::found), field("text", &Of::text),
                                   only_if(has_reason, field("why", &Of::why))}};
  return kForm;
}

AdapterLabEnd check_adapter_in_lab(const std::string& folder, const std::string& lock,
                                   const std::atomic<bool>& interrupted, const AdapterLabWatch& watched) {
  LabOrder order{folder};
  order.part = "adapter-lab";
  order.adapter = added_lock_words(lock);
  order.environment = adapter_variables(lock);
  order.environment[kTries] = watched.try_command;
  AdapterLabEnd out;
  RuleLimit limit(kRuleLimit_ms);
  LabWatch watch;
  watch.interrupted = &interrupted;
  watch.limit_ms = kLimit_ms;
  watch.look = [&] {
    const TriedRules all = found_so_far(folder);
    for (; out.rules < static_cast<int>(all.rules.size()); ++out.rules) {
      const TriedRule& rule = all.rules[static_cast<std::size_t>(out.rules)];
      out.wrong += rule.found == Found::wrong ? 1 : 0;
      out.undecided += rule.found == Found::undecided ? 1 : 0;
      watched.told(rule);
    }
    if (watched.tries) watched.tries(all.tries);
    limit.look(all);
  };
  const LabEnd end = launch_lab(order, watch);
  out.exit_code = end.exit_code;
  out.error = end.late ? "the check took longer than " + std::to_string(kLimit_ms / 1000) +
                             " s, and had reached the rule " + found_so_far(folder).tries
                       : end.last_words;
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
  RunDirectory(folder).remove(kReason);
  auto server = type.start({folder, networks, kConnections, nullptr, {}, -1, {networks}});
  for (TrialServer* process : server->processes()) process->start();
  network.up();
  server->prepare({});
  Spawn spawn;
  spawn.argv = {own_program(), "adapter-talk", "--folder", folder, "--lock", lock, "--lock-host", kLockAddress};
  for (const TrialServer* process : server->processes()) {
    spawn.argv.insert(spawn.argv.end(), {"--server-pid", std::to_string(process->process_number())});
  }
  const auto words = added_lock_words(lock);
  spawn.argv.insert(spawn.argv.end(), words.begin(), words.end());
  spawn.network = network.node(client).descriptor;
  Process talk = spawn_process(spawn);
  const int code = code_of_talk(talk);
  for (TrialServer* process : server->processes()) process->stop();
  if (code == 0) return;
  const InputFile said = InputFile::in(folder, kReason);
  const std::string reason = said.is_there() ? read_text_file(said) : "";
  if (code == kExitUnavailable && !reason.empty()) throw Unavailable(reason);
  throw HarnessError(reason.empty() ? "the check ended with code " + std::to_string(code) : reason);
}

void run_adapter_talk(const AdapterTalkOrder& order) {
  const LockType& type = lock_type(order.lock);
  take_adapter_variables(order.lock);
  const auto start = [&](std::uint32_t client) { return start_of(type, order.folder, order.lock_host, client); };
  TriedRules found;
  const auto write_found = [&] { RunDirectory(order.folder).write(kFound, text_of_json(to_json(found), 1) + "\n"); };
  AdapterCheckOptions options;
  options.servers = order.server_pids;
  if (const char* tries = std::getenv(kTries); tries != nullptr) options.tries = tries;
  options.begins = [&](const std::string& rule) {
    found.tries = rule;
    write_found();
  };
  options.told = [&](const RuleResult& one) {
    found.rules.push_back(tried_rule(one));
    write_found();
  };
  try {
    check_adapter(*type.manifest, start, options);
  } catch (const std::exception& why) {
    RunDirectory(order.folder).write(kReason, text_of(why));
    throw;
  }
}

}  // namespace holdfast
