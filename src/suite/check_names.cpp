#include "suite/check_names.hpp"

#include <algorithm>

#include "artifact/capacity.hpp"
#include "artifact/error.hpp"
#include "lock/lock.hpp"
#include "nemesis/fault.hpp"
#include "suite/check_kinds.hpp"
#include "suite/check_moment.hpp"

namespace holdfast {
namespace {

void check_server(const std::string& topology, const FaultSpec& fault, const JsonNode& target) {
  const std::uint32_t servers = servers_of(topology);
  const auto server = server_of(fault);
  if (!server) target.refuse(unknown_word("target of " + fault.fault, fault.target, {"server", "server:N"}));
  if (*server < servers) return;
  target.refuse(servers == 1 ? "there is one server, server:0"
                             : "there are servers 0 to " + std::to_string(servers - 1));
}

void check_target(const Settings& settings, const FaultSpec& fault) {
  const JsonNode* target = fault.settings.find("target");
  if (target == nullptr) return;
  if (strikes_servers(fault)) return check_server(settings.server.topology, fault, *target);
  const std::string& word = fault.target;
  if (strikes_one(fault) && word == "everyone") target->refuse(fault.fault + " strikes one client");
  const std::vector<std::string> words{"holder", "waiter", "everyone"};
  if (std::find(words.begin(), words.end(), word) != words.end()) return;
  const std::string digits = word.rfind("client:", 0) == 0 ? word.substr(7) : "";
  if (digits.empty() || digits.size() > 6 || digits.find_first_not_of("0123456789") != std::string::npos) {
    target->refuse(unknown_word("target", word, {"holder", "waiter", "everyone", "client:N"}));
  }
  check_client(settings.load, std::stoull(digits), *target);
}

// A reply can be lost where one has come: after a statement, and by the client that got it.
void check_order(const FaultSpec& spec, const Fault& fault) {
  if (fault.order() == Release::go_on) return;
  const JsonNode& at = *spec.settings.find("at");
  if (spec.at.statement.empty() || !spec.at.after) {
    at.refuse(spec.fault + R"( needs a moment like {"statement": "acquire", "when": "after"})");
  }
  const bool of_one = spec.target.rfind("client:", 0) == 0;
  if (of_one && (!spec.at.client || std::stoll(spec.target.substr(7)) != *spec.at.client)) {
    at.refuse(spec.fault + " strikes who comes there; remedy: \"client\": " + spec.target.substr(7));
  }
}

void check_end(const Load& load, const std::string& lock, const FaultSpec& spec, const Fault& fault) {
  if (!spec.until) return;
  const JsonNode& until = *spec.settings.find("until");
  const bool own_end = !fault.lasts() || find_entry(faults(), spec.fault)->ends_itself;
  if (own_end) until.refuse(spec.fault + " ends by itself");
  check_moment(load, lock, *spec.until, until);
}

// A replica is promoted once, and what a fault of the server would heal afterwards is no longer the server.
void check_promotion(const std::string& topology, const std::vector<FaultSpec>& faults) {
  for (const auto& fault : faults) {
    if (!promotes_replica(fault)) continue;
    if (topology == "single" || topology == "galera") {
      fault.settings.refuse(fault.fault + " needs a topology with a replica");
    }
    for (const auto& other : faults) {
      if (&other != &fault && strikes_servers(other)) {
        other.settings.refuse("no other fault of servers stands beside " + fault.fault);
      }
    }
  }
}

// A cluster's servers do not come back from a kill, and have one clock together: other faults are not theirs yet.
void check_cluster(const std::string& topology, const std::vector<FaultSpec>& faults) {
  for (const auto& fault : faults) {
    const bool several = servers_of(topology) > 1;
    if (parts_servers(fault) && !several) {
      fault.settings.refuse(fault.fault + " needs a topology with several servers: galera");
    }
    if (!parts_servers(fault) && strikes_servers(fault) && several) {
      fault.settings.refuse(fault.fault + " does not strike the servers of topology '" + topology + "'");
    }
  }
}

void check_connects(const Settings& settings, const JsonNode& place) {
  const std::uint32_t servers = servers_of(settings.server.topology);
  for (std::uint32_t c = 0; c < settings.load.connects.size(); ++c) {
    if (server_of_client(settings.server.topology, settings.load, c) < servers) continue;
    place.refuse("connects '" + settings.load.connects[c] + "': topology '" + settings.server.topology +
                 "' has no such server");
  }
}

void check_topology(const std::string& topology, const std::string& lock, const JsonNode& place) {
  const StoreKind store = find_entry(locks(), lock)->store;
  if (topology == "redis_replica" && store != StoreKind::redis) {
    place.refuse("topology 'redis_replica' is for locks on Redis; " + lock + " is on another server");
  }
  if ((topology == "replica" || topology == "galera") && store != StoreKind::mysql) {
    place.refuse("topology '" + topology + "' is for locks on MariaDB; " + lock + " is on another server");
  }
}

// A splitter's second server must be there, and be MariaDB's.
void check_reads(const Settings& settings, const JsonNode& place) {
  const std::vector<std::string>& reads = settings.load.reads;
  const bool split = std::find(reads.begin(), reads.end(), "replica") != reads.end();
  if (split && settings.server.topology != "replica") {
    place.refuse("reads from a replica need the topology 'replica'; here it is '" + settings.server.topology + "'");
  }
}

void check_keys(const Load& load, const std::string& lock, const JsonNode& place) {
  if (find_entry(locks(), lock)->store != StoreKind::redis) return;
  if (std::find(load.key_texts.begin(), load.key_texts.end(), std::nullopt) == load.key_texts.end()) return;
  place.refuse("a key is null, and Redis knows no NULL; " + lock + " is on Redis");
}

void check_faults(const Settings& settings, const std::string& lock) {
  const Load& load = settings.load;
  const std::vector<FaultSpec>& faults = settings.faults;
  if (faults.size() > static_cast<std::size_t>(kMostFaults)) {
    faults.back().settings.refuse("at most " + std::to_string(kMostFaults) + " faults");
  }
  for (const auto& fault : faults) {
    if (fault.fault == "schedule" && load.threads > 1) fault.settings.refuse("a schedule is for clients of one thread");
    check_target(settings, fault);
    check_moment(load, lock, fault.at, *fault.settings.find("at"));
    check_moment_of_target(load, fault);
    const auto made = make_fault(fault);
    check_order(fault, *made);
    check_end(load, lock, fault, *made);
    const std::string target = fault.target.empty() ? "holder" : fault.target;
    const bool somebody = !strikes_servers(fault) && (target == "holder" || target == "waiter");
    if (somebody && fault.at.time_ms == 0) {
      fault.settings.find("at")->find("time_ms")->refuse("nobody is a " + target +
                                                         " before the load; remedy: a phase, or another target");
    }
  }
  check_promotion(settings.server.topology, faults);
  check_cluster(settings.server.topology, faults);
}

const JsonNode& control_node(const Scenario& scenario, const std::string& lock) {
  const JsonNode* all = scenario.source.find("control");
  const JsonNode* own = all->find(lock);
  return own != nullptr ? *own : *all->find("*");
}

void check_control(const Scenario& scenario, const std::string& lock, const PairedControl& control) {
  const std::string& name = control.lock.empty() ? lock : control.lock;
  try {
    const std::string plain = parse_lock_ref(name).lock;
    check_topology(control.settings.server.topology, plain, control_node(scenario, lock));
    check_reads(control.settings, control_node(scenario, lock));
    check_connects(control.settings, control_node(scenario, lock));
    check_faults(control.settings, plain);
  } catch (const BadInput& wrong) {
    const std::string line = std::to_string(control_node(scenario, lock).line);
    throw BadInput(wrong.what() + (" (in the control of line " + line + ", with " + name + ")"));
  }
}

// It names the folder of the trials. "...json" would be the folder above.
void check_file_name(const Scenario& scenario) {
  if (!scenario.name.empty() && scenario.name != "." && scenario.name != "..") return;
  scenario.source.refuse("'" + scenario.name +
                         "' can be no scenario's name, since it names a folder; remedy: call the " + "file NAME.json");
}

}  // namespace

void check_names(const Scenario& scenario) {
  check_file_name(scenario);
  const JsonNode* names = scenario.source.find("locks");
  for (const auto& item : names->items) {
    try {
      parse_lock_ref(item.text);
    } catch (const BadInput& unknown) {
      item.refuse(unknown.what());
    }
    const Settings settings = scenario.settings_of(item.text);
    check_topology(settings.server.topology, parse_lock_ref(item.text).lock, item);
    check_reads(settings, item);
    check_connects(settings, item);
    check_keys(settings.load, parse_lock_ref(item.text).lock, item);
    check_faults(settings, parse_lock_ref(item.text).lock);
    if (const PairedControl* control = scenario.control_of(item.text)) check_control(scenario, item.text, *control);
  }
  check_kinds(scenario);
}

}  // namespace holdfast
