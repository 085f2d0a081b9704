#include "suite/placed_suite.hpp"

#include <algorithm>
#include <set>

#include "artifact/error.hpp"
#include "artifact/placed_statement.hpp"
#include "generate/scenario_draft.hpp"
#include "lock/lock.hpp"
#include "plan/make_plan.hpp"
#include "servers/server_type.hpp"
#include "suite/check_names.hpp"
#include "suite/trial_job.hpp"

namespace holdfast {
namespace {

bool lacks_statement(const std::string& lock, const InjectionPoint& point) {
  if (point.statement.empty()) return false;
  const auto names = statement_names(lock);
  const bool placed_well = type_of_ref(lock).several_servers || !says_server(point.statement);
  const std::string name = point.statement.substr(0, point.statement.find(kAtServer));
  return !placed_well || std::find(names.begin(), names.end(), name) == names.end();
}

bool has_statements_of_others(const Scenario& world, const std::string& lock) {
  return std::any_of(world.faults.begin(), world.faults.end(), [&lock](const FaultSpec& fault) {
    return lacks_statement(lock, fault.at) || (fault.until && lacks_statement(lock, *fault.until));
  });
}

bool is_about_sessions(const Load& load) {
  return load.time_zone != Load{}.time_zone || load.program_zone != Load{}.program_zone || !load.isolation.empty() ||
         load.reads != Load{}.reads;
}

// Two clients with equal names break any lock that identifies its owners.
bool has_twins(const Load& load) {
  if (load.owners.empty()) return false;
  const bool each_its_own = std::all_of(load.owners.begin(), load.owners.end(),
                                        [](const std::string& owner) { return owner.find('{') != std::string::npos; });
  const std::set<std::string> distinct(load.owners.begin(), load.owners.end());
  return !each_its_own && static_cast<std::int64_t>(distinct.size()) < load.clients * load.threads;
}

// Checks for misfits that cause no error: the scenario would run, but under other conditions than intended. Empty: it
// fits.
std::string misfit(const Scenario& world, const std::string& lock) {
  const LockType& type = lock_type(lock);
  const ServerType& server = server_type(type.server);
  if (!world.server.own.empty() && settings_for(server, world.server).members.empty()) {
    return std::string("it sets up a different kind of server than ") + server.title;
  }
  if (server.topology(world.server.topology) == nullptr) {
    return "its servers are of the topology '" + world.server.topology + "', which " + server.title + " does not have";
  }
  if (has_statements_of_others(world, lock)) return "it strikes at a statement that this lock does not have";
  if (is_about_sessions(world.load) && !server.has_sessions) {
    return std::string("it tests zones, isolation or reads of sessions, which ") + server.title + " does not have";
  }
  if (world.load.reenter && !type.reentrant)
    return "its jobs acquire a held lock again, which this lock does not promise";
  if (world.load.tick_ms > 0 && type.tick_ms == 0) return "it tests locks whose processes tick, but this lock's do not";
  return has_twins(world.load) ? "several of its clients have the same owner name" : "";
}

// Removes the place from a message about a generated file.
std::string without_place(const std::string& message, const std::string& file) {
  if (message.rfind(file + ":", 0) != 0) return message;
  const auto end = message.find(": ");
  return end == std::string::npos ? message : message.substr(end + 2);
}

std::string why_refused(const Scenario& placed, const std::string& lock) {
  try {
    check_names(placed);
    return cannot_have(fitted_to_lock(make_plan(placed, lock, 1, 1)));
  } catch (const BadInput& refused) {
    return without_place(refused.what(), placed.source.file);
  }
}

std::string told(const std::vector<NotTried>& left_out) {
  std::string out;
  for (const auto& one : left_out) out += "\n" + one.what + ": " + one.why;
  return out;
}

}  // namespace

GeneratedSuite place_lock(const std::vector<Scenario>& worlds, const std::string& lock) {
  const std::string plain = parse_lock_ref(lock).lock;
  const LockType& type = lock_type(plain);
  GeneratedSuite out;
  std::set<std::string> taken;
  for (const Scenario& world : worlds) {
    const std::string name = taken.contains(world.name) ? world.suite + "_" + world.name : world.name;
    taken.insert(name);
    std::string why = misfit(world, plain);
    if (why.empty()) {
      ScenarioDraft draft(type, lock, name, world);
      Scenario placed = draft.moment_only().outlives(Outlives::yes).finish();
      why = why_refused(placed, lock);
      if (why.empty()) out.scenarios.push_back(std::move(placed));
    }
    if (!why.empty()) out.left_out.push_back({lock, name, why});
  }
  if (out.scenarios.empty()) throw BadInput("none of these scenarios fits " + lock + ":" + told(out.left_out));
  return out;
}

}  // namespace holdfast
