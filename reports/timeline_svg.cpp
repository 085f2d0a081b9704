#include "reports/timeline_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "reports/canvas.hpp"
#include "reports/durations.hpp"
#include "reports/narration.hpp"
#include "reports/outcome_words.hpp"
#include "reports/timeline_marks.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostTimelineLanes = 16;
constexpr double kStrip = 26;  // for the violation's label
constexpr double kAxis = 22;
constexpr double kLeftOutRow = 14;  // for the lengths of what is left out
constexpr double kTear = 14;
constexpr double kStepRow = 24;
constexpr double kStepApart = 19;
constexpr double kStepRadius = 8;
constexpr double kStoryLane = 46;
constexpr int kTick = 11;
constexpr int kWho = 11;

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
    canvas.box(i % 2 == 0 ? "lane even" : "lane", i % 2 == 0 ? "#f4f6f8" : "#ffffff", canvas.layout.left, y,
               canvas.layout.right - canvas.layout.left, canvas.lane_high, "");
    std::string name = "client " + std::to_string(canvas.lanes[i]);
    if (text_width(name, kWho) > canvas.layout.left - 6) name = "c" + std::to_string(canvas.lanes[i]);
    canvas.label("who", "end", canvas.layout.left - 6, y + Canvas::kBarTop + 13, name, kWho);
  }
}

std::vector<std::int64_t> multiples(std::int64_t step, const Stretch& part) {
  std::vector<std::int64_t> out;
  std::int64_t at = part.from_ns / step * step;
  if (at < part.from_ns) at += step;
  for (; at <= part.to_ns; at += step) out.push_back(at);
  return out;
}

void draw_step(std::size_t number, double moment, double at, double middle, Canvas& canvas) {
  const std::string name = std::to_string(number);
  const auto group = canvas.out.tag("g", {{"class", "step"}, {"data-step", name}});
  const std::string way = fmt::format("M{} {}V{}L{} {}", px(moment), px(canvas.lanes_top), px(canvas.bottom()), px(at),
                                      px(middle - kStepRadius));
  canvas.out.empty("path", {{"class", "step-line"}, {"fill", "none"}, {"stroke", "#5a6672"}, {"d", way}});
  canvas.out.empty("circle", {{"cx", px(at)}, {"cy", px(middle)}, {"r", px(kStepRadius)}, {"fill", "#16212c"}});
  canvas.out.element("text",
                     {{"class", "step-number"},
                      {"text-anchor", "middle"},
                      {"x", px(at)},
                      {"y", px(middle + 4)},
                      {"font-size", "11"},
                      {"fill", "#ffffff"}},
                     name);
}

// Parts of the window that are drawn to scale.
std::vector<Stretch> kept_parts(const Canvas& canvas) {
  std::vector<Stretch> out;
  std::int64_t from = canvas.window.from_ns;
  for (const Stretch& gap : canvas.left_out) {
    out.push_back({from, gap.from_ns});
    from = gap.to_ns;
  }
  out.push_back({from, canvas.window.to_ns});
  return out;
}

void draw_axis(Canvas& canvas, double top, double bottom) {
  const auto parts = kept_parts(canvas);
  std::int64_t kept = 0;
  for (const Stretch& part : parts) kept += part.to_ns - part.from_ns;
  const auto even = ticks({0, kept}, static_cast<int>((canvas.layout.right - canvas.layout.left) / 88));
  const std::int64_t step = even.size() > 1 ? even[1] - even[0] : 1'000'000;
  const double name_ends = canvas.layout.left - 6;
  canvas.take(std::max(name_ends - text_width("seconds", kTick), 0.0), name_ends, bottom + 16);
  std::string grid;  // one path for all lines, which is a third of the size
  for (const Stretch& part : parts) {
    for (const auto time_ns : multiples(step, part)) {
      const double x = canvas.x(time_ns);
      const std::string text = tick_text(time_ns, step);
      const double half = text_width(text, kTick) / 2;
      grid += fmt::format("M{} {}v{}", px(x), px(top), px(bottom + 4 - top));
      if (canvas.take(x - half, x + half, bottom + 16)) canvas.label("tick", "middle", x, bottom + 16, text, kTick);
    }
  }
  canvas.out.empty("path", {{"class", "grid"}, {"stroke", "#d5dae0"}, {"d", grid}});
  canvas.line("axis", "#7a838c", canvas.layout.left, bottom, canvas.layout.right, bottom);
  canvas.label("tick", "end", name_ends, bottom + 16, "seconds", kTick);
}

