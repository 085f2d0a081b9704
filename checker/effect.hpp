// Whether an operation took effect: it answered ok, and its statements, where they were recorded, did not all change
// nothing. An answer of ok that did nothing harms nobody.
#pragma once

#include <algorithm>

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

}  // namespace holdfast
