#include "reports/timeline_marks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/durations.hpp"
#include "reports/focus.hpp"
#include "reports/outcome_words.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostTimelineBars = 110;
constexpr std::size_t kMostDrawnWrites = 120;
constexpr std::size_t kFewWrites = 30;  // more are drawn smaller
constexpr double kRoomForNumber = 46;
constexpr double kRoomForLease = 116;

bool span_takes_part(const Span& span, const Witness& w) {
  const bool touches = span.from_ns <= w.to_ns && span.to_ns >= w.from_ns && span.key == w.key;
  return touches && std::find(w.clients.begin(), w.clients.end(), span.client) != w.clients.end();
}

std::string bar_title(const Bar& bar) {
  const Span& s = bar.span;
  if (bar.grants > 1) {
    return fmt::format("client {}, \"{}\": {} grants between {} and {}, drawn as one", s.client, s.key, bar.grants,
                       moment_text(s.from_ns), moment_text(s.to_ns));
  }
  const std::string lease = s.lease_end_ns == 0 ? "no lease" : "lease until " + moment_text(s.lease_end_ns);
  return fmt::format("client {} held \"{}\" from {} (#{}) to {} (#{}), {}", s.client, s.key, moment_text(s.from_ns),
                     s.grant_index, moment_text(s.to_ns), s.end_index, lease);
}

bool lapsed(const Span& span) {
  return span.lease_end_ns != 0 && span.lease_end_ns < span.to_ns;
}

void draw_bar(const Bar& bar, bool other_key, Canvas& canvas) {
  const Span& span = bar.span;
  const double top = canvas.lane_y(canvas.lane_of(span.client)) + Canvas::kBarTop;
  const double from = canvas.x(span.from_ns);
  const double wide = std::max(canvas.x(span.to_ns) - from, 1.5);
  const char* kind = bar.grants > 1 ? "bar many" : other_key ? "bar other" : "bar";
  const char* fill = bar.grants > 1 ? "#9dbfe0" : other_key ? "#a9b4bf" : "#2f74b5";
  canvas.box(kind, fill, from, top, wide, Canvas::kBar, bar_title(bar));
  if (!lapsed(span)) return;
  const double since = std::max(canvas.x(span.lease_end_ns), from);
  canvas.box("lapsed", "url(#hatch-lapsed)", since, top, from + wide - since, Canvas::kBar,
             "after the lease had ended, " + length_text(span.to_ns - std::max(span.lease_end_ns, span.from_ns)));
}

// A tick where the lease ended; that of a lease which outlived its span stands beyond it, where it tells something.
void draw_lease(const Span& span, double y, bool named, Canvas& canvas) {
  if (span.lease_end_ns == 0 || !canvas.shows(span.lease_end_ns, span.lease_end_ns)) return;
  if (!lapsed(span) && !named) return;
  const double at = canvas.x(span.lease_end_ns);
  const double top = y + Canvas::kBarTop;
  canvas.line("lease", "#0b2f57", at, top - 5, at, top + Canvas::kBar + 3);
  canvas.out.empty("path", {{"class", "lease-flag"},
                            {"fill", "#0b2f57"},
                            {"d", fmt::format("M{} {}h7l-3.5 5z", px(at - 3.5), px(top - 8))}});
  if (!named) return;
  const bool left = at - canvas.x(span.from_ns) > kRoomForLease + kRoomForNumber || at > Canvas::kRight - kRoomForLease;
  const std::string text = "lease ends " + moment_text(span.lease_end_ns);
  canvas.label("note", left ? "end" : "start", left ? at - 6 : at + 6, y + 11, text, 10);
}

