#include "checker/owner_rule.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "checker/operation_witness.hpp"

namespace holdfast {

bool OwnerRule::may_release(std::uint32_t process, std::uint32_t key) const {
  if (process >= may_release_.size()) return false;
  const std::vector<std::uint32_t>& keys = may_release_[process];
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

void OwnerRule::allow_release(std::uint32_t process, std::uint32_t key) {
  if (process >= may_release_.size()) may_release_.resize(process + 1);
  if (!may_release(process, key)) may_release_[process].push_back(key);
}

// Whoever called a release of which nobody knows whether it took effect has lost the lock once another holds it. A
// grant that was answered after its own lease tells of a hold that may have been before.
void OwnerRule::granted(const Tenure& tenure) {
  if (tenure.late()) return;
  Key& key = at(tenure.key);
  for (const Uncertain& each : key.uncertain) {
    lost_ns_[each.process] = std::min(lost_ns_[each.process], tenure.granted_ns);
  }
  key.uncertain.clear();
  key.granted_ns = tenure.granted_ns;
  key.granted_to = tenure.process;
}

// A clean-up that answered ok held the lock: whoever had been granted it before it was called, and had let go, perhaps,
// had done so by then.
void OwnerRule::cleaned_up(const Event& event, const Operation& operation) {
  Key& key = at(event.key);
  for (const Uncertain& each : key.uncertain) {
    if (each.process == event.process || each.granted_ns >= operation.invoked_ns) continue;
    lost_ns_[each.process] = std::min(lost_ns_[each.process], event.time_ns);
  }
  key.proved = {operation.invoked_ns, event.time_ns};
}

// Nobody knows what became of the release of `tenure`, so it may be sent again, unless somebody held the lock since.
void OwnerRule::uncertain(const Event& event, const Operation& operation) {
  allow_release(event.process, event.key);
  std::int64_t& lost_ns = lost_by(event.process);
  lost_ns = kNever;
  if (!operation.tenure) return;
  Key& key = at(event.key);
  if (key.granted_to != event.process && key.granted_ns > operation.invoked_ns) lost_ns = key.granted_ns;
  const std::int64_t granted_ns = operation.tenure->granted_ns;
  if (key.proved.from_ns > granted_ns && key.proved.to_ns > operation.invoked_ns) {
    lost_ns = std::min(lost_ns, key.proved.to_ns);
  }
  key.uncertain.push_back({event.process, granted_ns});
}

// The holder gave its belief up without a word to the lock, which may be its own still: as if it had called a release
// of which nobody knows.
void OwnerRule::given_up(const Tenure& tenure) {
  allow_release(tenure.process, tenure.key);
  lost_by(tenure.process) = kNever;
  at(tenure.key).uncertain.push_back({tenure.process, tenure.granted_ns});
}

std::int64_t& OwnerRule::lost_by(std::uint32_t process) {
  if (process >= lost_ns_.size()) lost_ns_.resize(process + 1, kNever);
  return lost_ns_[process];
}

void OwnerRule::completed(const Event& event, const Operation& operation) {
  if (event.op == Op::acquire) acquired(event, operation);
  if (event.op == Op::release) released(event, operation);
}

void OwnerRule::acquired(const Event& event, const Operation& operation) {
  if (event.type == EventType::info) uncertain(event, {});
  if (event.type != EventType::ok || !operation.tenure || context_.header.model == "reentrant") return;
  const Tenure& own = *operation.tenure;
  if (own.lease_ns > 0 && (operation.valid_to_ns <= event.time_ns || !context_.story.timed())) return;
  findings_.add("granted_twice", 0, [&] {
    Witness witness = operation_witness(context_, event, operation);
    add_tenure(witness, own);
    witness.text = fmt::format("{} It was granted it again at {} (#{}) without having released it.",
                               context_.story.held(own), context_.story.at(event.time_ns), event.index);
    return witness;
  });
}

void OwnerRule::released(const Event& event, const Operation& operation) {
  const bool lost = event.process < lost_ns_.size() && lost_ns_[event.process] < operation.invoked_ns;
  const bool rightful = operation.tenure || (may_release(event.process, event.key) && !lost);
  if (event.type == EventType::ok && !operation.tenure) cleaned_up(event, operation);
  if (event.type == EventType::info && rightful) uncertain(event, operation);
  if (event.type != EventType::ok || rightful) return;
  findings_.add("release_without_grant", 0, [&] {
    const Story& story = context_.story;
    Witness witness = operation_witness(context_, event, operation);
    witness.text = fmt::format("{} released {} at {} (#{}) and was answered ok, but had nothing to give back.",
                               capitalized(story.who(event.process, event.client)), story.key(event.key),
                               story.at(event.time_ns), event.index);
    return witness;
  });
}

}  // namespace holdfast
