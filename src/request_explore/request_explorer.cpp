#include "request_explore/request_explorer.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "adapter/manifest.hpp"
#include "artifact/error.hpp"
#include "artifact/units.hpp"
#include "explore/explorer.hpp"
#include "lock/lock.hpp"
#include "request_explore/request_lab.hpp"
#include "request_explore/request_world.hpp"

namespace holdfast {
namespace {

ExploreSettings as_promised(ExploreSettings settings, const LockType& type) {
  settings.lease_ms = promised_lease_ms(type, settings.lease_ms);
  return settings;
}

RequestsExplored numbers_of(const RequestWorld& world, const RequestLab& lab) {
  const Manifest& manifest = *lab.type().manifest;
  const std::string library = manifest.library.name.empty() ? manifest.name : manifest.library.name;
  const std::string version = world.library_version();
  RequestsExplored out;
  out.at = "at the requests of " + library + (version.empty() ? "" : " " + version) + " on " + lab.server_version();
  out.requests = world.requests();
  out.restarts = world.restarts();
  out.replayed = world.divergence().replayed;
  out.retried = world.divergence().retried;
  out.diverged = world.divergence().given_up;
  out.last_divergence = world.divergence().last;
  return out;
}

ExploreResult explored(const std::string& folder, ExploreJob job) {
  job.limits.prove = false;  // going to a place replays its words, which proves it
  job.jobs = 1;
  RequestLab lab(folder, parse_lock_ref(job.settings.lock).lock, job.settings.clients);
  lab.quiet().let_work_take_no_time();
  job.limits.clock = [&lab] { return static_cast<double>(lab.quiet().host_ns()) / static_cast<double>(kSecond_ns); };
  RequestWorld world(as_promised(job.settings, lab.type()), lab);
  world.reset();  // the first wait sets the schedule's time base
  std::vector<PassedOver> known;
  for (const auto& one : job.except) known.push_back(passed_over(world, one));
  Explored out = search_worlds(job, lab.type(), {&world});
  out.passed_over = std::move(known);
  out.grants = world.grants();
  out.at_requests = numbers_of(world, lab);
  world.start_adapters();  // the search used a thread of its own
  tell_causes(world, out);
  return result_of(out);
}

ExploreResult replayed(const std::string& folder, const ExploreReplay& asked) {
  RequestLab lab(folder, parse_lock_ref(asked.settings.lock).lock, asked.settings.clients);
  lab.quiet().let_work_take_no_time();
  RequestWorld world(as_promised(asked.settings, lab.type()), lab);
  Explored out;
  out.job.settings = asked.settings;
  out.finds.push_back(replay_in(world, asked.words));
  const std::string invariant = out.finds.front().violation.invariant;
  out.numbers.schedules = 1;
  for (int i = 1; i < asked.repeat; ++i) {
    if (replay_in(world, asked.words).violation.invariant == invariant) ++out.numbers.schedules;
  }
  out.at_requests = numbers_of(world, lab);
  return result_of(out);
}

}  // namespace

std::string cannot_step_requests(const LockType& type) {
  if (type.manifest == nullptr) return "it is not an adapter";
  if (type.scheduled || type.tells_leader || type.tick_ms > 0)
    return "explore cannot yet step locks that are not asked for";
  if (type.several_servers) return "explore cannot yet step locks on several servers";
  const ServerType& server = server_type(type.server);
  if (std::string(server.protocol).empty())
    return std::string("requests to ") + server.title + " cannot be distinguished";
  return "";
}

void run_request_explorer(const std::string& folder) {
  OrderSteps steps;
  steps.explore = [&](const ExploreJob& job) { return explored(folder, job); };
  steps.replay = [&](const ExploreReplay& asked) { return replayed(folder, asked); };
  carry_out_order(folder, steps);
}

}  // namespace holdfast
