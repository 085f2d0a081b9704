#include "reports/figure.hpp"

#include <fmt/format.h>

#include "reports/cell_section.hpp"
#include "reports/durations.hpp"
#include "reports/narration.hpp"
#include "reports/page_scripts.hpp"
#include "reports/timeline_svg.hpp"
#include "reports/timeline_table.hpp"

namespace holdfast {

namespace {

bool shows_all(const Timeline& timeline, const Stretch& window) {
  const Stretch all = whole(timeline);
  return window.from_ns <= all.from_ns && window.to_ns >= all.to_ns;
}

std::string caption(const Finding& f, const Timeline& timeline, const Stretch& window) {
  std::string out = f.trial != nullptr ? fmt::format("Trial {}, ", f.trial->number) : "";
  out += fmt::format("{} to {}", moment_text(window.from_ns), moment_text(window.to_ns));
  if (!shows_all(timeline, window)) out += fmt::format(" of {}", moment_text(whole(timeline).to_ns));
  out += ". One lane for each client; times are of one clock, since the trial began.";
  if (timeline.cut) out += " The history is longer than what is kept for pictures.";
  return out;
}

}  // namespace

void write_figure(const Finding& f, const Timeline& timeline, bool signs, HtmlWriter& out) {
  if (timeline.spans.empty() && timeline.faults.empty() && timeline.writes.empty()) {
    out.element("p", {{"class", "quiet"}},
                "No timeline: nobody was granted the lock, or the trial's own verdict is not at hand.");
    return;
  }
  const Stretch window = focus(timeline, f.witness);
  const auto figure =
      out.tag("figure", {{"data-events", f.trial != nullptr ? events_id(*f.trial) : ""},
                         {"data-cell", f.cell != nullptr ? cell_anchor(*f.cell) : ""},
                         {"data-property", f.witness != nullptr ? f.property->property : ""},
                         {"data-from", f.witness != nullptr ? std::to_string(f.witness->from_ns / 1000) : ""}});
  {
    const auto scroll = out.tag("div", {{"class", "scroll still"}});
    out.add(timeline_svg({timeline, f.witness, f.property != nullptr ? f.property->property : ""}));
    const auto marks = f.property != nullptr ? f.property->witnesses : std::vector<Witness>{};
    if (!shows_all(timeline, window)) out.add(overview_svg(timeline, window, marks));
  }
  if (signs) out.add(embedded_markup("signs.html"));
  out.element("figcaption", {}, caption(f, timeline, window));
  write_timeline_table(timeline, window, out);
}

void write_story(const Finding& f, const Timeline* timeline, HtmlWriter& out) {
  const Narration told = narrate(f, timeline);
  const auto story = out.tag("div", {{"class", "story"}});
  {
    const auto list = out.tag("ol", {{"class", "facts"}});
    for (const auto& fact : told.facts) out.element("li", {}, fact);
  }
  if (!told.proven.empty()) {
    const auto p = out.tag("p", {{"class", "proven"}});
    out.element("strong", {}, "Proven: ");
    out.text(told.proven + ".");
  }
  if (!told.suggestion.empty()) {
    const auto p = out.tag("p", {{"class", "suggested"}});
    out.element("strong", {}, told.label + ": ");
    out.text(told.suggestion);
  }
  for (const auto& line : told.controls) {
    const auto p = out.tag("p", {{"class", "suggested"}});
    out.element("strong", {}, "Controls: ");
    out.text(line);
  }
}

}  // namespace holdfast
