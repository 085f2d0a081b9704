#include "reports/terminal_stories.hpp"

#include "reports/finding.hpp"
#include "reports/narration.hpp"
#include "reports/outcome_words.hpp"
#include "reports/rerun.hpp"
#include "reports/terminal_lines.hpp"

namespace holdfast {
namespace {

// The headline, the facts with their numbers, and what may be behind them.
Shown story(const Cell& cell, bool colour) {
  const auto& words = words_of(cell.outcome);
  const Narration told = narrate(finding_of(cell), nullptr);
  Shown out = shown("\n{}  {}\n", coloured(words.terminal, words.ansi, colour), told.headline);
  for (const auto& fact : told.facts) out += paragraph(fact);
  if (!told.suggestion.empty()) out += paragraph(told.label + ": " + told.suggestion);
  for (const auto& line : told.controls) out += paragraph("Controls: " + line);
  if (!told.remedy.empty()) out += paragraph("Remedy: " + told.remedy);
  return out;
}

// Where a violation was seen and another one expected, the headline says only the first.
Shown expectations(const Cell& cell) {
  const Finding found = finding_of(cell);
  if (cell.outcome != Outcome::unexpected || found.trial == nullptr) return {};
  Shown out;
  for (const auto& m : found.trial->mismatches) {
    if (m.expected == "holds") continue;
    out += paragraph("Expected: " + m.property + " " + m.expected + "; seen: " + m.seen);
  }
  return out;
}

}  // namespace

Shown terminal_stories(const RunVerdict& run, bool colour) {
  Shown out;
  for (const Cell* cell : caught_and_told(run)) {
    out += story(*cell, colour);
    if (!cell->why.empty()) out += paragraph("Why this is expected: " + cell->why);
  }
  for (const Cell* cell : not_as_expected(run)) {
    out += story(*cell, colour);
    out += expectations(*cell);
    out += shown("    rerun: {}\n", rerun_command(run, *cell));
  }
  return out;
}

}  // namespace holdfast
