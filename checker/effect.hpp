// Whether an operation took effect: it answered ok, and its statements, where they were recorded, did not all change
// nothing. An answer of ok that did nothing harms nobody. And when, as far as that is known.
#pragma once

#include <algorithm>

#include "checker/hold.hpp"
#include "history/event.hpp"

namespace holdfast {

inline bool changed_something(const Event& event) {
  return std::any_of(event.statements.begin(), event.statements.end(), [](const auto& s) { return s.rows > 0; });
}

inline bool took_effect(const Event& event) {
  if (event.type != EventType::ok) return false;
  const auto answered = [](const Statement& s) { return s.rows >= 0; };
  return changed_something(event) || !std::any_of(event.statements.begin(), event.statements.end(), answered);
}

// The time in which an operation that took effect surely did so: from the call of its first statement to the answer of
// its last. A client may have stood still before and after, and the lock gone from hand to hand meanwhile.
//
// It is the whole operation where that cannot be told: without statements; with one that got no answer, which may act
// later; and with one that found nothing beside others, since rows are also those of a read. Of an update that left its
// row as it was and a look at the token after it, only the look has rows, and it changed nothing.
inline Window acted_within(const Event& event, std::int64_t invoked_ns) {
  const Window whole{invoked_ns, event.time_ns};
  if (event.statements.empty()) return whole;
  Window acted{event.time_ns, invoked_ns};
  for (const Statement& s : event.statements) {
    const bool inside = whole.from_ns <= s.call_ns && s.call_ns <= s.return_ns && s.return_ns <= whole.to_ns;
    if (s.rows <= 0 || !inside) return whole;
    acted = {std::min(acted.from_ns, s.call_ns), std::max(acted.to_ns, s.return_ns)};
  }
  return acted;
}

}  // namespace holdfast
