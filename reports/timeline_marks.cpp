#include "reports/timeline_marks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/durations.hpp"
#include "reports/focus.hpp"
#include "reports/outcome_words.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostBars = 110;
constexpr std::size_t kMostWrites = 120;
constexpr double kRoomForNumber = 46;

bool touches(const Span& span, const Witness& w) { return span.from_ns <= w.to_ns && span.to_ns >= w.from_ns; }

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

// The part after the lease's end, and a tick where it ended. The tick of a lease that outlived its span stands beyond it.
void draw_lease(const Span& span, double y, bool named, Canvas& canvas) {
  if (span.lease_end_ns == 0 || !canvas.shows(span.lease_end_ns, span.lease_end_ns)) return;
  const double at = canvas.x(span.lease_end_ns);
  const bool lapsed = span.lease_end_ns < span.to_ns;
  if (!lapsed && !named) return;
  const double top = y + Canvas::kBarTop;
  canvas.line("lease", "#0b2f57", at, top - 5, at, top + Canvas::kBar + 3);
  canvas.out.empty("path", {{"class", "lease-flag"},
                            {"fill", "#0b2f57"},
                            {"d", fmt::format("M{} {}h7l-3.5 5z", px(at - 3.5), px(top - 8))}});
  if (!named) return;
  const bool right = at > Canvas::kRight - 110;
  canvas.label("note", right ? "end" : "start", right ? at - 6 : at + 6, y + 11, "lease ends " + moment_text(span.lease_end_ns), 10);
}

void draw_bar(const Bar& bar, bool other_key, bool named, Canvas& canvas) {
  const Span& span = bar.span;
  const double y = canvas.lane_y(canvas.lane_of(span.client));
  const double top = y + Canvas::kBarTop;
  const double from = canvas.x(span.from_ns);
  const double wide = std::max(canvas.x(span.to_ns) - from, 1.5);
  const char* kind = bar.grants > 1 ? "bar many" : other_key ? "bar other" : "bar";
  canvas.box(kind, bar.grants > 1 ? "#9dbfe0" : other_key ? "#a9b4bf" : "#2f74b5", from, top, wide, Canvas::kBar, bar_title(bar));
  if (span.lease_end_ns != 0 && span.lease_end_ns < span.to_ns) {
    const double since = std::max(canvas.x(span.lease_end_ns), from);
    canvas.box("lapsed", "url(#hatch-lapsed)", since, top, from + wide - since, Canvas::kBar,
               "after the lease had ended, " + length_text(span.to_ns - std::max(span.lease_end_ns, span.from_ns)));
  }
  if (bar.grants == 1) draw_lease(span, y, named, canvas);
  if (wide < kRoomForNumber) return;
  const bool many = bar.grants > 1;
  const std::string text = many ? fmt::format("×{}", bar.grants) : fmt::format("#{}", span.grant_index);
  canvas.label(many ? "number many" : "number", "start", from + 5, top + 13, text, 11);
}

void draw_write(const WriteMark& write, Canvas& canvas) {
  const double at = canvas.x(write.time_ns);
  const double middle = canvas.lane_y(canvas.lane_of(write.client)) + Canvas::kBarTop + Canvas::kBar / 2;
  const bool ok = write.result == "ok";
  const char* word = ok ? "accepted" : write.result == "fail" ? "refused" : "never answered";
  const auto group = canvas.out.tag("g", {{"class", ok ? "write" : write.result == "fail" ? "write refused" : "write unknown"}});
  canvas.out.element("title", {}, fmt::format("client {} wrote at {} (#{}): {}", write.client, moment_text(write.time_ns), write.index, word));
  canvas.out.empty("circle", {{"cx", px(at)}, {"cy", px(middle)}, {"r", "5"}, {"fill", ok ? "#10202f" : "#ffffff"},
                              {"stroke", ok ? "#ffffff" : "#10202f"}, {"stroke-width", "1.5"}});
  if (!ok && write.result != "fail") canvas.label("write-sign", "middle", at, middle + 3.5, "?", 10);
}

// Refused and unanswered writes and those inside the violation always; of the others as many as there is room for.
std::vector<const WriteMark*> thinned_writes(const Timeline& timeline, const Witness* witness, const Canvas& canvas) {
  std::vector<const WriteMark*> shown;
  for (const auto& write : timeline.writes) {
    const bool visible = canvas.shows(write.time_ns, write.time_ns) && canvas.lane_of(write.client) < canvas.lanes.size();
    if (visible) shown.push_back(&write);
  }
  if (shown.size() <= kMostWrites) return shown;
  std::vector<const WriteMark*> out;
  const std::size_t every = shown.size() / (kMostWrites / 2) + 1;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const bool inside = witness != nullptr && shown[i]->time_ns >= witness->from_ns && shown[i]->time_ns <= witness->to_ns;
    const bool telling = (shown[i]->result != "ok" || inside) && out.size() < kMostWrites;
    if (telling || i % every == 0) out.push_back(shown[i]);
  }
  return out;
}

}  // namespace

void draw_bars(const Timeline& timeline, const Witness* witness, Canvas& canvas) {
  for (const Bar& bar : thinned_bars(timeline.spans, canvas.window, kMostBars, witness)) {
    if (canvas.lane_of(bar.span.client) == canvas.lanes.size()) continue;
    const bool other_key = witness != nullptr && bar.span.key != witness->key;
    const bool theirs = witness != nullptr && !other_key && touches(bar.span, *witness) &&
                        std::find(witness->clients.begin(), witness->clients.end(), bar.span.client) != witness->clients.end();
    draw_bar(bar, other_key, theirs, canvas);
  }
}

void draw_writes(const Timeline& timeline, const Witness* witness, Canvas& canvas) {
  for (const WriteMark* write : thinned_writes(timeline, witness, canvas)) draw_write(*write, canvas);
}

void draw_violation(const Witness& w, const std::string& property, Canvas& canvas) {
  const double from = canvas.x(w.from_ns);
  const double wide = std::max(canvas.x(w.to_ns) - from, 2.0);
  const auto count = static_cast<double>(std::clamp<std::size_t>(w.clients.size(), 1, std::max<std::size_t>(canvas.lanes.size(), 1)));
  const double top = canvas.lanes_top;
  canvas.box("violation", "url(#hatch-violation)", from, top, wide, count * Canvas::kLane, spaced(property) + " violated");
  const bool exclusion = w.clients.size() > 1 && property.ends_with("_exclusion");
  const char* all = w.clients.size() == 2 ? "both" : "all";
  std::string text = exclusion ? fmt::format("✗ {} act as owner", all) : fmt::format("✗ {} violated", spaced(property));
  if (w.to_ns > w.from_ns) text += fmt::format(", {}", length_text(w.to_ns - w.from_ns));
  canvas.out.empty("path", {{"class", "violation-mark"}, {"fill", "none"}, {"stroke", "#b3001b"}, {"stroke-width", "2"},
                            {"d", fmt::format("M{} {}v-5h{}v5", px(from), px(top), px(wide))}});
  const double half = static_cast<double>(text.size()) * 3.2;
  const double middle = std::clamp(from + wide / 2, Canvas::kLeft + half, Canvas::kRight - half);
  canvas.label("violation-name", "middle", middle, top - 9, text, 12);
}

}  // namespace holdfast
