#include "request_explore/widening.hpp"

#include <algorithm>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

std::ptrdiff_t causes(const ExploreResult& result) {
  return std::count_if(result.violations.begin(), result.violations.end(),
                       [](const ExploreFind& find) { return find.severe && find.counts; });
}

// Its bounds were searched, or most of them, and still it must not be said that the lock holds.
bool forbids_holds(const ExploreResult& result) {
  return result.untold_stories > 0 || (result.at_requests && result.at_requests->too_often());
}

}  // namespace

std::vector<ExploreJob> widening(const ExploreJob& widest) {
  ExploreJob thin = widest;
  thin.settings.rounds = thin.settings.attempts = 1;
  thin.limits.bounds = {1, 1, 0};
  ExploreJob with_faults = thin;
  with_faults.limits.bounds.faults = 1;
  return {thin, with_faults, widest};
}

bool widened_enough(const std::vector<ExploreResult>& results) {
  if (results.empty() || results.back().stopped) return !results.empty();
  const bool violated =
      std::any_of(results.begin(), results.end(), [](const ExploreResult& one) { return causes(one) > 0; });
  return violated && results.back().bounds.faults > 0;
}

const ExploreResult& most_telling(const std::vector<ExploreResult>& results) {
  if (results.empty()) throw HarnessError("a search without a result");
  const auto most = std::max_element(results.begin(), results.end(),
                                     [](const auto& a, const auto& b) { return causes(a) < causes(b); });
  if (causes(*most) > 0) return *most;
  const auto doubtful = std::find_if(results.begin(), results.end(), forbids_holds);
  if (doubtful != results.end()) return *doubtful;
  const auto complete =
      std::find_if(results.rbegin(), results.rend(), [](const ExploreResult& one) { return one.complete; });
  return complete == results.rend() ? results.front() : *complete;
}

}  // namespace holdfast
