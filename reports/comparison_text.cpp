#include "reports/comparison_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "artifact/error.hpp"
#include "reports/conclusions.hpp"
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

std::size_t width_of(const TerminalText& lines) {
  std::size_t out = 0;
  const std::string_view text = lines.text();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out = std::max(out, columns(text.substr(at, end - at)));
    at = end + 1;
  }
  return out;
}

using Rows = std::vector<std::vector<std::string>>;

Rows transposed(const Rows& rows) {
  Rows out(rows.front().size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (const auto& row : rows) out[i].push_back(i < row.size() ? row[i] : "");
  }
  return out;
}

// A table for each variant, under its name, for a screen on which not even the transposed one fits.
TerminalText one_by_one(const Rows& rows) {
  TerminalText out;
  for (std::size_t i = 1; i < rows.size(); ++i) out += aligned(transposed({rows.front(), rows[i]}));
  return out;
}

TerminalText fitting(const Rows& rows, std::size_t most) {
  const TerminalText wide = aligned(rows);
  if (most == 0 || width_of(wide) <= most) return wide;
  const TerminalText tall = aligned(transposed(rows));
  return width_of(tall) <= most ? tall : one_by_one(rows);
}

TerminalText scenario_table(const Comparison& all, const std::string& scenario, std::size_t most) {
  std::vector<std::vector<std::string>> rows{{scenario}};
  for (const auto& column : comparison_columns()) rows.front().emplace_back(column.name);
  for (const auto& variant : all.variants) {
    const ComparedCell* cell = find_cell(all, variant.name, scenario);
    if (cell == nullptr) continue;
    rows.push_back({"  " + variant.name});
    for (auto& word : comparison_row(*cell)) rows.back().push_back(std::move(word));
  }
  return fitting(rows, most);
}

TerminalText column_legend() {
  std::vector<std::vector<std::string>> rows;
  for (const auto& column : comparison_columns()) rows.push_back({std::string("  ") + column.name, column.meaning});
  return aligned(rows);
}

TerminalText changes_text(const Comparison& all) {
  if (all.baseline.empty()) return {};
  TerminalText out = terminal_text("\nagainst {}\n", all.baseline);
  std::vector<std::vector<std::string>> rows;
  for (const auto& change : all.changes)
    rows.push_back({std::string("  ") + to_text(change.change), change_words(change)});
  out += rows.empty() ? TerminalText(Literal("  no changes\n")) : aligned(rows);
  return out;
}

const EnvelopePoint* point_at(const Envelope& e, std::int64_t amount) {
  for (const auto& point : e.points) {
    if (point.amount == amount) return &point;
  }
  return nullptr;
}

std::string violations_text(const EnvelopePoint& p) {
  std::string out;
  for (const auto& [what, count] : p.violations) out += (out.empty() ? "" : ", ") + what;
  return out;
}

std::string amounts_text(const Envelope& e, const std::vector<std::int64_t>& amounts) {
  std::string out;
  for (const auto amount : amounts) out += (out.empty() ? "" : ", ") + amount_text(e, amount);
  return out;
}

TerminalText points_table(const Envelope& e) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& p : e.points) {
    const std::string count = p.answer == AtAmount::violated ? fmt::format("violated {} of {}", p.violated, p.trials)
                              : p.answer == AtAmount::holds  ? fmt::format("holds {} of {}", p.held, p.trials)
                                                            : fmt::format("undecided, held {} of {}", p.held, p.trials);
    std::string more = p.answer == AtAmount::violated ? violations_text(p) : "";
    if (p.answer == AtAmount::undecided) more = p.reason;
    rows.push_back({"    " + amount_text(e, p.amount), count, p.measured, more});
  }
  return aligned(rows);
}

TerminalText envelope_words(const Envelope& e) {
  TerminalText out = terminal_text("{}, {} ({}{}), lease {} ms\n  {}\n", e.lock, e.fault, e.key,
                                   e.direction < 0 ? ", negative" : "", count_text(e.lease_ms), bracket_text(e));
  const EnvelopePoint* bad = e.bracket.violated_at ? point_at(e, *e.bracket.violated_at) : nullptr;
  if (bad != nullptr) out += terminal_text("  why: {}\n", bad->reason);
  if (!e.bracket.undecided.empty()) {
    out += terminal_text("  undecided, and not safe: {}\n", amounts_text(e, e.bracket.undecided));
  }
  if (!e.bracket.holds_beyond.empty()) {
    out += terminal_text("  held again at {}, so a larger amount is not always worse here\n",
                         amounts_text(e, e.bracket.holds_beyond));
  }
  out += points_table(e);
  return out;
}

// "mutual_exclusion 3/3 overrun; not exercised: ownership", "nothing in 3 trials", "E 1 of 3 trials failed"
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
  if (out.empty() && judged > 0) out = fmt::format("no violation in {}", plural(judged, "trial", "trials"));
  const std::string open = names_where(cell, &SafetyCount::undecided);
  const std::string idle = names_where(cell, &SafetyCount::not_exercised);
  if (!open.empty()) add_words(out, "? undecided: " + open);
  if (!idle.empty()) add_words(out, "not exercised: " + idle);
  for (const auto& words : {failed_words(cell, TrialState::harness_error, "trials failed"),
                            failed_words(cell, TrialState::unavailable, "trials cannot run on this machine")}) {
    if (!words.empty()) add_words(out, words);
  }
  return out.empty() ? "-" : out;
}

}  // namespace

