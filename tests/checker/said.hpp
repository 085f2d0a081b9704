// A verdict on a property, in a word: `EXPECT_EQ(said(verdict, "progress"), "holds")`.
#pragma once

#include <string>

#include "artifact/verdict.hpp"

namespace holdfast {

inline constexpr const char* kBelief = "mutual_exclusion";
inline constexpr const char* kLease = "lease_exclusion";

// "violated:overrun", "holds", ...
inline std::string said(const TrialVerdict& verdict, const std::string& property) {
  const PropertyVerdict* found = verdict.find(property);
  if (!found) return "no such property";
  return to_text(found->judgement) + (found->kind.empty() ? "" : ":" + found->kind);
}

}  // namespace holdfast
