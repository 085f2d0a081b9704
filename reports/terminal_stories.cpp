#include "reports/terminal_stories.hpp"

#include <fmt/format.h>

#include "reports/finding.hpp"
#include "reports/narration.hpp"
#include "reports/outcome_words.hpp"
#include "reports/rerun.hpp"
#include "reports/terminal_lines.hpp"
#include "reports/visible.hpp"

namespace holdfast {
namespace {

// The headline, the facts with their numbers, and what may be behind them.
std::string story(const Cell& cell, bool colour) {
  const auto& words = words_of(cell.outcome);
  const Narration told = narrate(finding_of(cell), nullptr);
  std::string out = fmt::format("\n{}  {}\n", coloured(words.terminal, words.ansi, colour), visible(told.headline));
  for (const auto& fact : told.facts) out += paragraph(fact);
  if (!told.suggestion.empty()) out += paragraph(told.label + ": " + told.suggestion);
  for (const auto& line : told.controls) out += paragraph("Controls: " + line);
  if (!told.remedy.empty()) out += paragraph("Remedy: " + told.remedy);
  return out;
}

// Where a violation was seen and another one expected, the headline says only the first.
std::string expectations(const Cell& cell) {
  const Finding found = finding_of(cell);
  if (cell.outcome != Outcome::unexpected || found.trial == nullptr) return "";
  std::string out;
  for (const auto& m : found.trial->mismatches) {
    if (m.expected == "holds") continue;
    out += paragraph(fmt::format("Expected: {} {}; seen: {}", m.property, m.expected, m.seen));
  }
  return out;
}

}  // namespace

std::string terminal_stories(const RunVerdict& run, bool colour) {
  std::string out;
  for (const Cell* cell : caught_and_told(run)) {
    out += story(*cell, colour);
    if (!cell->why.empty()) out += paragraph("Why this is expected: " + cell->why);
  }
  for (const Cell* cell : not_as_expected(run)) {
    out += story(*cell, colour) + expectations(*cell);
    out += "    rerun: " + rerun_command(run, *cell) + "\n";
  }
  return out;
}

}  // namespace holdfast
