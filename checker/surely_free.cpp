#include "checker/surely_free.hpp"

#include <algorithm>

#include "artifact/units.hpp"

namespace holdfast {
namespace {

// TCP sends again what a cut has kept, some time after the heal.
constexpr std::int64_t kOnItsWay_ns = 5 * kSecond_ns;

}  // namespace

SurelyFree::Key& SurelyFree::at(std::uint32_t key) {
  if (key >= keys_.size()) keys_.resize(key + 1);
  return keys_[key];
}

void SurelyFree::event(const Event& event) {
  if (event.actor == Actor::nemesis && event.step == FaultStep::kill) {
    for (Key& key : keys_) key.released_ns = -1;
  }
  if (event.actor != Actor::client || event.type == EventType::invoke) return;
  if (event.op == Op::write || event.op == Op::leave) return;
  Key& key = at(event.key);
  if (event.op == Op::release) {
    const bool gave_back = took_effect(event) && context_.holds.believers(event.key).empty();
    key.released_ns = gave_back ? event.time_ns : -1;
  } else if (event.type == EventType::info) {
    key.released_ns = -1;
    const bool known =
        std::find(key.left_unanswered.begin(), key.left_unanswered.end(), event.client) != key.left_unanswered.end();
    if (!known) key.left_unanswered.push_back(event.client);
  }
}

std::optional<std::int64_t> SurelyFree::since_ns(std::uint32_t key) const {
  if (key >= keys_.size() || keys_[key].released_ns < 0) return std::nullopt;
  const Key& known = keys_[key];
  for (const std::uint32_t client : known.left_unanswered) {
    const FaultLog::Reach reach = context_.faults.reach_of(client);
    const bool arrived = reach.quiet_since_ns < 0 || known.released_ns > reach.quiet_since_ns + kOnItsWay_ns;
    if (reach.in_force || !arrived) return std::nullopt;
  }
  return known.released_ns;
}

}  // namespace holdfast
