#include "reports/timeline_marks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <set>

#include "artifact/visible.hpp"
#include "reports/durations.hpp"
#include "reports/focus.hpp"
#include "reports/narration.hpp"
#include "reports/outcome_words.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostTimelineBars = 110;
constexpr std::size_t kMostDrawnWrites = 120;
constexpr std::size_t kFewWrites = 30;  // more are drawn smaller
constexpr double kRoomForNumber = 46;
constexpr int kNoteSize = 10;

bool span_takes_part(const Span& span, const Witness& w) {
  const bool touches = span.from_ns <= w.to_ns && span.to_ns >= w.from_ns && span.key == w.key;
  return touches && std::find(w.clients.begin(), w.clients.end(), span.client) != w.clients.end();
}

std::string bar_title(const Bar& bar) {
  const Span& s = bar.span;
  if (bar.grants > 1) {
    return fmt::format("client {}, \"{}\": {} grants between {} and {}, drawn as one bar", s.client, s.key, bar.grants,
                       moment_text(s.from_ns), moment_text(s.to_ns));
  }
  const std::string lease = s.lease_end_ns == 0
                                ? "no lease"
                                : "lease until " + moment_text(s.lease_end_ns) + (s.doubts.any() ? " at least" : "");
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
             (span.doubts.any() ? "beyond the known end of its lease, " : "after the lease had expired, ") +
                 length_text(span.to_ns - std::max(span.lease_end_ns, span.from_ns)));
}

// A note beside a place on the lane, where no other label is: above or below the bar, to the right or to the left.
void draw_note(const std::string& text, double at, std::initializer_list<double> baselines, Canvas& canvas) {
  const double wide = text_width(text, kNoteSize + 2);  // bold
  for (const double baseline : baselines) {
    if (at + 6 + wide <= canvas.layout.width && canvas.take(at + 6, at + 6 + wide, baseline)) {
      return canvas.label("note", "start", at + 6, baseline, text, kNoteSize);
    }
    if (at - 6 - wide >= canvas.layout.left && canvas.take(at - 6 - wide, at - 6, baseline)) {
      return canvas.label("note", "end", at - 6, baseline, text, kNoteSize);
    }
  }
}

// A tick at the lease's end; if the lease outlived its span, the tick is beyond it, and drawn only if it is
// informative.
void draw_lease(const Span& span, double y, bool named, Canvas& canvas) {
  if (span.lease_end_ns == 0 || !canvas.shows(span.lease_end_ns, span.lease_end_ns)) return;
  if (span.doubts.any() && span.lease_end_ns <= span.from_ns) return;  // it does not show when the lease ended
  if (!lapsed(span) && !named) return;
  const double at = canvas.x(span.lease_end_ns);
  const double top = y + Canvas::kBarTop;
  canvas.line("lease", "#0b2f57", at, top - 5, at, top + Canvas::kBar + 3);
  canvas.out.empty("path", {{"class", "lease-flag"},
                            {"fill", "#0b2f57"},
                            {"d", fmt::format("M{} {}h7l-3.5 5z", px(at - 3.5), px(top - 8))}});
  if (!named) return;
  const std::string text = (span.doubts.any() ? "promised until " : "lease ends ") + moment_text(span.lease_end_ns);
  draw_note(text, at, {y + 11, y + Canvas::kBarTop + Canvas::kBar + 11}, canvas);
}

