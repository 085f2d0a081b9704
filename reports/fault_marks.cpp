#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "artifact/visible.hpp"
#include "reports/durations.hpp"
#include "reports/narration.hpp"
#include "reports/timeline_marks.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostFaultRows = 4;
constexpr std::size_t kMostBands = 60;
constexpr double kFaultLetter = 6.3;  // about the width of one at size 11
constexpr std::size_t kMostLetters = 120;

std::string fault_title(const FaultSpan& fault) {
  const std::string whom = fault.clients.empty() ? "" : ", " + clients_text(fault.clients);
  const std::string detail = fault.detail.empty() ? "" : ": " + fault.detail;
  return fmt::format("{}{}, {} to {}{}", fault.fault, whom, moment_text(fault.from_ns), moment_text(fault.to_ns),
                     detail);
}

// The text stands inside its bar, else after it, else before it; where none has room, it is cut to the largest.
FaultLabel placed(const FaultSpan& fault, const Canvas& canvas) {
  const std::string whom = fault.clients.empty() ? "" : " · " + clients_text(fault.clients);
  const std::string detail = fault.detail.empty() ? "" : " · " + fault.detail;
  const std::string text = fitted(fault.fault + whom + detail, kMostLetters);
  const double from = canvas.x(fault.from_ns);
  const double to = std::max(canvas.x(fault.to_ns), from + 3);
  const double before = from - Canvas::kLeft;
  const double after = Canvas::kRight - to;
  const double wide = static_cast<double>(columns(text)) * kFaultLetter + 8;
  const double room = std::min(wide, std::max({to - from, after, before}));
  const auto letters = static_cast<std::size_t>(std::lround(std::max(room - 8, 0.0) / kFaultLetter));
  const std::string fitting = clipped(text, std::max<std::size_t>(letters, 2));
  if (to - from >= room) return {&fault, from, to, fitting, false};
  if (after >= room) return {&fault, from, to + room, fitting, false};
  return {&fault, from - room, to, fitting, true};
}

}  // namespace

std::vector<FaultRow> fault_rows(const Timeline& timeline, const Canvas& canvas) {
  std::vector<FaultRow> rows;
  for (const auto& fault : timeline.faults) {
    if (!canvas.shows(fault.from_ns, fault.to_ns)) continue;
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

void draw_fault_rows(const std::vector<FaultRow>& rows, Canvas& canvas) {
  if (!rows.empty()) canvas.label("who", "end", Canvas::kLeft - 10, 15, "faults", 12);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double y = static_cast<double>(i) * kFaultRow + 2;
    for (const auto& label : rows[i]) {
      const double from = canvas.x(label.fault->from_ns);
      const double wide = std::max(canvas.x(label.fault->to_ns) - from, 3.0);
      canvas.box("fault", "#f0b429", from, y, wide, kFaultRow - 4, fault_title(*label.fault));
      const bool inside = !label.text_left && label.right <= from + wide;
      const double text_x = label.text_left ? from - 4 : inside ? from + 5 : from + wide + 4;
      canvas.label(inside ? "fault-name inside" : "fault-name", label.text_left ? "end" : "start", text_x, y + 13,
                   label.text);
    }
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
      canvas.box("band", "url(#hatch-fault)", from, canvas.lane_y(lane) + 1, wide, Canvas::kLane - 2,
                 fault_title(fault));
    }
  }
}

}  // namespace holdfast
