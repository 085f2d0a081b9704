#include "checker/recoveries.hpp"

#include <algorithm>

namespace holdfast {

void Recoveries::granted(const Hold& hold) {
  for (Healed& one : healed_) {
    if (one.missing.erase(hold.key) == 0) continue;
    one.slowest_ns = std::max(one.slowest_ns, hold.granted_ns - one.at_ns);
  }
}

void Recoveries::event(const Event& event) {
  if (event.actor == Actor::client && event.op == Op::acquire) {
    keys_[event.key] = true;
    for (Healed& one : healed_) {
      if (const auto missing = one.missing.find(event.key); missing != one.missing.end()) missing->second = true;
    }
  }
  if (event.actor != Actor::nemesis || event.step != FaultStep::end) return;
  Healed one{event.fault, event.time_ns, -1, {}};
  for (const auto& [key, asked] : keys_) {
    if (availability_.held(key, event.time_ns)) {
      one.slowest_ns = std::max<std::int64_t>(one.slowest_ns, 0);
    } else {
      one.missing[key] = false;
    }
  }
  healed_.push_back(std::move(one));
}

std::vector<Recovery> Recoveries::finish() const {
  std::vector<Recovery> out;
  for (const Healed& one : healed_) {
    const auto lost = [](const auto& key) { return key.second; };
    const bool never = std::any_of(one.missing.begin(), one.missing.end(), lost);
    if (never || one.slowest_ns >= 0) out.push_back({one.fault, one.at_ns, never ? -1 : one.slowest_ns});
  }
  return out;
}

}  // namespace holdfast