// Numbers stand above their bars, where neither hatch nor mark covers them.
void draw_bar_label(const Bar& bar, bool named, Canvas& canvas) {
  const Span& span = bar.span;
  const double y = canvas.lane_y(canvas.lane_of(span.client));
  const double from = canvas.x(span.from_ns);
  const double room = canvas.x(span.to_ns) - from;
  if (room < kRoomForNumber && !named) return;
  const std::string text = bar.grants > 1 ? fmt::format("×{}", bar.grants) : fmt::format("#{}", span.grant_index);
  const double wide = text_width(text, kNoteSize);
  const double left = std::min(from + 1, canvas.layout.width - wide);
  if (canvas.take(left, left + wide, y + 11)) canvas.label("number", "start", left, y + 11, text, kNoteSize);
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

constexpr std::size_t kMostFaultRows = 4;
constexpr std::size_t kMostBands = 60;
constexpr int kFaultSize = 11;
constexpr double kFaultLine = 14;
constexpr std::size_t kMostLetters = 120;

std::string fault_title(const FaultSpan& fault) {
  const std::string whom = fault.clients.empty() ? "" : ", " + clients_text(fault.clients);
  const std::string detail = fault.detail.empty() ? "" : ": " + fault.detail;
  return fmt::format("{}{}, {} to {}{}", fault.fault, whom, moment_text(fault.from_ns), moment_text(fault.to_ns),
                     detail);
}

double width_of(const std::vector<std::string>& lines, int size) {
  double out = 0;
  for (const auto& line : lines) out = std::max(out, text_width(line, size));
  return out;
}

// The text stands inside its bar, else after it, else before it, else below it in as many lines as it needs.
FaultLabel placed(const FaultSpan& fault, const Canvas& canvas) {
  const std::string whom = fault.clients.empty() ? "" : " · " + clients_text(fault.clients);
  const std::string detail = fault.detail.empty() ? "" : " · " + fault.detail;
  const std::string text = fitted(fault.fault + whom + detail, kMostLetters);
  const double from = canvas.x(fault.from_ns);
  const double to = std::max(canvas.x(fault.to_ns), from + 3);
  const double wide = text_width(text, kFaultSize) + 10;
  if (to - from >= wide) return {&fault, from, to, {text}, FaultLabel::Side::within};
  if (canvas.layout.right - to >= wide) return {&fault, from, to + wide, {text}, FaultLabel::Side::after};
  if (from - canvas.layout.left >= wide) return {&fault, from - wide, to, {text}, FaultLabel::Side::before};
  const auto letters = static_cast<std::size_t>(canvas.layout.width / text_width("x", kFaultSize));
  return {&fault, 0, canvas.layout.width, wrapped(text, letters), FaultLabel::Side::below};
}

std::string violation_label(const Witness& w, const std::string& property) {
  const bool exclusion = w.clients.size() > 1 && property.ends_with("_exclusion");
  std::string text = "✗ ";
  if (!exclusion) {
    text += spaced(property) + " violated";
  } else if (are_one(w.clients)) {
    text += "acts as holder twice";
  } else {
    text += w.clients.size() == 2 ? "both act as holder" : "all act as holder";
  }
  if (w.to_ns > w.from_ns) text += ", " + length_text(w.to_ns - w.from_ns);
  return text;
}

// A soft ground over whole lanes, so that labels stay readable, and the hatch where the bars are.
void draw_violation(const Witness& w, const std::string& property, Canvas& canvas) {
  const double from = canvas.x(w.from_ns);
  const double wide = std::max(canvas.x(w.to_ns) - from, 2.0);
  const std::size_t count = std::min(std::max<std::size_t>(w.clients.size(), 1), canvas.lanes.size());
  const double top = canvas.lanes_top;
  const std::string title = spaced(property) + " violated";
  canvas.box("violation", "rgba(208,2,27,0.12)", from, top, wide, static_cast<double>(count) * canvas.lane_high, title);
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
  const double half = text_width(text, 13) / 2;  // bold
  const double middle = std::clamp(from + wide / 2, half, std::max(canvas.layout.width - half, half));
  canvas.label("violation-name", "middle", middle, top - 9, text, 12);
}

std::vector<Bar> bars_in_lanes(const Timeline& timeline, const Witness* witness, const Canvas& canvas) {
  auto bars = thinned_bars(timeline.spans, canvas.window, kMostTimelineBars, witness);
  std::erase_if(bars, [&](const Bar& bar) { return canvas.lane_of(bar.span.client) == canvas.lanes.size(); });
  return bars;
}

void draw_fault_label(const FaultLabel& label, double y, Canvas& canvas) {
  using Side = FaultLabel::Side;
  const double from = canvas.x(label.fault->from_ns);
  const double wide = std::max(canvas.x(label.fault->to_ns) - from, 3.0);
  canvas.box("fault", "#f0b429", from, y, wide, kFaultRow - 4, fault_title(*label.fault));
  if (label.side == Side::below) {
    const double left = std::min(from, canvas.layout.width - width_of(label.lines, kFaultSize));
    double baseline = y + kFaultRow + 8;
    for (const auto& line : label.lines) {
      canvas.label("fault-name", "start", std::max(left, 0.0), baseline, line, kFaultSize);
      baseline += kFaultLine;
    }
    return;
  }
  const bool inside = label.side == Side::within;
  const double x = label.side == Side::before ? from - 4 : inside ? from + 5 : from + wide + 4;
  canvas.label(inside ? "fault-name inside" : "fault-name", label.side == Side::before ? "end" : "start", x, y + 13,
               label.lines.front(), kFaultSize);
}

}  // namespace

