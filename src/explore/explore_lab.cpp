#include "explore/explore_lab.hpp"

#include <unistd.h>

#include <set>
#include <utility>

#include "artifact/error.hpp"
#include "artifact/json_reader.hpp"
#include "artifact/run_directory.hpp"
#include "explore/explorer.hpp"
#include "explore/lock_world.hpp"
#include "lab/launch_lab.hpp"
#include "lab/process.hpp"
#include "lock/added_locks.hpp"
#include "lock/lock.hpp"
#include "servers/server_type.hpp"

namespace holdfast {
namespace {

constexpr const char* kOrder = "explore.json";
constexpr const char* kExplored = "explored.json";
constexpr const char* kStop = "stop";

std::string lock_of(const ExploreSettings& settings) {
  return parse_lock_ref(settings.lock).lock;
}

// Files of locks that the lab's process must also add, each once.
std::vector<std::string> words_of_added_locks(const ExploreOrder& order) {
  std::set<std::string> names;
  for (const auto& job : order.jobs) names.insert(lock_of(job.settings));
  for (const auto& replay : order.replays) names.insert(lock_of(replay.settings));
  std::vector<std::string> out;
  for (const auto& name : names) {
    const auto words = added_lock_words(name);
    out.insert(out.end(), words.begin(), words.end());
  }
  return out;
}

std::vector<ExploreResult> results_so_far(const std::string& folder) {
  const InputFile file = InputFile::in(folder, kExplored);
  if (!file.is_there()) return {};
  return read_json_file(file, from_json<std::vector<ExploreResult>>);
}

// A lab's network starts even without a loopback.
void loopback_up() {
  Spawn ip;
  ip.argv = {find_program("ip", {"iproute2", "iproute"}), "link", "set", "lo", "up"};
  ip.privileged = true;
  run_program(ip);
}

ExploreResult replayed(const ExploreReplay& asked, ExploreServers& servers) {
  Explored out;
  out.job.settings = asked.settings;
  ExploreStores stores = servers.stores_of(asked.settings);
  out.finds.push_back(replay(asked.settings, asked.words, stores));
  const ExploreResult first = result_of(out);
  const std::string real_waits = out.finds.front().real_waits;
  stores.with_real_waits = nullptr;  // one try is enough
  for (int i = 1; i < asked.repeat; ++i) {
    out.finds.front() = replay(asked.settings, asked.words, stores);
    out.finds.front().real_waits = real_waits;
    if (to_json(result_of(out)) != to_json(first)) {
      throw HarnessError("replay " + std::to_string(i + 1) + " differs from the first one");
    }
  }
  out.numbers.schedules = static_cast<std::uint64_t>(asked.repeat);
  return result_of(out);
}

}  // namespace

ExploreOutcome explore_in_lab(const std::string& folder, const ExploreOrder& order,
                              const std::atomic<bool>& interrupted,
                              const std::function<void(const ExploreResult&)>& progress, const ExploreLabPart& part) {
  RunDirectory(folder).write(kOrder, text_of_json(to_json(order), 1) + "\n");
  LabOrder lab{folder};
  lab.part = part.name;
  lab.time = part.time;
  lab.adapter = words_of_added_locks(order);
  for (const auto& job : order.jobs) lab.environment.merge(adapter_variables(lock_of(job.settings)));
  for (const auto& asked : order.replays) lab.environment.merge(adapter_variables(lock_of(asked.settings)));
  ExploreOutcome out;
  std::size_t told = 0;
  LabWatch watch;
  watch.interrupted = &interrupted;
  watch.ask_to_end = [&] { RunDirectory(folder).write(kStop, ""); };
  watch.look = [&] {
    out.results = results_so_far(folder);
    for (; told < out.results.size(); ++told) progress(out.results[told]);
  };
  const LabEnd end = launch_lab(lab, watch);
  out.exit_code = end.exit_code;
  out.error = end.last_words;
  return out;
}

ExploreServers::ExploreServers(std::string folder) : folder_(std::move(folder)) {
  loopback_up();
}

ExploreStores ExploreServers::stores_of(const ExploreSettings& settings) {
  const LockRef ref = parse_lock_ref(settings.lock);
  const LockType& lock = *find_entry(locks(), ref.lock);
  const ServerType& type = server_type(lock.server);
  if (const std::string why = type.missing(); !why.empty()) throw Unavailable(why);
  if (type.explore == nullptr) throw Unavailable(std::string("explore cannot simulate ") + type.title);
  auto& server = servers_[lock.server];
  if (!server) server = type.explore(folder_);
  StoreSpec spec{lock_file(ref.lock), ref.variant, isolation_of(lock), LockWorld::sessions(settings)};
  if (lock.several_servers) spec.servers = kExploredServers;
  return server->stores_of(spec);
}

void ExploreServers::stop() {
  for (auto& [name, server] : servers_) server->stop();
}

// Runs inside the lab: starts the servers, and explores one lock after the other.

void carry_out_order(const std::string& folder, const OrderSteps& steps) {
  const RunDirectory own(folder);
  const auto order = read_json_file(own.file(kOrder), from_json<ExploreOrder>);
  const auto must_stop = [stop = own.path_of(kStop)] { return ::access(stop.c_str(), F_OK) == 0; };
  std::vector<ExploreResult> results;
  const auto keep = [&](ExploreResult result) {
    results.push_back(std::move(result));
    own.write(kExplored, text_of_json(json_of(results)) + "\n");
  };
  for (ExploreJob job : order.jobs) {
    if (must_stop() || (!results.empty() && steps.goes_on && !steps.goes_on(results))) break;
    job.limits.stop = must_stop;
    keep(steps.explore(job));
  }
  for (const auto& asked : order.replays) keep(steps.replay(asked));
}

void run_explorer(const std::string& folder) {
  ExploreServers servers(folder);
  OrderSteps steps;
  steps.explore = [&](const ExploreJob& job) { return result_of(explore(job, servers.stores_of(job.settings))); };
  steps.replay = [&](const ExploreReplay& asked) { return replayed(asked, servers); };
  carry_out_order(folder, steps);
  servers.stop();
}

}  // namespace holdfast
