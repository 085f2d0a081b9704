#include "doctor/doctor_trials.hpp"

#include <nlohmann/json.hpp>
#include <optional>

#include "artifact/error.hpp"
#include "artifact/json_reader.hpp"
#include "lock/lock.hpp"
#include "nemesis/fault.hpp"
#include "servers/server_type.hpp"
#include "suite/check_names.hpp"

namespace holdfast {
namespace {

using nlohmann::ordered_json;

// Those that a short trial can be made for.
std::vector<const ServerType*> services() {
  std::vector<const ServerType*> out;
  for (const auto& [name, type] : server_types()) {
    if (*type->plain_lock != '\0') out.push_back(type);
  }
  return out;
}

// The first kind's needs no name.
std::string named(const ServerType& service, const std::string& what) {
  return &service == services().front() ? what : what + " on " + service.title;
}

std::string server_name(const ServerType& service, const std::string& topology) {
  return topology == service.topologies.front().name ? service.title : named(service, topology);
}

ordered_json short_trial(const ServerType& service, const std::string& topology) {
  return {{"locks", {service.plain_lock}}, {"clients", 3},  {"topology", topology}, {"lease_ms", 1000},
          {"hold_ms", {20, 60}},           {"poll_ms", 20}, {"duration_ms", 1500},  {"expect", ordered_json::object()}};
}

std::optional<DoctorTrial> trial(const std::string& folder, const std::string& part, const std::string& name,
                                 const ordered_json& scenario) {
  const std::string file = folder + "/" + name + ".json";
  write_text_file(file, scenario.dump(1) + "\n");
  DoctorTrial out{part, name, load_scenario(file), scenario["locks"][0]};
  try {
    check_names(out.scenario);
  } catch (const BadInput&) {
    return std::nullopt;  // these do not go together
  }
  return out;
}

std::optional<DoctorTrial> fault_trial(const std::string& folder, const ServerType& service, const std::string& fault,
                                       const FaultType& type) {
  for (const auto& topology : service.topologies) {
    ordered_json scenario = short_trial(service, topology.name);
    ordered_json entry{{"fault", fault}};
    entry.update(ordered_json(parse_json(type.example, fault)));
    scenario["faults"] = {entry};
    if (auto found = trial(folder, "fault", named(service, fault), scenario)) return found;
  }
  return std::nullopt;
}

void add_needs(const Settings& settings, const std::string& lock, std::set<std::string>& out) {
  const ServerType& service = server_type(find_entry(locks(), parse_lock_ref(lock).lock)->server);
  const ServerType& first = *services().front();
  out.insert(server_name(service, settings.server.topology));
  out.insert(resource_type(service).title);
  for (const auto& fault : settings.faults) {
    out.insert(named(strikes_servers(fault) ? service : first, fault.fault));
    if (fault_type(fault).needs_any(&CapabilityFacts::filters_packets)) out.insert(kPacketFilter);
  }
}

}  // namespace

std::vector<DoctorTrial> doctor_trials(const std::string& folder) {
  std::vector<DoctorTrial> out;
  for (const ServerType* service : services()) {
    for (const auto& topology : service->topologies) {
      const std::string word = server_name(*service, topology.name);
      auto found = trial(folder, "server", word, short_trial(*service, topology.name));
      if (found) out.push_back(std::move(*found));
    }
  }
  for (const auto& [name, type] : faults()) {
    bool any = false;
    for (const ServerType* service : services()) {
      // What strikes clients does so whatever their lock service is.
      if (any && !type->strikes_servers()) continue;
      auto found = fault_trial(folder, *service, name, *type);
      if (found) out.push_back(std::move(*found));
      any = any || found;
    }
    if (!any) throw HarnessError("fault " + name + ": its example does not make a scenario");
  }
  return out;
}

std::set<std::string> needs_of(const std::vector<Scenario>& scenarios) {
  std::set<std::string> out;
  for (const auto& scenario : scenarios) {
    for (const auto& lock : scenario.locks) {
      add_needs(scenario.settings_of(lock), lock, out);
      const PairedControl* control = scenario.control_of(lock);
      if (control != nullptr) add_needs(control->settings, control->lock.empty() ? lock : control->lock, out);
    }
  }
  return out;
}

}  // namespace holdfast
