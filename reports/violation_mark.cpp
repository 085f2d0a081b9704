#include <fmt/format.h>

#include <algorithm>

#include "reports/durations.hpp"
#include "reports/outcome_words.hpp"
#include "reports/timeline_marks.hpp"

namespace holdfast {
namespace {

std::string violation_label(const Witness& w, const std::string& property) {
  const bool exclusion = w.clients.size() > 1 && property.ends_with("_exclusion");
  const char* all = w.clients.size() == 2 ? "both" : "all";
  std::string text =
      exclusion ? fmt::format("✗ {} act as holder", all) : fmt::format("✗ {} violated", spaced(property));
  if (w.to_ns > w.from_ns) text += ", " + length_text(w.to_ns - w.from_ns);
  return text;
}

}  // namespace

// A soft ground over whole lanes, so that labels stay readable, and the hatch where the bars are.
void draw_violation(const Witness& w, const std::string& property, Canvas& canvas) {
  const double from = canvas.x(w.from_ns);
  const double wide = std::max(canvas.x(w.to_ns) - from, 2.0);
  const std::size_t count = std::min(std::max<std::size_t>(w.clients.size(), 1), canvas.lanes.size());
  const double top = canvas.lanes_top;
  const std::string title = spaced(property) + " violated";
  canvas.box("violation", "rgba(208,2,27,0.12)", from, top, wide, static_cast<double>(count) * Canvas::kLane, title);
  for (std::size_t lane = 0; lane < count; ++lane) {
    canvas.box("violation-hatch", "url(#hatch-violation)", from, canvas.lane_y(lane) + Canvas::kBarTop, wide,
               Canvas::kBar, title);
  }
  canvas.out.empty("path", {{"class", "violation-mark"},
                            {"fill", "none"},
                            {"stroke", "#b3001b"},
                            {"stroke-width", "2"},
                            {"d", fmt::format("M{} {}v-5h{}v5", px(from), px(top), px(wide))}});
  const std::string text = violation_label(w, property);
  const double half = static_cast<double>(text.size()) * 3.2;
  const double middle = std::clamp(from + wide / 2, Canvas::kLeft + half, Canvas::kRight - half);
  canvas.label("violation-name", "middle", middle, top - 9, text, 12);
}

}  // namespace holdfast