void draw_bars(const Timeline& timeline, const Witness* witness, const std::string& property, Canvas& canvas) {
  for (const Bar& bar : bars_in_lanes(timeline, witness, canvas)) {
    draw_bar(bar, witness != nullptr && bar.span.key != witness->key, canvas);
  }
  if (witness != nullptr) draw_violation(*witness, property, canvas);
}

// Ends of leases last: there are several places for them.
void draw_bar_labels(const Timeline& timeline, const Witness* witness, Canvas& canvas) {
  const auto named = [&](const Bar& bar) { return witness != nullptr && span_takes_part(bar.span, *witness); };
  const auto bars = bars_in_lanes(timeline, witness, canvas);
  for (const Bar& bar : bars) draw_bar_label(bar, named(bar), canvas);
  for (const Bar& bar : bars) {
    const double y = canvas.lane_y(canvas.lane_of(bar.span.client));
    if (bar.grants == 1) draw_lease(bar.span, y, named(bar), canvas);
  }
}

void draw_writes(const Timeline& timeline, const Witness* witness, Canvas& canvas) {
  const auto writes = thinned_writes(timeline, witness, canvas);
  const char* radius = writes.size() > kFewWrites ? "3.2" : "5";
  std::set<std::size_t> named;  // lanes: once in each is enough
  for (const WriteMark* write : writes) {
    draw_write(*write, radius, canvas);
    const std::size_t lane = canvas.lane_of(write->client);
    if (write->result != "fail" || !named.insert(lane).second) continue;
    draw_note("write refused", canvas.x(write->time_ns) - 12,
              {canvas.lane_y(lane) + Canvas::kBarTop + Canvas::kBar + 11}, canvas);
  }
}

std::vector<FaultRow> fault_rows(const Timeline& timeline, const Canvas& canvas) {
  std::vector<FaultRow> rows;
  for (const auto& fault : timeline.faults) {
    const bool elsewhere = !fault.clients.empty() && canvas.only_lanes &&
                           std::none_of(fault.clients.begin(), fault.clients.end(), [&](std::uint32_t client) {
                             return canvas.lane_of(client) < canvas.lanes.size();
                           });
    if (elsewhere || !canvas.shows(fault.from_ns, fault.to_ns)) continue;
    const FaultLabel label = placed(fault, canvas);
    const auto free = std::find_if(rows.begin(), rows.end(), [&](const FaultRow& row) {
      return std::all_of(row.begin(), row.end(), [&](const FaultLabel& other) {
        return other.right + 6 < label.left || label.right + 6 < other.left;
      });
    });
    if (free != rows.end()) {
      free->push_back(label);
    } else if (rows.size() < kMostFaultRows) {
      rows.push_back({label});
    }
  }
  return rows;
}

double height_of(const FaultRow& row) {
  std::size_t lines = 0;
  for (const auto& label : row) {
    if (label.side == FaultLabel::Side::below) lines = std::max(lines, label.lines.size());
  }
  return kFaultRow + static_cast<double>(lines) * kFaultLine;
}

void draw_fault_rows(const std::vector<FaultRow>& rows, Canvas& canvas) {
  if (!rows.empty()) canvas.label("who", "end", canvas.layout.left - 10, 15, "faults", 12);
  double y = 2;
  for (const auto& row : rows) {
    for (const auto& label : row) draw_fault_label(label, y, canvas);
    y += height_of(row);
  }
}

void draw_fault_bands(const Timeline& timeline, Canvas& canvas) {
  std::size_t drawn = 0;
  for (const auto& fault : timeline.faults) {
    if (!canvas.shows(fault.from_ns, fault.to_ns) || drawn++ >= kMostBands) continue;
    const double from = canvas.x(fault.from_ns);
    const double wide = std::max(canvas.x(fault.to_ns) - from, 2.0);
    if (fault.clients.empty()) {
      canvas.box("band", "url(#hatch-fault)", from, canvas.lanes_top, wide, canvas.bottom() - canvas.lanes_top, "");
    }
    for (const auto client : fault.clients) {
      const std::size_t lane = canvas.lane_of(client);
      if (lane == canvas.lanes.size()) continue;
      canvas.box("band", "url(#hatch-fault)", from, canvas.lane_y(lane) + 1, wide, canvas.lane_high - 2,
                 fault_title(fault));
    }
  }
}

}  // namespace holdfast
