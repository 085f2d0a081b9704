// Releases that surely had no effect, in bare histories: the tenure goes on as if it had not been called. In runs of
// our own the client's belief is what counts, and that ended with the call.
#include <algorithm>

#include "checker/tenures.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostMeanwhile = 8;  // tenures within one release that failed; one is a violation

}  // namespace

void Tenures::remember(const Tenure& ended) {
  for (Releasing& releasing : releasing_[ended.key]) {
    const Operation& release = processes_.find(releasing.process)->last;  // it is open
    const bool within = ended.process != releasing.process && ended.granted_ns >= release.invoked_ns;
    if (within && releasing.meanwhile.size() < kMostMeanwhile) releasing.meanwhile.push_back(ended);
  }
}

void Tenures::released(const Event& event, const Operation& operation, Process& process) {
  if (event.key >= releasing_.size()) return;
  auto& all = releasing_[event.key];
  const auto open = std::find_if(all.begin(), all.end(), [&](const auto& r) { return r.process == event.process; });
  if (open == all.end()) return;
  const std::vector<Tenure> meanwhile = std::move(open->meanwhile);
  all.erase(open);
  if (event.type != EventType::fail || event.reason == Reason::not_held || operation.dead) return;
  const auto ended_by_it = [&](const Tenure& tenure) {
    return tenure.key == event.key && tenure.end == TenureEnd::release && tenure.end_index == operation.index;
  };
  if (ended_by_it(process.first)) return resume(process.first, operation, meanwhile);
  for (const auto& tenure : process.more) {
    if (ended_by_it(*tenure)) return resume(*tenure, operation, meanwhile);
  }
}

void Tenures::resume(Tenure& tenure, const Operation& release, const std::vector<Tenure>& meanwhile) {
  tenure.end = TenureEnd::none;
  tenure.ended_ns = kNever;
  tenure.end_index = tenure.grant_index;
  tenure.resumed_ns = release.invoked_ns;
  believers_[tenure.key].push_back(&tenure);
  listener_.resumed(tenure, meanwhile);
}

}  // namespace holdfast
