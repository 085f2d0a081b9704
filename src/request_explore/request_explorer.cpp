#include "request_explore/request_explorer.hpp"

#include <algorithm>
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
#include "request_explore/widening.hpp"

namespace holdfast {
namespace {

// A search that could last no longer is not begun, or is begun with this at least.
constexpr double kLeastSearch_s = 1;
constexpr double kLeastShare = 0.15;  // ... of the budget

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
  out.died = world.deaths();
  out.last_death = world.last_death();
  return out;
}

// Carries out the parts of an order for one lock. Its searches share the budget of the first, and a lab with its
// adapters as long as the number of clients is the same.
class RequestExplorer {
 public:
  explicit RequestExplorer(std::string folder) : folder_(std::move(folder)) {}
  ExploreResult explored(ExploreJob job);
  ExploreResult replayed(const ExploreReplay& asked);
  bool goes_on(const std::vector<ExploreResult>& results) const;

 private:
  void prepare(const ExploreSettings& settings);
  double seconds() const { return static_cast<double>(lab_->quiet().host_ns()) / static_cast<double>(kSecond_ns); }

  const std::string folder_;
  std::uint32_t clients_ = 0;
  std::unique_ptr<RequestLab> lab_;
  std::unique_ptr<RequestWorld> world_;
  double begin_s_ = 0;
  double budget_s_ = 0;
};

void RequestExplorer::prepare(const ExploreSettings& settings) {
  if (world_ && clients_ == settings.clients) return world_->begin_search(as_promised(settings, lab_->type()));
  world_.reset();
  lab_.reset();
  lab_ = std::make_unique<RequestLab>(folder_, parse_lock_ref(settings.lock).lock, settings.clients);
  lab_->quiet().let_work_take_no_time();
  world_ = std::make_unique<RequestWorld>(as_promised(settings, lab_->type()), *lab_);
  clients_ = settings.clients;
}

ExploreResult RequestExplorer::explored(ExploreJob job) {
  job.limits.prove = false;  // going to a place replays its words, which proves it
  job.jobs = 1;
  prepare(job.settings);
  job.limits.clock = [this] { return seconds(); };
  world_->reset();  // the first wait sets the schedule's time base
  if (budget_s_ == 0) {
    begin_s_ = seconds();
    budget_s_ = job.limits.budget_s;
  }
  job.limits.budget_s = std::max(kLeastSearch_s, std::min(job.limits.budget_s, begin_s_ + budget_s_ - seconds()));
  std::vector<PassedOver> known;
  for (const auto& one : job.except) known.push_back(passed_over(*world_, one));
  Explored out = search_worlds(job, lab_->type(), {world_.get()});
  out.passed_over = std::move(known);
  out.grants = world_->grants();
  out.at_requests = numbers_of(*world_, *lab_);
  world_->start_adapters();  // the search used a thread of its own
  tell_causes(*world_, out);
  return result_of(out);
}

bool RequestExplorer::goes_on(const std::vector<ExploreResult>& results) const {
  const double left_s = begin_s_ + budget_s_ - seconds();
  return left_s > std::max(kLeastSearch_s, kLeastShare * budget_s_) && !widened_enough(results);
}

ExploreResult RequestExplorer::replayed(const ExploreReplay& asked) {
  prepare(asked.settings);
  Explored out;
  out.job.settings = asked.settings;
  out.finds.push_back(replay_in(*world_, asked.words));
  const std::string invariant = out.finds.front().violation.invariant;
  out.numbers.schedules = 1;
  for (int i = 1; i < asked.repeat; ++i) {
    if (replay_in(*world_, asked.words).violation.invariant == invariant) ++out.numbers.schedules;
  }
  out.at_requests = numbers_of(*world_, *lab_);
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
  RequestExplorer explorer(folder);
  OrderSteps steps;
  steps.explore = [&](const ExploreJob& job) { return explorer.explored(job); };
  steps.replay = [&](const ExploreReplay& asked) { return explorer.replayed(asked); };
  steps.goes_on = [&](const std::vector<ExploreResult>& results) { return explorer.goes_on(results); };
  carry_out_order(folder, steps);
}

}  // namespace holdfast
