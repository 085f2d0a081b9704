#include "suite/check_moment.hpp"

#include <algorithm>

#include "control/phase.hpp"
#include "lock/lock.hpp"
#include "nemesis/fault.hpp"

namespace holdfast {
namespace {

constexpr const char* kAnybody = "; remedy: no target, which strikes whoever comes there";

// In which operation the point is, if that is known: a phase says it by itself.
std::string operation_of(const Moment& moment) {
  const auto phase = phase_from_text(moment.phase);
  return phase ? operation_of(*phase) : moment.of;
}

void check_phase(const LockType& type, const std::string& lock, const Moment& moment, const JsonNode& node) {
  const JsonNode* place = node.find("phase");
  if (!phase_from_text(moment.phase)) place->refuse(unknown_word("phase", moment.phase, phase_names()));
  if (moment.phase == "before_renew" && !type.renews && !type.renews_in_background) {
    place->refuse(lock + " does not renew");
  }
  if (moment.of.empty() || operation_of(moment) == moment.of) return;
  const std::string is_in = operation_of(moment).empty() ? "in no operation of the lock" : "of " + operation_of(moment);
  node.find("of")->refuse("phase " + moment.phase + " is " + is_in + "; remedy: without `of`");
}

void check_operation(const LockType& type, const std::string& lock, const Moment& moment, const JsonNode& node) {
  if (moment.of == "renew" && !type.renews && !type.renews_in_background) {
    node.find("of")->refuse(lock + " does not renew; remedy: acquire" + (type.releases ? " or release" : ""));
  }
  if (moment.of == "release" && !type.releases) {
    node.find("of")->refuse(lock + " does not release; remedy: acquire" + (type.renews ? " or renew" : ""));
  }
}

void check_statement(const std::string& lock, const Moment& moment, const JsonNode& node) {
  const std::vector<std::string> names = statement_names(lock);
  const bool known = std::find(names.begin(), names.end(), moment.statement) != names.end();
  if (known && moment.statement != "schema") return;
  node.find("statement")->refuse(unknown_word("statement of " + lock, moment.statement, names));
}

// Who holds a key acquires none, but for one that it holds already, and where a job wants several.
bool holders_acquire(const Load& load, const Moment& moment) {
  return load.keys_at_once > 1 || (load.reenter && moment.phase.empty());
}

}  // namespace

void check_client(const Load& load, std::uint64_t client, const JsonNode& place) {
  const auto clients = static_cast<std::uint64_t>(load.clients);
  if (client >= clients) place.refuse("there are clients 0 to " + std::to_string(clients - 1));
}

void check_moment(const Load& load, const std::string& lock, const Moment& moment, const JsonNode& node) {
  const LockType& type = *find_entry(locks(), lock);
  if (!moment.phase.empty()) check_phase(type, lock, moment, node);
  check_operation(type, lock, moment, node);
  if (moment.time_ms.value_or(0) > load.duration_ms) {
    node.find("time_ms")->refuse("is after the end of the load, duration_ms " + std::to_string(load.duration_ms));
  }
  if (moment.client) check_client(load, static_cast<std::uint64_t>(*moment.client), node);
  if (!moment.statement.empty()) check_statement(lock, moment, node);
}

// Only the passings of clients that are the target at that instant count.
void check_moment_of_target(const Load& load, const FaultSpec& fault) {
  if (fault.at.time_ms || strikes_servers(fault)) return;
  const std::string operation = operation_of(fault.at);
  const std::string where = fault.at.phase.empty() ? "a statement of its " + operation : fault.at.phase;
  const bool inside = fault.at.phase == "critical_section" || operation == "renew" || operation == "release" ||
                      fault.at.phase == "granted";
  if (fault.target == "waiter" && inside) {
    fault.settings.find("target")->refuse("no waiter comes to " + where + kAnybody);
  }
  if (fault.target == "holder" && operation == "acquire" && fault.at.phase != "granted" &&
      !holders_acquire(load, fault.at)) {
    fault.settings.find("target")->refuse("no holder comes to " + where + kAnybody);
  }
}

}  // namespace holdfast
