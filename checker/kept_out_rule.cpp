#include "checker/kept_out_rule.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace holdfast {
namespace {

constexpr std::int64_t kFewestRefusals = 3;
constexpr std::int64_t kFewestGrants = 2;

}  // namespace

KeptOutRule::Key& KeptOutRule::at(std::uint32_t key) {
  if (key >= keys_.size()) keys_.resize(key + 1);
  return keys_[key];
}

void KeptOutRule::granted(const Hold& hold) {
  Key& key = at(hold.key);
  key.granted_ns[hold.client] = hold.granted_ns;
  key.refused.erase(hold.client);
  key.granted_since.erase(hold.client);
  for (auto& [client, count] : key.granted_since) ++count;
}

void KeptOutRule::event(const Event& event) {
  if (event.actor != Actor::client || event.type == EventType::invoke) return;
  if (event.op == Op::write || event.op == Op::leave) return;
  Key& key = at(event.key);
  const bool busy = event.op == Op::acquire && event.type == EventType::fail && event.reason == Reason::busy;
  if (busy) refused(key, event);
  if (key.last.client != event.client) key.last_of_another = key.last;
  key.last = {event.client, event.time_ns};
}

bool KeptOutRule::others_asked(const Key& key, const Event& event, std::int64_t invoked_ns) const {
  const Answered& answered = key.last.client == event.client ? key.last_of_another : key.last;
  if (answered.ns >= invoked_ns) return true;
  bool open = false;
  context_.holds.each_open(
      [&](std::uint32_t, const Operation& o) { open = open || (o.key == event.key && o.op != Op::write); });
  return open;
}

// Another key that is held may be what is in the way, and that is another mistake (free_rule.hpp).
bool KeptOutRule::anything_held() const {
  for (std::uint32_t key = 0; key < context_.names.keys.size(); ++key) {
    if (!context_.holds.believers(key).empty()) return true;
  }
  return false;
}

void KeptOutRule::refused(Key& key, const Event& event) {
  const Operation& attempt = context_.holds.operation();
  const auto free_since_ns = free_.since_ns(event.key);
  if (!free_since_ns || attempt.invoked_ns <= *free_since_ns + context_.header.guard_ns) return;
  const FaultLog::Reach reach = context_.faults.reach_of(event.client);
  if (reach.in_force || attempt.invoked_ns <= reach.quiet_since_ns) return;
  if (others_asked(key, event, attempt.invoked_ns) || anything_held()) return;  // the latter looks at all keys
  KeptOut& found = key.refused[event.client];
  if (found.refusals++ == 0) {
    found.key = event.key;
    found.client = event.client;
    found.process = event.process;
    found.from_ns = attempt.invoked_ns;
    found.indices = {attempt.index};
    found.behind_reader = true;
  }
  found.behind_reader = found.behind_reader && !attempt.shared && free_.lost_a_reader(event.key);
  found.others_granted += std::exchange(key.granted_since[event.client], 0);
  found.to_ns = event.time_ns;
  found.indices.resize(1);
  found.indices.push_back(event.index);
}

bool KeptOutRule::is_violated(const KeptOut& found, std::int64_t bound_ns) {
  const bool often = found.refusals >= kFewestRefusals && found.others_granted >= kFewestGrants;
  return often && found.to_ns - found.from_ns >= bound_ns;
}

std::optional<std::uint32_t> KeptOutRule::only_one_granted(const Key& key, std::int64_t since_ns) {
  std::optional<std::uint32_t> out;
  for (const auto& [client, granted_ns] : key.granted_ns) {
    if (granted_ns < since_ns) continue;
    if (out) return std::nullopt;
    out = client;
  }
  return out;
}

void KeptOutRule::finish() {
  for (const Key& key : keys_) {
    std::vector<KeptOut> all;
    for (const auto& [client, found] : key.refused) {
      if (is_violated(found, context_.header.progress_bound_ns)) all.push_back(found);
    }
    for (KeptOut& found : all) {
      if (key.refused.size() > 1) found.to_one = only_one_granted(key, found.from_ns);
      report_(found);
    }
  }
}

Witness kept_out_witness(const PropertyContext& context, const KeptOut& found) {
  const Story& story = context.story;
  Witness witness{context.names.keys.at(found.key), "", found.indices, {found.client}, found.from_ns, found.to_ns, ""};
  witness.text = fmt::format(
      "{} asked for {} from {} on and was refused as busy until the end of the trial, most recently at {}; {} of these "
      "refusals came while the key had been released and no other client was asking for it. ",
      story.subject(found.process, found.client), story.key(found.key), story.at(found.from_ns, found.indices.front()),
      story.at(found.to_ns, found.indices.back()), found.refusals);
  if (found.behind_reader) {
    witness.text += fmt::format(
        "It asked for the key alone; a reader had ended without a release before, longer ago than its lease may last. "
        "Meanwhile other readers were granted the key {} times.",
        found.others_granted);
  } else if (found.to_one) {
    witness.clients.push_back(*found.to_one);
    witness.text += fmt::format("Meanwhile only client {} was granted the key, {} times, and released it each time.",
                                *found.to_one, found.others_granted);
  } else {
    witness.text += fmt::format("Meanwhile other clients were granted the key {} times.", found.others_granted);
  }
  return witness;
}

}  // namespace holdfast
