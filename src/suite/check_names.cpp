#include "suite/check_names.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <string>

#include "artifact/capacity.hpp"
#include "artifact/error.hpp"
#include "artifact/placed_statement.hpp"
#include "artifact/property_words.hpp"
#include "artifact/scenario.hpp"
#include "control/phase.hpp"
#include "lock/lock.hpp"
#include "nemesis/fault.hpp"
#include "servers/server_type.hpp"

namespace holdfast {
namespace {

// "a,,b" has three parts, "" one.
std::vector<std::string> parts_of(const std::string& list) {
  std::vector<std::string> parts{""};
  for (const char c : list) {
    if (c == ',') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

void check_expected(const std::string& property, const JsonNode& expected) {
  const auto colon = expected.text.find(':');
  if (colon == std::string::npos) return;
  const std::vector<std::string> known = known_kinds(property);
  for (const auto& kind : parts_of(expected.text.substr(colon + 1))) {
    if (std::find(known.begin(), known.end(), kind) == known.end()) {
      expected.refuse(unknown_word("kind of " + property, kind, known));
    }
  }
}

constexpr const char* kAnybody =
    "; remedy: leave out the target, so that the fault strikes the client that reaches this point";

// The operation that contains the point, if known: a phase implies it.
std::string operation_of(const InjectionPoint& point) {
  const auto phase = phase_from_text(point.phase);
  return phase ? operation_of(*phase) : point.of;
}

void check_phase(const LockType& type, const std::string& lock, const InjectionPoint& point, const JsonNode& node) {
  const JsonNode* place = node.find("phase");
  if (!phase_from_text(point.phase)) place->refuse(unknown_word("phase", point.phase, phase_names()));
  if (point.phase == "before_renew" && !type.renews && !type.renews_in_background) {
    place->refuse(lock + " does not renew");
  }
  if (point.of.empty() || operation_of(point) == point.of) return;
  const std::string is_in = operation_of(point).empty() ? "outside the lock's operations" : "of " + operation_of(point);
  node.find("of")->refuse("phase " + point.phase + " is " + is_in + "; remedy: leave out `of`");
}

void check_operation(const LockType& type, const std::string& lock, const InjectionPoint& point, const JsonNode& node) {
  if (point.of == "renew" && !type.renews && !type.renews_in_background) {
    node.find("of")->refuse(lock + " does not renew; remedy: use acquire" + (type.releases ? " or release" : ""));
  }
  // An adapter's word; a lock in C++ may keep a session alive besides.
  if (point.of == "background" && type.manifest != nullptr && !type.renews_unseen) {
    node.find("of")->refuse(
        lock + " sends no requests in the background; remedy: if it does, add `background` to `can` in its lock.json");
  }
  if (point.of == "release" && !type.releases) {
    node.find("of")->refuse(lock + " does not release; remedy: use acquire" + (type.renews ? " or renew" : ""));
  }
}

void check_statement(const std::string& lock, const InjectionPoint& point, const JsonNode& node) {
  const std::vector<std::string> names = statement_names(lock);
  const std::string name = point.statement.substr(0, point.statement.find(kAtServer));
  const bool known = std::find(names.begin(), names.end(), name) != names.end();
  if (known && name != "schema") return;
  node.find("statement")->refuse(unknown_word("statement of " + lock, point.statement, names));
}

// STATEMENT@N: at one of several servers used by a lock.
void check_place(const Topology& topology, const InjectionPoint& point, const JsonNode& node) {
  if (!says_server(point.statement)) return;
  const JsonNode& place = *node.find("statement");
  const std::string digits = point.statement.substr(point.statement.find(kAtServer) + 1);
  const bool number = !digits.empty() && digits.size() <= 3 && digits.find_first_not_of("0123456789") == digits.npos;
  if (!topology.independent || !number) {
    place.refuse("STATEMENT@0 names a server only in a topology with several independent servers");
  }
  if (placed(point.statement).server < topology.servers) return;
  place.refuse("servers are numbered 0 to " + std::to_string(topology.servers - 1));
}

// Requests are counted between a client's node and one server, where clients' beliefs are unknown.
void check_request(const Load& load, const std::string& lock, const InjectionPoint& point, const JsonNode& node) {
  if (point.of == "background" && point.request == 0)
    node.find("of")->refuse("only a request can be sent in the background");
  if (point.request == 0) return;
  const JsonNode& place = *node.find("request");
  const ServerType& type = server_type(lock_type(lock).server);
  if (*type.protocol == '\0') place.refuse(std::string("requests to ") + type.title + " cannot be told apart");
  if (!point.key.empty() && point.of == "background") node.find("key")->refuse("background requests have no key");
  if (load.shared_addresses > 1) place.refuse("requests of clients on one host cannot be counted separately");
}

// A holder acquires no key, except for reentrant jobs and jobs with several keys.
bool holders_acquire(const Load& load, const InjectionPoint& point) {
  return load.keys_at_once > 1 || (load.reenter && point.phase.empty());
}

void check_client(const Load& load, std::uint64_t client, const JsonNode& place) {
  const auto clients = static_cast<std::uint64_t>(load.clients);
  if (client >= clients) place.refuse("clients are numbered 0 to " + std::to_string(clients - 1));
}

// Refuses an injection point that clients of the lock never reach, which would otherwise show only after the trial.
// `node`: the point in the file.
void check_injection_point(const Load& load, const std::string& lock, const InjectionPoint& point,
                           const JsonNode& node) {
  const LockType& type = *find_entry(locks(), lock);
  check_request(load, lock, point, node);
  if (!point.phase.empty()) check_phase(type, lock, point, node);
  check_operation(type, lock, point, node);
  if (point.time_ms.value_or(0) > load.duration_ms) {
    node.find("time_ms")->refuse("is after the end of the load, duration_ms " + std::to_string(load.duration_ms));
  }
  if (point.client) check_client(load, static_cast<std::uint64_t>(*point.client), node);
  if (!point.statement.empty()) check_statement(lock, point, node);
}

// Only arrivals of clients that are the target at that instant count.
//
//   {"fault": "pause", "target": "waiter", "at": {"phase": "granted"}}   // refused: a granted client is not waiting
void check_injection_point_of_target(const Load& load, const FaultSpec& fault) {
  if (fault.at.time_ms || strikes_servers(fault)) return;
  if (fault.at.request > 0 && (fault.target == "holder" || fault.target == "waiter")) {
    fault.settings.find("target")->refuse("the bytes of a request do not show whether its sender holds or waits" +
                                          std::string(kAnybody));
  }
  const std::string operation = operation_of(fault.at);
  const std::string where = fault.at.phase.empty() ? "a statement of its " + operation : fault.at.phase;
  const bool inside = fault.at.phase == "critical_section" || operation == "renew" || operation == "release" ||
                      fault.at.phase == "granted";
  if (fault.target == "waiter" && inside) {
    fault.settings.find("target")->refuse("a waiter never reaches " + where + kAnybody);
  }
  if (fault.target == "holder" && operation == "acquire" && fault.at.phase != "granted" &&
      !holders_acquire(load, fault.at)) {
    fault.settings.find("target")->refuse("a holder never reaches " + where + kAnybody);
  }
}

const ServerType& server_of_lock(const std::string& lock) {
  return server_type(find_entry(locks(), lock)->server);
}

void check_server(const Topology& topology, const FaultSpec& fault, const JsonNode& target) {
  const std::uint32_t servers = topology.servers;
  if (is_elected(fault.target)) {
    if (topology.elects) return;
    target.refuse("in topology '" + std::string(topology.name) + "' no server is elected; remedy: server:N");
  }
  const auto struck = servers_of(fault);
  if (struck.empty()) {
    const std::vector<std::string> known{"server", "server:N", "server:N,M", kLeader, kFollower};
    target.refuse(unknown_word("target of " + fault.fault, fault.target, known));
  }
  if (std::all_of(struck.begin(), struck.end(), [&](std::uint32_t server) { return server < servers; })) return;
  target.refuse(servers == 1 ? "the only server is server:0"
                             : "servers are numbered 0 to " + std::to_string(servers - 1));
}

void check_target(const Settings& settings, const Topology& topology, const FaultSpec& fault) {
  const JsonNode* target = fault.settings.find("target");
  if (target == nullptr) return;
  if (strikes_servers(fault)) return check_server(topology, fault, *target);
  const std::string& word = fault.target;
  if (fault_type(fault).needs_any(&CapabilityFacts::one_victim) && word == "everyone")
    target->refuse(fault.fault + " strikes one client");
  const std::vector<std::string> words{"holder", "waiter", "everyone"};
  if (std::find(words.begin(), words.end(), word) != words.end()) return;
  const std::string digits = word.rfind("client:", 0) == 0 ? word.substr(7) : "";
  if (digits.empty() || digits.size() > 6 || digits.find_first_not_of("0123456789") != std::string::npos) {
    target->refuse(unknown_word("target", word, {"holder", "waiter", "everyone", "client:N"}));
  }
  check_client(settings.load, std::stoull(digits), *target);
}

// A reply can be lost only after a statement or a request, by the client that received it. Actions on a request are
// chosen before it is sent.
void check_order(const std::string& lock, const FaultSpec& spec, const Fault& fault) {
  if (fault.point_action() == PointAction::go_on) return;
  const JsonNode& at = *spec.settings.find("at");
  const bool of_reply = fault.point_action() == PointAction::lose_reply;
  if (of_reply && (!spec.at.after || (spec.at.statement.empty() && spec.at.request == 0))) {
    at.refuse(spec.fault + R"( needs an injection point such as {"statement": "acquire", "when": "after"})");
  }
  if (!of_reply && (spec.at.after || spec.at.request == 0)) {
    at.refuse(spec.fault + R"( needs an injection point such as {"request": 1, "of": "release"})");
  }
  const ServerType& server = server_of_lock(lock);
  if (fault.point_action() == PointAction::duplicate && !server.requests_repeat) {
    at.refuse(std::string("a request to ") + server.title + " cannot arrive twice: each uses a separate stream");
  }
  const bool of_one = spec.target.rfind("client:", 0) == 0;
  if (of_one && (!spec.at.client || std::stoll(spec.target.substr(7)) != *spec.at.client)) {
    at.refuse(spec.fault +
              " strikes the client that reaches this point; remedy: set \"client\": " + spec.target.substr(7));
  }
}

void check_end(const Load& load, const std::string& lock, const FaultSpec& spec, const Fault& fault) {
  if (!spec.until) return;
  const JsonNode& until = *spec.settings.find("until");
  if (fault.ends_itself()) until.refuse(spec.fault + " ends by itself");
  check_injection_point(load, lock, *spec.until, until);
}

// " 'replica'", " 'a' or 'b'": the topologies of a kind of server with a capability.
std::string topologies_that(const ServerType& type, const std::function<bool(const Topology&)>& can) {
  std::string out;
  for (const auto& topology : type.topologies) {
    if (can(topology)) out += (out.empty() ? "" : " or ") + std::string("'") + topology.name + "'";
  }
  return out.empty() ? std::string("that ") + type.title + " does not have" : out;
}

// Checks that the topology offers what a fault needs.
void check_needs(const ServerType& type, const Topology& topology, const FaultSpec& fault) {
  for (const auto need : fault_type(fault).needs) {
    if (is_offered(need, topology)) continue;
    const CapabilityFacts& facts = facts_of(need);
    if (*facts.offered_by == '\0') {
      fault.settings.refuse(fault.fault + " does not strike the servers of topology '" + topology.name + "'");
    }
    const auto offers = [need](const Topology& other) { return is_offered(need, other); };
    fault.settings.refuse(fault.fault + " needs " + facts.offered_by + ": " + topologies_that(type, offers));
  }
}

// A fault that removes a server permanently excludes other faults on it.
void check_last_of_servers(const std::vector<FaultSpec>& faults) {
  for (const auto& fault : faults) {
    if (!fault_type(fault).needs_any(&CapabilityFacts::last_of_servers)) continue;
    for (const auto& other : faults) {
      if (&other == &fault || !strikes_servers(other)) continue;
      other.settings.refuse("no other fault of servers can be combined with " + fault.fault);
    }
  }
}

void check_connects(const Topology& topology, const Load& load, const JsonNode& place) {
  const bool said = load.connects != Load{}.connects;
  if (topology.independent && said)
    place.refuse("in topology '" + std::string(topology.name) + "' each client connects to all servers");
  for (std::uint32_t c = 0; c < load.connects.size(); ++c) {
    if (server_of_client(topology.servers, load, c) < topology.servers) continue;
    place.refuse("connects '" + load.connects[c] + "': topology '" + topology.name + "' has no such server");
  }
}

const Topology& check_topology(const std::string& name, const std::string& lock, const JsonNode& place) {
  if (const Topology* found = server_of_lock(lock).topology(name)) return *found;
  for (const auto& [kind, type] : server_types()) {
    for (const Topology& one : type->topologies) {
      if (!name.empty() && name == one.was) place.refuse("topology '" + name + "' is called '" + one.name + "' now");
    }
    if (type->topology(name) == nullptr) continue;
    place.refuse("topology '" + name + "' is for locks on " + type->title + "; " + lock + " is on another server");
  }
  place.refuse(unknown_word("topology", name, topology_names()));
}

// Reads that are sent to a second server need one.
void check_reads(const ServerType& type, const Topology& topology, const Load& load, const JsonNode& place) {
  const bool split = std::find(load.reads.begin(), load.reads.end(), "replica") != load.reads.end();
  if (!split || topology.reads_split) return;
  place.refuse("reads from a replica need the topology " +
               topologies_that(type, [](const Topology& t) { return t.reads_split; }) + "; this scenario has '" +
               topology.name + "'");
}

void check_keys(const Load& load, const std::string& lock, const JsonNode& place) {
  const ServerType& type = server_of_lock(lock);
  if (type.has_null) return;
  if (std::find(load.key_texts.begin(), load.key_texts.end(), std::nullopt) == load.key_texts.end()) return;
  place.refuse(std::string("a key is null, and ") + type.title + " has no NULL; " + lock + " is on " + type.title);
}

void check_faults(const Settings& settings, const Topology& topology, const std::string& lock) {
  const Load& load = settings.load;
  const std::vector<FaultSpec>& faults = settings.faults;
  if (faults.size() > static_cast<std::size_t>(kMostFaults)) {
    faults.back().settings.refuse("at most " + std::to_string(kMostFaults) + " faults");
  }
  for (const auto& fault : faults) {
    if (load.threads > 1 && fault_type(fault).needs_any(&CapabilityFacts::one_thread)) {
      fault.settings.refuse("a " + fault.fault + " needs clients with one thread");
    }
    check_target(settings, topology, fault);
    check_injection_point(load, lock, fault.at, *fault.settings.find("at"));
    check_injection_point_of_target(load, fault);
    const auto made = make_fault(fault);
    check_order(lock, fault, *made);
    check_end(load, lock, fault, *made);
    check_place(topology, fault.at, *fault.settings.find("at"));
    if (fault.until) check_place(topology, *fault.until, *fault.settings.find("until"));
    const std::string target = fault.target.empty() ? "holder" : fault.target;
    const bool somebody = !strikes_servers(fault) && (target == "holder" || target == "waiter");
    if (somebody && fault.at.time_ms == 0) {
      fault.settings.find("at")->find("time_ms")->refuse("no client is a " + target +
                                                         " before the load; remedy: use a phase, or another target");
    }
  }
  for (const auto& fault : faults) check_needs(server_of_lock(lock), topology, fault);
  check_last_of_servers(faults);
}

void check_settings(const Settings& settings, const std::string& lock, const JsonNode& place) {
  const Topology& topology = check_topology(settings.server.topology, lock, place);
  check_server_settings(settings.server);
  check_reads(server_of_lock(lock), topology, settings.load, place);
  check_connects(topology, settings.load, place);
  check_keys(settings.load, lock, place);
  check_faults(settings, topology, lock);
}

const JsonNode& control_node(const Scenario& scenario, const std::string& lock) {
  const JsonNode* all = scenario.source.find("control");
  const JsonNode* own = all->find(lock);
  return own != nullptr ? *own : *all->find("*");
}

std::string known_lock(const std::string& name, const JsonNode& place) {
  try {
    return parse_lock_ref(name).lock;
  } catch (const BadInput& unknown) {
    place.refuse(unknown.what());
  }
}

void check_control(const Scenario& scenario, const std::string& lock, const PairedControl& control) {
  const std::string& name = control.lock.empty() ? lock : control.lock;
  const std::string plain = known_lock(name, control_node(scenario, lock));
  try {
    check_settings(control.settings, plain, control_node(scenario, lock));
  } catch (const BadInput& wrong) {
    const std::string line = std::to_string(control_node(scenario, lock).line);
    throw BadInput(wrong.what() + (" (in the control of line " + line + ", with " + name + ")"));
  }
}

// The name is used for the trials' folder. "...json" would be the parent folder.
void check_file_name(const Scenario& scenario) {
  if (!scenario.name.empty() && scenario.name != "." && scenario.name != "..") return;
  scenario.source.refuse("'" + scenario.name +
                         "' cannot be a scenario's name, because it names a folder; remedy: name the " +
                         "file NAME.json");
}

// Throws BadInput with file and line, key path and remedy.
void check_kinds(const Scenario& scenario) {
  for (const auto& [lock, expected] : scenario.source.find("expect")->members) {
    for (const auto& [property, verdict] : expected.members) check_expected(property, verdict);
  }
}

}  // namespace

std::vector<std::string> known_kinds(const std::string& property) {
  std::set<std::string> known;
  for (const KindWords& kind : find_entry(property_words(), property)->kinds) known.insert(kind.name);
  for (const auto& [name, type] : faults()) {
    if (*type->cause != '\0') known.insert(type->cause);
  }
  return {known.begin(), known.end()};
}

void check_names(const Scenario& scenario) {
  check_file_name(scenario);
  const JsonNode* names = scenario.source.find("locks");
  for (const auto& item : names->items) {
    check_settings(scenario.settings_of(item.text), known_lock(item.text, item), item);
    if (const PairedControl* control = scenario.control_of(item.text)) check_control(scenario, item.text, *control);
  }
  check_kinds(scenario);
}

}  // namespace holdfast