// Numbers stand above their bars, where neither hatch nor mark covers them.
void draw_bar_label(const Bar& bar, bool named, Canvas& canvas) {
  const Span& span = bar.span;
  const double y = canvas.lane_y(canvas.lane_of(span.client));
  const double from = canvas.x(span.from_ns);
  if (bar.grants == 1) draw_lease(span, y, named, canvas);
  const double room = canvas.x(span.to_ns) - from;
  if (room < kRoomForNumber && !named) return;
  const std::string text = bar.grants > 1 ? fmt::format("×{}", bar.grants) : fmt::format("#{}", span.grant_index);
  canvas.label("number", "start", from + 1, y + 11, text, 10);
}

void draw_write(const WriteMark& write, const char* radius, Canvas& canvas) {
  const double at = canvas.x(write.time_ns);
  const double middle = canvas.lane_y(canvas.lane_of(write.client)) + Canvas::kBarTop + Canvas::kBar / 2;
  const bool ok = write.result == "ok";
  const char* word = ok ? "accepted" : write.result == "fail" ? "refused" : "never answered";
  const auto group = canvas.out.tag("g", {{"class", ok                       ? "write"
                                                    : write.result == "fail" ? "write refused"
                                                                             : "write unknown"}});
  canvas.out.element(
      "title", {},
      fmt::format("client {} wrote at {} (#{}): {}", write.client, moment_text(write.time_ns), write.index, word));
  canvas.out.empty("circle", {{"cx", px(at)},
                              {"cy", px(middle)},
                              {"r", radius},
                              {"fill", ok ? "#10202f" : "#ffffff"},
                              {"stroke", ok ? "#ffffff" : "#10202f"},
                              {"stroke-width", "1.5"}});
  if (write.result == "fail") {
    canvas.line("write-slash", "#10202f", at - 3.5, middle + 3.5, at + 3.5, middle - 3.5);
  } else if (!ok) {
    canvas.label("write-sign", "middle", at, middle + 3.5, "?", 10);
  }
}

// Refused and unanswered writes and those inside the violation always; of the others as many as there is room for.
std::vector<const WriteMark*> thinned_writes(const Timeline& timeline, const Witness* witness, const Canvas& canvas) {
  std::vector<const WriteMark*> shown;
  for (const auto& write : timeline.writes) {
    const bool visible =
        canvas.shows(write.time_ns, write.time_ns) && canvas.lane_of(write.client) < canvas.lanes.size();
    if (visible) shown.push_back(&write);
  }
  if (shown.size() <= kMostDrawnWrites) return shown;
  std::vector<const WriteMark*> out;
  const std::size_t every = shown.size() / (kMostDrawnWrites / 2) + 1;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const bool inside =
        witness != nullptr && shown[i]->time_ns >= witness->from_ns && shown[i]->time_ns <= witness->to_ns;
    const bool telling = (shown[i]->result != "ok" || inside) && out.size() < kMostDrawnWrites;
    if (telling || i % every == 0) out.push_back(shown[i]);
  }
  return out;
}

}  // namespace

void draw_bars(const Timeline& timeline, const Witness* witness, const std::string& property, Canvas& canvas) {
  const auto bars = thinned_bars(timeline.spans, canvas.window, kMostTimelineBars, witness);
  const auto in_lane = [&](const Bar& bar) { return canvas.lane_of(bar.span.client) < canvas.lanes.size(); };
  for (const Bar& bar : bars) {
    if (in_lane(bar)) draw_bar(bar, witness != nullptr && bar.span.key != witness->key, canvas);
  }
  if (witness != nullptr) draw_violation(*witness, property, canvas);
  for (const Bar& bar : bars) {
    if (in_lane(bar)) draw_bar_label(bar, witness != nullptr && span_takes_part(bar.span, *witness), canvas);
  }
}

void draw_writes(const Timeline& timeline, const Witness* witness, Canvas& canvas) {
  const auto writes = thinned_writes(timeline, witness, canvas);
  const char* radius = writes.size() > kFewWrites ? "3.2" : "5";
  for (const WriteMark* write : writes) draw_write(*write, radius, canvas);
}

}  // namespace holdfast
