#include "reports/timeline_svg.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/canvas.hpp"
#include "reports/durations.hpp"
#include "reports/narration.hpp"
#include "reports/outcome_words.hpp"
#include "reports/timeline_marks.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostTimelineLanes = 16;
constexpr double kStrip = 26;  // for the violation's label
constexpr double kAxis = 34;

std::string description(const Picture& picture, const Canvas& canvas) {
  std::string out = fmt::format("Timeline of {} from {} to {}.",
                                plural(static_cast<std::int64_t>(canvas.lanes.size()), "client", "clients"),
                                moment_text(canvas.window.from_ns), moment_text(canvas.window.to_ns));
  if (picture.witness != nullptr) {
    const Witness& w = *picture.witness;
    out += fmt::format(" {} violated by {} from {} to {}.", spaced(picture.property), clients_text(w.clients),
                       moment_text(w.from_ns), moment_text(w.to_ns));
  }
  return out;
}

void draw_lanes(Canvas& canvas) {
  for (std::size_t i = 0; i < canvas.lanes.size(); ++i) {
    const double y = canvas.lane_y(i);
    canvas.box(i % 2 == 0 ? "lane even" : "lane", i % 2 == 0 ? "#f4f6f8" : "#ffffff", Canvas::kLeft, y,
               Canvas::kRight - Canvas::kLeft, Canvas::kLane, "");
    canvas.label("who", "end", Canvas::kLeft - 10, y + Canvas::kBarTop + 13,
                 "client " + std::to_string(canvas.lanes[i]), 12);
  }
}

void draw_axis(Canvas& canvas, double top) {
  const auto at = ticks(canvas.window, 10);
  const std::int64_t step = at.size() > 1 ? at[1] - at[0] : 1'000'000;
  const double bottom = canvas.bottom();
  std::string grid;  // one path for all lines, which is a third of the size
  for (const auto time_ns : at) {
    grid += fmt::format("M{} {}v{}", px(canvas.x(time_ns)), px(top), px(bottom + 4 - top));
    canvas.label("tick", "middle", canvas.x(time_ns), bottom + 16, tick_text(time_ns, step));
  }
  canvas.out.empty("path", {{"class", "grid"}, {"stroke", "#d5dae0"}, {"d", grid}});
  canvas.line("axis", "#7a838c", Canvas::kLeft, bottom, Canvas::kRight, bottom);
  canvas.label("tick", "end", Canvas::kLeft - 20, bottom + 16, "seconds");
}

constexpr std::size_t kMostOverviewLanes = 24;
constexpr std::size_t kMostOverviewBars = 200;
constexpr std::size_t kMostCanaries = 100;
constexpr double kRow = 7;
constexpr double kOverviewTop = 14;

// All spans in one path: hundreds of boxes cost little that way.
std::string spans_path(const Timeline& timeline, const Canvas& canvas) {
  std::string out;
  for (const Bar& bar : thinned_bars(timeline.spans, canvas.window, kMostOverviewBars)) {
    const std::size_t lane = canvas.lane_of(bar.span.client);
    if (lane == canvas.lanes.size()) continue;
    const double from = canvas.x(bar.span.from_ns);
    const double wide = std::max(canvas.x(bar.span.to_ns) - from, 0.8);
    out += fmt::format("M{} {}h{}v5h-{}z", px(from), px(kOverviewTop + static_cast<double>(lane) * kRow), px(wide),
                       px(wide));
  }
  return out;
}

void draw_strip(const Timeline& timeline, const Stretch& window, const std::vector<Witness>& marks, Canvas& canvas) {
  const double high = static_cast<double>(canvas.lanes.size()) * kRow;
  const auto across = [&](const char* kind, const char* fill, std::int64_t from_ns, std::int64_t to_ns, double least) {
    const double from = canvas.x(from_ns);
    canvas.box(kind, fill, from, kOverviewTop - 4, std::max(canvas.x(to_ns) - from, least), high + 6, "");
  };
  canvas.box("lane even", "#f4f6f8", Canvas::kLeft, kOverviewTop - 4, Canvas::kRight - Canvas::kLeft, high + 6, "");
  across("view", "#dbe7f3", window.from_ns, window.to_ns, 4);
  for (std::size_t i = 0; i < std::min(timeline.faults.size(), kMostCanaries); ++i) {
    across("band", "url(#hatch-fault)", timeline.faults[i].from_ns, timeline.faults[i].to_ns, 1.5);
  }
  canvas.out.empty("path", {{"class", "bar"}, {"fill", "#2f74b5"}, {"d", spans_path(timeline, canvas)}});
  for (std::size_t i = 0; i < std::min(marks.size(), kMostCanaries); ++i) {
    across("mark", "rgba(179,0,27,0.5)", marks[i].from_ns, marks[i].to_ns, 2);
  }
  canvas.label("who", "end", Canvas::kLeft - 10, kOverviewTop + high / 2 + 3, "all", 12);
  canvas.label("tick", "start", Canvas::kLeft, kOverviewTop + high + 14, moment_text(canvas.window.from_ns), 10);
  canvas.label("tick", "end", Canvas::kRight, kOverviewTop + high + 14, moment_text(canvas.window.to_ns), 10);
  const double middle = (canvas.x(window.from_ns) + canvas.x(window.to_ns)) / 2;
  canvas.label("tick", "middle", std::clamp(middle, Canvas::kLeft + 110, Canvas::kRight - 110),
               kOverviewTop + high + 14, "shown above", 10);
}

}  // namespace

Markup timeline_svg(const Picture& picture) {
  Canvas canvas;
  canvas.window = focus(picture.timeline, picture.witness);
  canvas.lanes = lanes(picture.timeline, canvas.window, picture.witness, kMostTimelineLanes);
  const auto rows = fault_rows(picture.timeline, canvas);
  const double faults_high = static_cast<double>(rows.size()) * kFaultRow;
  canvas.lanes_top = faults_high + (picture.witness != nullptr ? kStrip : 6);
  const double height = canvas.bottom() + kAxis;
  {
    const auto svg = canvas.out.tag("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
                                            {"class", "timeline"},
                                            {"role", "img"},
                                            {"aria-label", description(picture, canvas)},
                                            {"viewBox", fmt::format("0 0 {} {}", px(Canvas::kWidth), px(height))},
                                            {"width", "100%"},
                                            {"font-family", "system-ui, sans-serif"}});
    draw_lanes(canvas);
    draw_axis(canvas, canvas.lanes_top);
    draw_fault_rows(rows, canvas);
    draw_fault_bands(picture.timeline, canvas);
    draw_bars(picture.timeline, picture.witness, picture.property, canvas);
    draw_writes(picture.timeline, picture.witness, canvas);
  }
  return std::move(canvas.out).take();
}

Markup overview_svg(const Timeline& timeline, const Stretch& window, const std::vector<Witness>& marks) {
  Canvas canvas;
  canvas.window = whole(timeline);
  canvas.lanes = lanes(timeline, canvas.window, nullptr, kMostOverviewLanes);
  const double height = kOverviewTop + static_cast<double>(canvas.lanes.size()) * kRow + 20;
  {
    const auto svg = canvas.out.tag("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
                                            {"class", "overview"},
                                            {"role", "img"},
                                            {"aria-label", "The whole trial; the part shown above is marked."},
                                            {"viewBox", fmt::format("0 0 {} {}", px(Canvas::kWidth), px(height))},
                                            {"width", "100%"},
                                            {"font-family", "system-ui, sans-serif"}});
    draw_strip(timeline, window, marks, canvas);
  }
  return std::move(canvas.out).take();
}

}  // namespace holdfast
