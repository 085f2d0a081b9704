#include "request_explore/parallel_labs.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "artifact/json_text.hpp"
#include "artifact/run_directory.hpp"
#include "explore/within_text.hpp"
#include "lab/workers.hpp"
#include "lock/lock.hpp"
#include "request_explore/request_explorer.hpp"

namespace holdfast {
namespace {

constexpr const char* kWhole = "explored.json";

std::string folder_of(std::uint32_t part) {
  return "lab-" + std::to_string(part + 1);
}

// Severe ones first, then the cheapest.
auto rank_of(const ExploreFind& find) {
  return std::tuple(!find.severe, find.cost.total(), find.cost.faults, find.replay.size(), find.invariant, find.replay);
}

// The cheapest of each cause.
std::vector<ExploreFind> finds_of_all(const std::vector<ExploreResult>& parts) {
  std::vector<ExploreFind> all;
  for (const auto& part : parts) all.insert(all.end(), part.violations.begin(), part.violations.end());
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return rank_of(a) < rank_of(b); });
  std::set<std::pair<std::string, std::string>> causes;
  std::map<std::string, int> numbers;
  std::vector<ExploreFind> out;
  for (auto& find : all) {
    if (!causes.emplace(find.invariant, find.cause).second) continue;
    find.number = ++numbers[find.invariant];
    out.push_back(std::move(find));
  }
  return out;
}

void add(const RequestsExplored& part, RequestsExplored& out) {
  out.requests += part.requests;
  out.restarts += part.restarts;
  out.replayed += part.replayed;
  out.retried += part.retried;
  out.diverged += part.diverged;
  out.died += part.died;
  if (out.last_divergence.empty()) out.last_divergence = part.last_divergence;
  if (out.last_death.empty()) out.last_death = part.last_death;
}

void add(const ExploreResult& part, ExploreResult& out) {
  out.complete = out.complete && part.complete && part.first == out.first;
  out.stopped = out.stopped || part.stopped;
  out.schedules += part.schedules;
  out.merged += part.merged;
  out.walks += part.walks;
  out.states += part.states;
  out.left += part.left;
  out.levels = std::min(out.levels, part.levels);
  out.grants += part.grants;
  out.seconds = std::max(out.seconds, part.seconds);
  out.untold_stories += part.untold_stories;
  for (std::size_t i = 0; i < std::min(out.passed_over.size(), part.passed_over.size()); ++i) {
    out.passed_over[i].seen = out.passed_over[i].seen || part.passed_over[i].seen;
  }
  if (out.at_requests && part.at_requests) add(*part.at_requests, *out.at_requests);
}

// The parts of a result that its verdict and its bounds need.
Explored explored_of(const ExploreResult& result, bool lease) {
  Explored out;
  out.job.settings = result.settings;
  out.numbers.complete = result.complete;
  out.numbers.left = result.left;
  out.grants = result.grants;
  out.lease = lease;
  out.passed_over = result.passed_over;
  out.at_requests = result.at_requests;
  out.untold = result.untold_stories;
  for (const auto& find : result.violations) {
    Counterexample one;
    one.violation = {find.invariant, find.text, find.severe};
    out.finds.push_back(std::move(one));
  }
  return out;
}

ExploreOrder order_of_part(const ExploreOrder& order, std::uint32_t part, std::uint32_t parts) {
  ExploreOrder out = order;
  for (auto& job : out.jobs) {
    job.limits.part = part;
    job.limits.parts = parts;
  }
  return out;
}

// Jobs that all parts have carried out.
std::vector<ExploreResult> whole_results(const std::vector<ExploreOutcome>& labs, bool lease) {
  std::size_t jobs = labs.front().results.size();
  for (const auto& lab : labs) jobs = std::min(jobs, lab.results.size());
  std::vector<ExploreResult> out;
  for (std::size_t job = 0; job < jobs; ++job) {
    std::vector<ExploreResult> parts;
    parts.reserve(labs.size());
    for (const auto& lab : labs) parts.push_back(lab.results[job]);
    out.push_back(whole_of(parts, lease));
  }
  return out;
}

}  // namespace

ExploreResult whole_of(const std::vector<ExploreResult>& parts, bool lease) {
  ExploreResult out = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) add(parts[i], out);
  out.workers = static_cast<int>(parts.size());
  out.violations = finds_of_all(parts);
  const Explored explored = explored_of(out, lease);
  out.verdict = explored.verdict();
  out.not_explored = not_explored(explored);
  return out;
}

ExploreOutcome explore_side_by_side(const std::string& folder, const ExploreOrder& order,
                                    const std::atomic<bool>& interrupted) {
  const auto no_progress = [](const ExploreResult&) {};
  const int asked = order.jobs.empty() ? 1 : std::min(order.jobs.front().jobs, kMostLabs);
  if (asked < 2) return explore_in_lab(folder, order, interrupted, no_progress, kRequestExplorer);
  const auto parts = static_cast<std::uint32_t>(asked);
  std::vector<ExploreOutcome> labs(parts);
  side_by_side(asked, [&](int number) {
    const auto part = static_cast<std::uint32_t>(number);
    RunDirectory(folder).make_folders(folder_of(part));
    labs[part] = explore_in_lab(folder + "/" + folder_of(part), order_of_part(order, part, parts), interrupted,
                                no_progress, kRequestExplorer);
  });
  ExploreOutcome out;
  for (const auto& lab : labs) {
    if (out.exit_code != 0 || lab.exit_code == 0) continue;
    out.exit_code = lab.exit_code;
    out.error = lab.error;
  }
  const LockType& type = type_of_ref(order.jobs.front().settings.lock);
  out.results = whole_results(labs, type.lease);
  RunDirectory(folder).write(kWhole, text_of_json(json_of(out.results)) + "\n");
  return out;
}

}  // namespace holdfast