const std::vector<ComparisonColumn>& comparison_columns() {
  static const std::vector<ComparisonColumn> kColumns{
      {"grants/s", "grants per second of load"},
      {"unavailable",
       "time per trial during which no client could acquire a free key, from the first failed attempt to the next "
       "grant; and the longest such time"},
      {"recovery",
       "slowest time from a fault's end to the next grant; at once: a client held the lock when the fault ended"},
      {"uncontended p50 / p99",
       "from the call to the grant, at the first attempt, while no other client held the lock or asked for it"},
      {"contended p50 / p99",
       "from the call of the first attempt to the grant, for all other waits; includes other clients' jobs and polls"},
      {"stmts/grant", "statements of all clients per grant, including refused attempts and releases"},
      {"refused", "writes with a stale token that the resource refused (fencing)"},
      {"violated", "violated properties, and in how many of the trials that could judge them"}};
  return kColumns;
}

std::vector<std::string> comparison_row(const ComparedCell& cell) {
  const ServiceNumbers& s = cell.service;
  if (s.trials == 0) return {"-", "-", "-", "-", "-", "-", "-", safety_words(cell)};
  return {fmt::format("{:.1f}", s.grants_per_s()),
          unavailable_text(s),
          recovery_text(s),
          waits_text(s.uncontended),
          waits_text(s.contended),
          s.grants == 0 || s.statements == 0 ? "-" : fmt::format("{:.1f}", s.statements_per_grant()),
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
  const std::string broken = all.interrupted ? "" : broken_words(all);
  std::string claim = broken.empty() ? size : size + ": " + broken;
  if (!all.baseline.empty() && word == "COMPARED") {
    word = fresh > 0 ? "NEW" : all.exit_code == 0 ? "NOTHING NEW" : "UNDECIDED";
    claim =
        fresh > 0 ? fmt::format("{} not in the baseline; {}", plural(fresh, "violation", "violations"), claim) : claim;
  }
  return fmt::format("{}  {} · {} · seed {} · {}", word, claim, all.server.empty() ? "no server" : all.server, all.seed,
                     wall_text(all.seconds));
}

TerminalText aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns(row[i]));
  }
  TerminalText out;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const TerminalText cell = terminal_text("{}", row[i]);
      out += cell;
      if (i + 1 < row.size()) out += TerminalText::blanks(widths[i] - cell.width() + 2);
    }
    out += "\n";
  }
  return out;
}

TerminalText comparison_text(const Comparison& all, std::size_t most) {
  TerminalText out = terminal_text("{}\n\n", comparison_sentence(all));
  for (const auto& line : conclusions(all)) out += terminal_text("  {}\n", line);
  for (const auto& scenario : all.scenarios) out += terminal_text("\n{}", scenario_table(all, scenario, most));
  return folded(terminal_text("{}\n{}{}", out, column_legend(), changes_text(all)), most);
}

std::string amount_text(const Envelope& e, std::int64_t amount) {
  if (amount == 0) return "no fault";
  return count_text(amount) + (e.key.ends_with("_ms") ? " ms" : e.key == "percent" ? " %" : "");
}

// The sentence that one reads first.
std::string bracket_text(const Envelope& e) {
  const EnvelopeBracket& b = e.bracket;
  if (b.violated_at && *b.violated_at == 0) return "violated even without a fault, so there is no envelope";
  const EnvelopePoint* good = b.holds_at ? point_at(e, *b.holds_at) : nullptr;
  const EnvelopePoint* bad = b.violated_at ? point_at(e, *b.violated_at) : nullptr;
  std::string out = good == nullptr
                        ? "holds at none of the amounts tried"
                        : fmt::format("holds at {} ({} of {})", amount_text(e, good->amount), good->held, good->trials);
  if (bad == nullptr) {
    out += good != nullptr && *b.holds_at == e.most ? ", the largest tried; violated nowhere" : "; violated nowhere";
  } else {
    out += fmt::format(", violated at {} ({} of {}: {})", amount_text(e, bad->amount), bad->violated, bad->trials,
                       violations_text(*bad));
  }
  return out;
}

std::string envelope_word(const EnvelopeRun& run) {
  return run.interrupted ? "INTERRUPTED" : "ENVELOPE";
}

std::string envelope_claim(const EnvelopeRun& run) {
  return fmt::format("{} · {} each · {} · seed {} · {}",
                     plural(static_cast<std::int64_t>(run.envelopes.size()), "search", "searches"),
                     plural(run.repeat, "trial", "trials"), run.server.empty() ? "no server" : run.server, run.seed,
                     wall_text(run.seconds));
}

TerminalText envelope_text(const EnvelopeRun& run) {
  TerminalText out = terminal_text("{}  {}\n", envelope_word(run), envelope_claim(run));
  for (const auto& envelope : run.envelopes) out += terminal_text("\n{}", envelope_words(envelope));
  out += terminal_text("\n  the fault: {}\n  judged by:", run.dangerous_moment);
  for (const auto& property : run.judged_by) out += terminal_text(" {}", property);
  out += "\n";
  for (const auto& note : run.notes) out += terminal_text("  {}\n", note);
  return out;
}

}  // namespace holdfast
