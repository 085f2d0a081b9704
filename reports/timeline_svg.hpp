// The picture of a trial: one lane for each client, its spans of belief with the ends of their leases, the faults
// above, the writes, and the violation hatched in red; below it a strip of the whole trial.
//
//   out.add(timeline_svg({timeline, &witness, "mutual_exclusion"}));
//
// Static SVG without scripts. The hatches are defined once for each page (page/hatches.html). A picture is at most some
// 40 kB however long the trial was: spans that lie too close together are drawn as one.
#pragma once

#include <string>
#include <vector>

#include "artifact/verdict.hpp"
#include "reports/focus.hpp"
#include "reports/html.hpp"

namespace holdfast {

struct Picture {
  const Timeline& timeline;
  const Witness* witness = nullptr;  // null: nothing was violated
  std::string property;              // property of the witness
};

Markup timeline_svg(const Picture&);

// The whole trial in one strip; `marks` are the violations, `window` is what the large picture shows.
Markup overview_svg(const Timeline&, const Stretch& window, const std::vector<Witness>& marks);

}  // namespace holdfast