// A tear across the lanes for each part that is left out, and its length below the axis.
void draw_tears(Canvas& canvas, double bottom) {
  for (const Stretch& gap : canvas.left_out) {
    const double middle = canvas.x(gap.from_ns + (gap.to_ns - gap.from_ns) / 2);
    const double from = middle - kTear / 2;
    std::string edges;
    for (const double x : {from, from + kTear}) {
      edges += fmt::format("M{} {}", px(x), px(canvas.lanes_top - 4));
      double side = 3;
      for (double y = canvas.lanes_top - 4; y < bottom; y += 6, side = -side) edges += fmt::format("l{} 6", px(side));
    }
    canvas.box("tear", "#ffffff", from, canvas.lanes_top - 4, kTear, bottom - canvas.lanes_top + 10,
               length_text(gap.to_ns - gap.from_ns) + " are left out");
    canvas.out.empty("path", {{"class", "tear-edge"}, {"fill", "none"}, {"stroke", "#7a838c"}, {"d", edges}});
    const std::string text = "⋯ " + length_text(gap.to_ns - gap.from_ns) + " ⋯";
    const double half = text_width(text, kTick) / 2;
    const double at = std::clamp(middle, half, canvas.layout.width - half);
    if (canvas.take(at - half, at + half, bottom + 30)) canvas.label("tick", "middle", at, bottom + 30, text, kTick);
  }
}

// Numbers in the order of time below the lanes, each with a line to its moment.
void draw_steps(const std::vector<std::int64_t>& steps, Canvas& canvas) {
  std::vector<std::pair<double, std::size_t>> marks;  // place and number
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i] >= 0) marks.emplace_back(canvas.x(steps[i]), i + 1);
  }
  if (marks.empty()) return;
  std::stable_sort(marks.begin(), marks.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  const auto count = static_cast<double>(marks.size());
  const double apart = std::min(kStepApart, (canvas.layout.right - canvas.layout.left) / count);
  double least = canvas.layout.left;
  const double middle = canvas.bottom() + kStepRow / 2 + 2;
  canvas.label("who", "end", canvas.layout.left - 10, middle + 4, "steps", 12);
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const double most = canvas.layout.right - apart * (count - 1 - static_cast<double>(i));
    const double at = std::clamp(marks[i].first, std::min(least, most), most);
    least = at + apart;
    draw_step(marks[i].second, marks[i].first, at, middle, canvas);
  }
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

StoryWindow window_of(const Picture& picture) {
  if (picture.witness == nullptr) return {focus(picture.timeline, nullptr), {}};
  std::vector<const Witness*> witnesses{picture.witness};
  if (picture.next != nullptr) witnesses.push_back(picture.next);
  std::vector<std::int64_t> moments = picture.steps;
  std::erase(moments, -1);
  return story_window(picture.timeline, witnesses, moments);
}

std::vector<std::uint32_t> lanes_of(const Picture& picture) {
  if (picture.witness != nullptr && !picture.witness->clients.empty()) {
    std::vector<std::uint32_t> out;
    for (const Witness* witness : {picture.witness, picture.next}) {
      if (witness == nullptr) continue;
      for (const std::uint32_t client : witness->clients) {
        if (std::find(out.begin(), out.end(), client) == out.end()) out.push_back(client);
      }
    }
    out.resize(std::min(out.size(), kMostTimelineLanes));
    return out;
  }
  return lanes(picture.timeline, window_of(picture).shown, picture.witness, kMostTimelineLanes);
}

Markup timeline_svg(const Picture& picture, const Layout& layout) {
  Canvas canvas;
  canvas.layout = layout;
  StoryWindow window = window_of(picture);
  canvas.window = window.shown;
  canvas.left_out = std::move(window.left_out);
  canvas.lanes = lanes_of(picture);
  canvas.only_lanes = picture.witness != nullptr && !picture.witness->clients.empty();
  if (picture.witness != nullptr) canvas.lane_high = kStoryLane;
  const auto rows = fault_rows(picture.timeline, canvas);
  double faults_high = 0;
  for (const auto& row : rows) faults_high += height_of(row);
  canvas.lanes_top = faults_high + (picture.witness != nullptr ? kStrip : 6);
  const bool stepped = std::any_of(picture.steps.begin(), picture.steps.end(), [](auto at) { return at >= 0; });
  const double bottom = canvas.bottom() + (stepped ? kStepRow : 0);
  const double height = bottom + kAxis + (canvas.left_out.empty() ? 0 : kLeftOutRow);
  const bool wide = layout.width == kWide.width;
  {
    const auto svg = canvas.out.tag("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
                                            {"class", canvas.lane_high < kStoryLane ? "timeline"
                                                      : wide                        ? "timeline wide"
                                                                                    : "timeline narrow"},
                                            {"role", "img"},
                                            {"aria-label", description(picture, canvas)},
                                            {"viewBox", fmt::format("0 0 {} {}", px(layout.width), px(height))},
                                            {"width", "100%"},
                                            {"display", wide ? "" : "none"},
                                            {"font-family", "system-ui, sans-serif"}});
    draw_lanes(canvas);
    draw_axis(canvas, canvas.lanes_top, bottom);
    draw_fault_rows(rows, canvas);
    draw_fault_bands(picture.timeline, canvas);
    draw_bars(picture.timeline, picture.witness, picture.property, canvas);
    draw_tears(canvas, bottom);
    draw_bar_labels(picture.timeline, picture.witness, canvas);
    draw_writes(picture.timeline, picture.witness, canvas);
    draw_steps(picture.steps, canvas);
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
