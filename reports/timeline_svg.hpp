// The picture of a trial: one lane for each client, its spans of belief with the ends of their leases, the faults
// above, the writes, and the violation hatched in red; below it a strip of the whole trial. A violation's picture shows
// its clients, from the first grant to the last damage, and has the numbers of the story's steps; its axis is broken
// where nothing of the story happens for long.
//
//   out.add(timeline_svg({timeline, &witness, "mutual_exclusion", nullptr, {12'700'000'000}}, kWide));
//
// Static SVG without scripts. The hatches are defined once for each page (page/hatches.html). A picture is at most some
// 40 kB however long the trial was: spans that lie too close together are drawn as one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "artifact/verdict.hpp"
#include "reports/canvas.hpp"
#include "reports/focus.hpp"
#include "reports/html.hpp"
#include "reports/story_window.hpp"

namespace holdfast {

struct Picture {
  const Timeline& timeline;
  const Witness* witness = nullptr;  // null: nothing was violated
  std::string property;              // property of the witness
  const Witness* next = nullptr;     // the violation that followed from it
  std::vector<std::int64_t> steps;   // the moment of each step of the story; -1: it has none
};

// The part of the trial that the picture shows.
StoryWindow window_of(const Picture&);

// The clients that have a lane in it.
std::vector<std::uint32_t> lanes_of(const Picture&);

Markup timeline_svg(const Picture&, const Layout&);

// The whole trial in one strip; `marks` are the violations, `window` is what the large picture shows.
Markup overview_svg(const Timeline&, const Stretch& window, const std::vector<Witness>& marks);

}  // namespace holdfast
