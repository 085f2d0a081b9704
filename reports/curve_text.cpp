#include "reports/curve_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/comparison_text.hpp"
#include "reports/durations.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostNamedPoints = 3;

bool is_of_fault(const CurvePoint& point) {
  return point.part != CurvePart::no_fault;
}

std::string named_points(const std::vector<const CurvePoint*>& points) {
  std::string out;
  for (std::size_t i = 0; i < std::min(points.size(), kMostNamedPoints); ++i) {
    const std::string part = points[i]->part == CurvePart::hold || !is_of_fault(*points[i])
                                 ? ""
                                 : std::string(to_text(points[i]->part)) + ", ";
    out += fmt::format("{}{}{} ({})", i == 0 ? "" : "; ", part, points[i]->moment, violated_text(*points[i]));
  }
  if (points.size() > kMostNamedPoints) out += fmt::format("; and {} more", points.size() - kMostNamedPoints);
  return out;
}

std::int64_t measured_points(const CurveRun& run) {
  return std::count_if(run.points.begin(), run.points.end(),
                       [](const CurvePoint& point) { return is_of_fault(point) && point.measured(); });
}

// Percent of a share: an interval is rounded outwards.
std::int64_t floor_percent(double share) {
  return static_cast<std::int64_t>(std::floor(100 * share));
}

std::int64_t ceil_percent(double share) {
  return static_cast<std::int64_t>(std::ceil(100 * share));
}

// "no fault", "acquire"
std::string short_title(CurvePart part) {
  return part == CurvePart::no_fault ? "no fault" : to_text(part);
}

std::string kinds_text(const CurvePoint& point) {
  std::string out;
  for (const auto& [what, count] : point.violations) out += (out.empty() ? "" : ", ") + what;
  return out;
}

// One table, so that the columns of all parts are aligned; a part's title is in its first row.
TerminalText table_of(const CurveRun& run) {
  std::vector<std::vector<std::string>> rows{{"", "#", "moment", "acted", "violated", "95 %"}};
  for (std::size_t i = 0; i < run.points.size(); ++i) {
    const CurvePoint& point = run.points[i];
    const bool first = i == 0 || run.points[i - 1].part != point.part;
    rows.push_back({first ? short_title(point.part) : "", fmt::format("{:>2}", i + 1), point.moment, acted_text(point),
                    violated_text(point), interval_text(point)});
  }
  return aligned(rows);
}

TerminalText details_of(const CurveRun& run) {
  TerminalText out;
  std::size_t number = 0;
  for (const auto& point : run.points) {
    ++number;
    const std::string seen = seen_text(point);
    if (!seen.empty()) out += terminal_text("  {}: {}\n", number, seen);
    if (!point.replay.empty()) out += terminal_text("     rerun: {}\n", point.replay);
  }
  return out.empty() ? out : terminal_text("\n{}", out);
}

}  // namespace

const char* part_title(CurvePart part) {
  switch (part) {
    case CurvePart::no_fault:
      return "without the fault";
    case CurvePart::acquire:
      return "in the acquire";
    case CurvePart::hold:
      return "while the client holds the lock";
    case CurvePart::renew:
      return "in the renewal";
    case CurvePart::release:
      break;
  }
  return "in the release";
}

std::string violated_text(const CurvePoint& point) {
  return point.measured() ? fmt::format("{} of {}", point.violated, point.counted) : "not measured";
}

std::string interval_text(const CurvePoint& point) {
  if (!point.low || !point.high) return "";
  return fmt::format("{}..{} %", floor_percent(*point.low), ceil_percent(*point.high));
}

std::string acted_text(const CurvePoint& point) {
  if (!is_of_fault(point)) return "-";
  return fmt::format("{} of {}", point.acted, point.trials);
}

std::string seen_text(const CurvePoint& point) {
  std::string out = kinds_text(point);
  const auto add = [&out](const std::string& more) { out += (out.empty() ? "" : "; ") + more; };
  if (point.lapsed > 0) add(fmt::format("two holders at once, the data is safe: {}", point.lapsed));
  if (point.undecided > 0) add(fmt::format("undecided: {}", point.undecided));
  if (point.errors > 0) add(fmt::format("the harness failed: {}", point.errors));
  if (point.unavailable > 0) add(fmt::format("cannot run here: {}", point.unavailable));
  if (point.counted < point.trials && !point.reason.empty()) add("not counted: " + point.reason);
  return out;
}

std::string curve_length(const CurveRun& run) {
  if (run.for_ms == 0) return "";
  std::string out = count_text(run.for_ms) + " ms";
  if (run.lease_ms) {
    out += fmt::format(" ({} % of the lease of {} ms)", run.for_ms * 100 / *run.lease_ms, count_text(*run.lease_ms));
  }
  return out;
}

std::string curve_word(const CurveRun& run) {
  return run.interrupted ? "INTERRUPTED" : "CURVE";
}

std::string curve_claim(const CurveRun& run) {
  const std::string length = curve_length(run);
  return fmt::format("{} under {}{} · {} · {} · seed {} · {}", run.lock, run.fault,
                     length.empty() ? "" : " for " + length, plural(run.plans, "trial a point", "trials a point"),
                     run.server.empty() ? "no server" : run.server, run.seed, wall_text(run.seconds));
}

std::string curve_answer(const CurveRun& run) {
  const std::int64_t measured = measured_points(run);
  if (measured == 0) return "No point was measured.";
  std::vector<const CurvePoint*> broken;
  double highest = 0;
  for (const auto& point : run.points) {
    if (!is_of_fault(point) || !point.measured()) continue;
    if (point.violated > 0) broken.push_back(&point);
    highest = std::max(highest, *point.high);
  }
  const std::string all = plural(measured, "measured point", "measured points");
  if (broken.empty()) {
    return fmt::format("{} broke at none of {}; at each, a share of up to {} % is still possible.", run.lock, all,
                       ceil_percent(highest));
  }
  return fmt::format("{} broke at {} of {}: {}.", run.lock, broken.size(), all, named_points(broken));
}

std::string curve_baseline(const CurveRun& run) {
  std::vector<const CurvePoint*> broken;
  for (const auto& point : run.points) {
    if (!is_of_fault(point) && point.violated > 0) broken.push_back(&point);
  }
  return broken.empty() ? "" : fmt::format("Without the fault it broke too: {}.", named_points(broken));
}

TerminalText curve_text(const CurveRun& run) {
  TerminalText out = terminal_text("{}  {}\n\n  {}\n", curve_word(run), curve_claim(run), curve_answer(run));
  if (const std::string base = curve_baseline(run); !base.empty()) out += terminal_text("  {}\n", base);
  if (!run.points.empty()) out += terminal_text("\n{}", table_of(run));
  out += details_of(run);
  for (const auto& left : run.left_out) out += terminal_text("  left out: {}: {}\n", left.moment, left.why);
  for (const auto& note : run.notes) out += terminal_text("  {}\n", note);
  return out;
}

}  // namespace holdfast
