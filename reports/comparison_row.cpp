#include "reports/comparison_row.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "artifact/error.hpp"
#include "reports/durations.hpp"

namespace holdfast {
namespace {

std::string waits_text(const ComparedLatency& l) {
  return l.count == 0 ? "-" : length_text(l.p50_ns) + " / " + length_text(l.p99_ns);
}

std::string unavailable_text(const ServiceNumbers& s) {
  if (s.load_ns == 0) return "-";
  if (s.unavailable_ns == 0) return "none";
  const double share = 100.0 * static_cast<double>(s.unavailable_ns) / static_cast<double>(s.load_ns);
  return fmt::format("{} ({:.0f} %), longest {}", length_text(s.unavailable_ns / s.trials), share,
                     length_text(s.longest_gap_ns));
}

std::string recovery_text(const ServiceNumbers& s) {
  if (s.recoveries == 0) return "-";
  if (s.unrecovered > 0) return fmt::format("never, {} of {} times", s.unrecovered, s.recoveries);
  return s.slowest_recovery_ns == 0 ? "at once" : length_text(s.slowest_recovery_ns);
}

void add_words(std::string& out, const std::string& words) {
  out += (out.empty() ? "" : "; ") + words;
}

std::string names_where(const ComparedCell& cell, std::int64_t SafetyCount::*count) {
  std::string out;
  for (const auto& s : cell.safety) {
    if (s.*count == 0) continue;
    out += (out.empty() ? "" : ", ") + s.property;
    if (s.judged > 0) out += fmt::format(" {}/{}", s.*count, s.judged + s.undecided + s.not_exercised);
  }
  return out;
}

std::string failed_words(const ComparedCell& cell, TrialState state, const char* what) {
  std::string why;
  const auto count = std::count_if(cell.trials.begin(), cell.trials.end(), [&](const auto& t) {
    if (t.state == state && why.empty()) why = t.error;
    return t.state == state;
  });
  return count == 0 ? "" : fmt::format("{} of {} {}: {}", count, cell.trials.size(), what, why);
}

}  // namespace

const std::vector<ComparisonColumn>& comparison_columns() {
  static const std::vector<ComparisonColumn> kColumns{
      {"grants/s", "grants a second of the load"},
      {"unavailable",
       "time in which a free key could not be had, a trial: from the first attempt that came back "
       "without it to the next grant; the longest such time of all"},
      {"recovery", "from a fault's end to the next grant, the slowest; at once: somebody held the lock just then"},
      {"uncontended p50 / p99", "call to grant, at the first attempt, while nobody else held the lock or asked for it"},
      {"contended p50 / p99",
       "call of the first attempt to grant, of all other waits: others' jobs and polls included"},
      {"stmts/grant", "statements of all clients, refused attempts and releases included, for each grant"},
      {"refused", "writes with an old token that the resource refused (fencing)"},
      {"violated", "properties, and in how many of the trials that could judge them"}};
  return kColumns;
}

std::string safety_words(const ComparedCell& cell) {
  std::string out;
  std::int64_t judged = 0;
  for (const auto& s : cell.safety) {
    judged = std::max(judged, s.judged);
    if (s.violated == 0) continue;
    std::string kinds;
    for (const auto& [kind, count] : s.kinds) kinds += (kinds.empty() ? " " : ", ") + kind;
    add_words(out, fmt::format("{} {}/{}{}", s.property, s.violated, s.judged, kinds));
  }
  if (out.empty() && judged > 0) out = fmt::format("nothing in {}", plural(judged, "trial", "trials"));
  const std::string open = names_where(cell, &SafetyCount::undecided);
  const std::string idle = names_where(cell, &SafetyCount::not_exercised);
  if (!open.empty()) add_words(out, "? undecided: " + open);
  if (!idle.empty()) add_words(out, "not exercised: " + idle);
  for (const auto& words : {failed_words(cell, TrialState::harness_error, "trials failed"),
                            failed_words(cell, TrialState::unavailable, "trials cannot run here")}) {
    if (!words.empty()) add_words(out, words);
  }
  return out.empty() ? "-" : out;
}

std::vector<std::string> comparison_row(const ComparedCell& cell) {
  const ServiceNumbers& s = cell.service;
  if (s.trials == 0) return {"-", "-", "-", "-", "-", "-", "-", safety_words(cell)};
  return {fmt::format("{:.1f}", s.grants_per_s()),
          unavailable_text(s),
          recovery_text(s),
          waits_text(s.uncontended),
          waits_text(s.contended),
          s.grants == 0 ? "-" : fmt::format("{:.1f}", s.statements_per_grant()),
          s.fencing_rejections == 0 ? "-" : count_text(s.fencing_rejections),
          safety_words(cell)};
}

std::string change_words(const ComparedChange& c) {
  const std::string before =
      c.judged_before == 0 ? "not judged" : fmt::format("{} of {}", c.violated_before, c.judged_before);
  const std::string now = c.judged == 0 ? "not judged" : fmt::format("{} of {}", c.violated, c.judged);
  return fmt::format("{} {} {}: violated {} before, {} now; {}", c.variant, c.scenario, c.property, before, now, c.why);
}

std::string comparison_sentence(const Comparison& all) {
  const auto fresh =
      std::count_if(all.changes.begin(), all.changes.end(), [](const auto& c) { return c.change == Change::fresh; });
  const std::string size =
      fmt::format("{} under {}, {} each", plural(static_cast<std::int64_t>(all.variants.size()), "variant", "variants"),
                  plural(static_cast<std::int64_t>(all.scenarios.size()), "scenario", "scenarios"),
                  plural(all.repeat, "trial", "trials"));
  std::string word = all.interrupted                     ? "INTERRUPTED"
                     : all.exit_code == kExitHarness     ? "ERROR"
                     : all.exit_code == kExitUnavailable ? "UNAVAILABLE"
                                                         : "COMPARED";
  std::string claim = size;
  if (!all.baseline.empty() && word == "COMPARED") {
    word = fresh > 0 ? "NEW" : all.exit_code == 0 ? "NOTHING NEW" : "UNDECIDED";
    claim = fresh > 0
                ? fmt::format("{} that the baseline does not have; {}", plural(fresh, "violation", "violations"), size)
                : size;
  }
  return fmt::format("{}  {} · {} · seed {} · {}", word, claim, all.server.empty() ? "no server" : all.server, all.seed,
                     wall_text(all.seconds));
}

}  // namespace holdfast
