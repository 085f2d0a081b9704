// The part of a trial that a violation's picture shows: from the first grant to the last damage, ends of leases among
// them. Parts in which nothing of it happens are left out if they would take most of the axis.
//
//   const StoryWindow w = story_window(timeline, {&witness}, steps);
//   w.shown       12.5 s to 16.3 s
//   w.left_out    13.0 s to 14.0 s
#pragma once

#include <cstdint>
#include <vector>

#include "artifact/verdict.hpp"
#include "reports/focus.hpp"

namespace holdfast {

struct StoryWindow {
  Stretch shown;
  std::vector<Stretch> left_out;  // ascending
};

// `steps`: further moments that the picture must show.
StoryWindow story_window(const Timeline&, const std::vector<const Witness*>&, const std::vector<std::int64_t>& steps);

}  // namespace holdfast
