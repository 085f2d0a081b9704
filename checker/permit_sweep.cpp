#include "checker/permit_sweep.hpp"

#include <algorithm>
#include <utility>

namespace holdfast {
namespace {

constexpr std::size_t kMostTried = 256;  // holds that are tried to be left out, one after the other

// The first span of positive length in which more than `capacity` is held; empty (from = to): none.
Window crowded(const PermitHolds& holds, const Window& window, std::int64_t capacity) {
  std::vector<std::pair<std::int64_t, std::int64_t>> changes;
  for (const auto& hold : holds) {
    if (!hold->overlaps(window)) continue;
    changes.push_back({std::max(hold->granted_ns, window.from_ns), hold->takes});
    if (hold->ended_ns < window.to_ns) changes.push_back({hold->ended_ns, -hold->takes});
  }
  std::sort(changes.begin(), changes.end());  // at one time what ends comes first
  std::int64_t held = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    held += changes[i].second;
    const std::int64_t next_ns = i + 1 < changes.size() ? changes[i + 1].first : window.to_ns;
    if (held > capacity && next_ns > changes[i].first) return {changes[i].first, next_ns};
  }
  return {};
}

std::int64_t held_strictly_at(const PermitHolds& holds, std::int64_t time_ns) {
  std::int64_t held = 0;
  for (const auto& hold : holds) {
    if (hold->granted_ns < time_ns && hold->ended_ns > time_ns) held += hold->takes;
  }
  return held;
}

}  // namespace

PermitHolds too_many(const PermitHolds& holds, const Window& window, std::int64_t capacity,
                     const std::shared_ptr<PermitHold>& with) {
  const Window within = with ? Window{std::max(window.from_ns, with->granted_ns),  //
                                      std::min(window.to_ns, with->ended_ns)}
                             : window;
  const Window full = within.from_ns < within.to_ns ? crowded(holds, within, capacity) : Window{};
  if (full.from_ns >= full.to_ns) return {};
  PermitHolds chosen;
  for (const auto& hold : holds) {
    if (hold != with && hold->granted_ns <= full.from_ns && hold->ended_ns >= full.to_ns) chosen.push_back(hold);
  }
  std::stable_sort(chosen.begin(), chosen.end(), [](const auto& a, const auto& b) { return a->takes > b->takes; });
  if (with) chosen.insert(chosen.begin(), with);
  std::int64_t held = 0;
  std::size_t needed = 0;
  while (needed < chosen.size() && held <= capacity) held += chosen[needed++]->takes;
  chosen.resize(needed);
  return chosen;
}

// Between two changes no fewer are held than at the change before or after, counted like this: those are enough.
bool room(const PermitHolds& holds, const Window& window, std::int64_t takes, std::int64_t capacity) {
  std::vector<std::int64_t> moments{window.from_ns, window.to_ns};
  for (const auto& hold : holds) {
    for (const std::int64_t time_ns : {hold->granted_ns, hold->ended_ns}) {
      if (time_ns > window.from_ns && time_ns < window.to_ns) moments.push_back(time_ns);
    }
  }
  return std::any_of(moments.begin(), moments.end(),
                     [&](std::int64_t time_ns) { return held_strictly_at(holds, time_ns) + takes <= capacity; });
}

PermitHolds no_room(const PermitHolds& holds, const Window& window, std::int64_t takes, std::int64_t capacity) {
  PermitHolds chosen;
  for (const auto& hold : holds) {
    if (hold->overlaps(window)) chosen.push_back(hold);
  }
  for (std::size_t i = 0; i < chosen.size() && chosen.size() <= kMostTried;) {
    const auto out = chosen[i];
    chosen.erase(chosen.begin() + static_cast<std::ptrdiff_t>(i));
    if (!room(chosen, window, takes, capacity)) continue;
    chosen.insert(chosen.begin() + static_cast<std::ptrdiff_t>(i++), out);
  }
  return chosen;
}

}  // namespace holdfast
