// Releases that surely had no effect, in foreign histories: the hold goes on as if it had not been called. In runs of
// our own the client's belief is what counts, and that ended with the call.
#include <algorithm>

#include "checker/holds.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostMeanwhile = 8;  // holds within one release that failed; one is a violation

}  // namespace

void Holds::remember(const Hold& ended) {
  for (Releasing& releasing : releasing_[ended.key]) {
    const Operation& release = processes_.find(releasing.process)->last;  // it is open
    const bool within = ended.process != releasing.process && ended.granted_ns >= release.invoked_ns;
    if (within && releasing.meanwhile.size() < kMostMeanwhile) releasing.meanwhile.push_back(ended);
  }
}

void Holds::released(const Event& event, const Operation& operation, Process& process) {
  if (event.key >= releasing_.size()) return;
  auto& all = releasing_[event.key];
  const auto open = std::find_if(all.begin(), all.end(), [&](const auto& r) { return r.process == event.process; });
  if (open == all.end()) return;
  const std::vector<Hold> meanwhile = std::move(open->meanwhile);
  all.erase(open);
  if (event.type != EventType::fail || event.reason == Reason::not_held || operation.dead) return;
  const auto ended_by_it = [&](const Hold& hold) {
    return hold.key == event.key && hold.end == HoldEnd::release && hold.end_index == operation.index;
  };
  if (ended_by_it(process.first)) return resume(process.first, operation, meanwhile);
  for (const auto& hold : process.more) {
    if (ended_by_it(*hold)) return resume(*hold, operation, meanwhile);
  }
}

void Holds::resume(Hold& hold, const Operation& release, const std::vector<Hold>& meanwhile) {
  hold.end = HoldEnd::none;
  hold.ended_ns = kNever;
  hold.end_index = hold.grant_index;
  hold.resumed_ns = release.invoked_ns;
  believers_[hold.key].push_back(&hold);
  listener_.resumed(hold, meanwhile);
}

}  // namespace holdfast
