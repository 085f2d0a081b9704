#include "reports/summary_markdown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "reports/cell_section.hpp"
#include "reports/durations.hpp"
#include "reports/finding.hpp"
#include "reports/markdown_text.hpp"
#include "reports/matrix.hpp"
#include "reports/matrix_grid.hpp"
#include "reports/narration.hpp"
#include "reports/not_tried.hpp"
#include "reports/outcome_words.hpp"
#include "reports/rerun.hpp"
#include "reports/sentence.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostStories = 20;
constexpr std::size_t kMostRows = 500;

std::string state_text(const Cell& cell) {
  const auto& words = words_of(cell.outcome);
  const std::string repeated = repeated_text(cell);
  return fmt::format("{} {}{}", words.glyph, words.word, repeated.empty() ? "" : " " + repeated);
}

std::string head_of(const RunVerdict& run) {
  const Sentence parts = sentence_parts(run);
  std::string out = fmt::format("# {}: {}\n\n{}", parts.word, prose(parts.claim), prose(parts.circumstances));
  if (!run.suite.empty()) out += " · suite " + code(run.suite);
  if (!run.started_utc.empty()) out += " · started " + prose(run.started_utc);
  return out + (run.version.empty() ? "\n" : " · holdfast " + prose(run.version) + "\n");
}

std::string matrix_of(const RunVerdict& run) {
  if (run.cells.empty()) return "\nNo cell was run.\n";
  const MatrixGrid grid(run);
  std::string head = "\n| |";
  std::string rule = "|---|";
  for (const auto& column : grid.columns) {
    head += " " + code(column, InTable::yes) + " |";
    rule += "---|";
  }
  std::string out = head + "\n" + rule + "\n";
  for (const auto& row : grid.rows) {
    out += "| " + code(row, InTable::yes) + " |";
    for (const auto& column : grid.columns) {
      const Cell* cell = grid.cell(row, column);
      out += " " + (cell == nullptr ? std::string() : state_text(*cell)) + " |";
    }
    out += "\n";
  }
  return out;
}

std::string legend_of(const RunVerdict& run) {
  std::set<Outcome> shown;
  for (const auto& cell : run.cells) shown.insert(cell.outcome);
  std::string out;
  for (const Outcome outcome : shown) {
    const auto& words = words_of(outcome);
    out += fmt::format("{}{} {}: {}", out.empty() ? "\n" : " · ", words.glyph, words.word, words.meaning);
  }
  const bool repeated =
      std::any_of(run.cells.begin(), run.cells.end(), [](const Cell& c) { return !repeated_text(c).empty(); });
  if (repeated) out += " · k/n: trials as expected";
  if (has_blanks(run)) out += " · blank: not in that scenario";
  return out.empty() ? out : out + "\n";
}

std::string story_of_cell(const PageInput& in, const Cell& cell, Links links) {
  const Finding found = finding_of(cell);
  const TrialVerdict* full = full_verdict(in.trials, found.trial);
  const Narration told = narrate(found, full == nullptr ? nullptr : &full->timeline);
  std::string out = fmt::format("\n### {}: {}\n\n{}\n", code(cell.lock + " / " + cell.scenario), state_text(cell),
                                prose(told.headline));
  for (const auto& fact : told.facts) out += (&fact == &told.facts.front() ? "\n> " : ">\n> ") + prose(fact) + "\n";
  if (!told.proven.empty()) out += "\nProven: " + prose(told.proven) + ".\n";
  if (!told.suggestion.empty()) out += "\n" + told.label + ": " + prose(told.suggestion) + "\n";
  for (const auto& line : told.controls) out += "\nControls: " + prose(line) + "\n";
  if (!told.remedy.empty()) out += "\nRemedy: " + prose(told.remedy) + "\n";
  if (cell.outcome == Outcome::caught && !cell.why.empty()) out += "\nWhy this is expected: " + prose(cell.why) + "\n";
  out += "\n" + code_block(rerun_command(in.run, cell), "sh");
  if (links == Links::files && found.trial != nullptr && !found.trial->folder.empty()) {
    out += fmt::format("\n[files of trial {}]({}/)\n", found.trial->number, link_to(found.trial->folder));
  }
  return out;
}

std::string stories_of(const PageInput& in, Links links) {
  auto cells = not_as_expected(in.run);
  if (cells.empty()) return "";
  std::stable_sort(cells.begin(), cells.end(), [](const Cell* a, const Cell* b) { return a->outcome > b->outcome; });
  std::string out = "\n## Not as expected\n";
  for (std::size_t i = 0; i < std::min(cells.size(), kMostStories); ++i) out += story_of_cell(in, *cells[i], links);
  if (cells.size() > kMostStories) {
    out += fmt::format("\nAnd {} more, in the matrix above.\n", cells.size() - kMostStories);
  }
  return out;
}

// What a search says of each lock it says within bounds.
std::string searched_of(const RunVerdict& run) {
  std::string out;
  std::size_t told = 0;
  for (const auto& cell : run.cells) {
    if (!is_explored(cell) || cell.why.empty() || ++told > kMostRows) continue;
    out += fmt::format("- {}: {}\n", code(cell.lock), prose(cell.why));
  }
  return out.empty() ? out : "\n## Searched\n\n" + out;
}

std::string caught_of(const PageInput& in, Links links) {
  std::string out;
  for (const Cell* cell : caught_and_told(in.run)) out += story_of_cell(in, *cell, links);
  return out.empty() ? out : "\n## Caught, as expected\n" + out;
}

std::string proofs_of_run(const RunVerdict& run) {
  if (run.faults.empty()) return "";
  std::string out = "\n## Faults proved\n\n| fault | measured in force | what was measured |\n|---|---|---|\n";
  for (std::size_t i = 0; i < std::min(run.faults.size(), kMostRows); ++i) {
    const FaultProof& proof = run.faults[i];
    const std::string measured =
        proof.unavailable.empty() ? fmt::format("{} of {}", proof.acted, proof.planned) : "unavailable here";
    out += fmt::format("| {} | {} | {} |\n", code(proof.fault, InTable::yes), measured,
                       code(proof.unavailable.empty() ? proof.detail : proof.unavailable, InTable::yes));
  }
  return out;
}

std::string not_tried_of(const RunVerdict& run) {
  if (run.not_tried.empty()) return "";
  std::string out = "\n## Not tried\n\n";
  for (const auto& [why, what] : left_out_by_reason(run)) out += "- " + prose(why + ": " + what) + "\n";
  return out;
}

}  // namespace

std::string summary_markdown(const PageInput& in, Links links) {
  const RunVerdict& run = in.run;
  std::string out = head_of(run) + matrix_of(run) + legend_of(run) + searched_of(run);
  out += stories_of(in, links) + caught_of(in, links) + proofs_of_run(run) + not_tried_of(run);
  if (!run.command.empty()) out += "\n## The whole run again\n\n" + code_block(run.command, "sh");
  if (links == Links::files) out += "\n[the page](./report.html) · [verdict.json](./verdict.json)\n";
  return out;
}

}  // namespace holdfast
