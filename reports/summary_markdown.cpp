#include "reports/summary_markdown.hpp"

#include <algorithm>
#include <vector>

#include "artifact/error.hpp"
#include "reports/assertion_text.hpp"
#include "reports/cell_section.hpp"
#include "reports/lock_answer.hpp"
#include "reports/markdown_text.hpp"
#include "reports/matrix.hpp"
#include "reports/narration.hpp"
#include "reports/outcome_words.hpp"
#include "reports/rerun.hpp"
#include "reports/run_changes.hpp"
#include "reports/sentence.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostStories = 20;
constexpr std::size_t kMostSummaryRows = 500;

Markdown state_text(const Cell& cell) {
  const auto& words = words_of(cell.outcome);
  const std::string repeated = repeated_text(cell);
  const Markdown state = markdown("{} {}", words.glyph, words.word);
  return repeated.empty() ? state : markdown("{} {}", state, repeated);
}

Markdown head_of(const RunAssessment& found) {
  const RunVerdict& run = found.run;
  const Sentence parts = sentence_parts(found);
  Markdown out = markdown("# {}: {}\n\n{}", parts.word, parts.claim, parts.circumstances);
  if (!run.suite.empty()) out += markdown(" · suite {}", code(run.suite));
  if (!run.started_utc.empty()) out += markdown(" · started {}", run.started_utc);
  if (!run.version.empty()) out += markdown(" · holdfast {}", run.version);
  if (const std::string answer = answer_of(found); !answer.empty()) out += markdown("\n\n{}", answer);
  return markdown("{}\n", out);
}

Markdown answers_of(const RunAssessment& found) {
  Markdown out;
  for (const auto& answer : lock_answers(found)) out += markdown("\n{}\n", answer);
  for (const auto& answer : data_answers(found)) out += markdown("\n{}\n", answer);
  for (const auto& answer : assertion_answers(found.run)) out += markdown("\n{}\n", answer);
  return out;
}

Markdown matrix_of(const RunVerdict& run) {
  if (run.cells.empty()) return Literal("\nNo cell ran.\n");
  const MatrixGrid grid(run);
  std::vector<Markdown> head(1);
  for (const auto& column : grid.columns) head.push_back(code(column));
  Markdown out = markdown("\n{}", table_head(head));
  for (const auto& row : grid.rows) {
    std::vector<Markdown> line{code(row)};
    for (const auto& column : grid.columns) {
      const Cell* cell = grid.cell(row, column);
      line.push_back(cell == nullptr ? Markdown() : state_text(*cell));
    }
    out += table_row(line);
  }
  return out;
}

Markdown legend_of(const RunAssessment& found) {
  const RunVerdict& run = found.run;
  Markdown out;
  for (const auto& [outcome, cells] : found.counts.outcomes) {
    const auto& words = words_of(outcome);
    const Literal before = out.empty() ? Literal("\n") : Literal(" · ");
    out += markdown("{}{} {}: {}", before, words.glyph, words.word, words.meaning);
  }
  const bool repeated =
      std::any_of(run.cells.begin(), run.cells.end(), [](const Cell& c) { return !repeated_text(c).empty(); });
  if (repeated) out += Literal(" · k/n: trials as expected");
  if (has_blanks(run)) out += Literal(" · blank: not part of that scenario");
  return out.empty() ? out : markdown("{}\n", out);
}

Markdown story_of_cell(const PageInput& in, const CellAssessment& one, Links links) {
  const Cell& cell = *one.cell;
  const Finding& found = one.told;
  const Narration told = narrate(found, timeline_of(in, found));
  Markdown out =
      markdown("\n### {}: {}\n\n{}\n", code(cell.lock + " / " + cell.scenario), state_text(cell), told.headline);
  for (const auto& fact : told.facts) {
    out += markdown("{}> {}\n", &fact == &told.facts.front() ? Literal("\n") : Literal(">\n"), fact.text);
  }
  if (!told.proven.empty()) out += markdown("\nProven: {}.\n", told.proven);
  if (!told.suggestion.empty()) out += markdown("\n{}: {}\n", told.label, told.suggestion);
  for (const auto& line : told.controls) out += markdown("\nControls: {}\n", line);
  if (!told.remedy.empty()) out += markdown("\nRemedy: {}\n", told.remedy);
  if (!cell.about.empty()) out += markdown("\nThe scenario: {}\n", cell.about);
  if (cell.outcome <= Outcome::caught && !cell.why.empty()) out += markdown("\nExpected because: {}\n", cell.why);
  out += markdown("\n{}", code_block(rerun_command(in.found.run, cell), "sh"));
  if (links == Links::files && found.trial != nullptr && !found.trial->folder.empty()) {
    out += markdown("\n[files of trial {}]({}/)\n", found.trial->number, link_to(found.trial->folder));
  }
  return out;
}

Markdown stories_of(const PageInput& in, Links links) {
  std::vector<CauseOnce> causes = in.found.causes;
  if (causes.empty()) return {};
  std::stable_sort(causes.begin(), causes.end(), [](const CauseOnce& a, const CauseOnce& b) {
    return a.first->cell->outcome > b.first->cell->outcome;
  });
  Markdown out = Literal("\n## Not as expected\n");
  for (std::size_t i = 0; i < std::min(causes.size(), kMostStories); ++i) {
    out += story_of_cell(in, *causes[i].first, links);
    Markdown others;
    for (const CellAssessment* other : causes[i].others) {
      const Literal before = others.empty() ? Literal("\nThe same in: ") : Literal(", ");
      others += markdown("{}{}", before, code(other->cell->scenario));
    }
    if (!others.empty()) out += markdown("{}\n", others);
  }
  if (causes.size() > kMostStories) {
    out += markdown("\nAnd {} more, in the matrix above.\n", causes.size() - kMostStories);
  }
  return out;
}

// The bounds within which each lock was searched.
Markdown searched_of(const RunVerdict& run) {
  Markdown out;
  std::size_t told = 0;
  for (const auto& cell : run.cells) {
    if (!is_explored(cell) || cell.why.empty() || ++told > kMostSummaryRows) continue;
    out += markdown("- {}: {}\n", code(cell.lock), cell.why);
  }
  return out.empty() ? out : markdown("\n## Searched\n\n{}", out);
}

Markdown caught_of(const PageInput& in, Links links) {
  Markdown caught;
  Markdown allowed;
  for (const CellAssessment* one : in.found.caught) {
    (one->cell->outcome == Outcome::caught ? caught : allowed) += story_of_cell(in, *one, links);
  }
  Markdown out = caught.empty() ? Markdown() : markdown("\n## Caught, as expected\n{}", caught);
  return allowed.empty() ? out : markdown("{}\n## Violated in an allowed way\n{}", out, allowed);
}

Markdown proofs_of_run(const RunVerdict& run) {
  if (run.faults.empty()) return {};
  const Markdown head = table_head({Literal("fault"), Literal("measured in force"), Literal("measurement")});
  Markdown out = markdown("\n## Faults proved\n\n{}", head);
  for (std::size_t i = 0; i < std::min(run.faults.size(), kMostSummaryRows); ++i) {
    const FaultProof& proof = run.faults[i];
    const bool could = proof.unavailable.empty();
    const Markdown measured = could ? markdown("{} of {}", proof.acted, proof.planned) : Literal("unavailable here");
    out += table_row({code(proof.fault), measured, code(could ? measured_text(proof) : proof.unavailable)});
  }
  return out;
}

Markdown not_tried_of(const RunAssessment& found) {
  if (found.left_out.empty()) return {};  // what was not needed is in the report
  Markdown out = Literal("\n## Not tried\n\n");
  for (const auto& one : found.left_out) out += markdown("- {}\n", one.text());
  return out;
}

Markdown changes_of(const RunVerdict& run) {
  Markdown out;
  if (!run.rule.empty()) out += markdown("\n{}\n", run.rule);
  for (const auto& note : run.notes) out += markdown("\n{}\n", note);
  if (run.baseline.empty()) return out;
  out += markdown("\n## Against the baseline {}\n\n", code(run.baseline));
  if (run.changes.empty()) out += Literal("No changes.\n");
  const auto lines = change_lines(run);
  for (std::size_t i = 0; i < std::min(lines.size(), kMostSummaryRows); ++i) {
    out += markdown("- **{}**: {}\n", lines[i].word, lines[i].text);
  }
  return out;
}

// Tells a CI user how to keep a known flaw from failing the job.
Markdown baseline_hint(const RunVerdict& run) {
  const bool takes_one = run.command.find(" run ") != std::string::npos && run.baseline.empty();
  if (run.exit_code != kExitNotAsExpected || !takes_one) return {};
  return Literal(
      "\nKnown flaw? Run this command once with `--write-baseline locks.json`, keep that file, and add `--baseline "
      "locks.json` in CI: then only new violations fail.\n");
}

}  // namespace

Markdown summary_markdown(const PageInput& in, Links links) {
  const RunAssessment& found = in.found;
  const RunVerdict& run = found.run;
  Markdown out;
  for (const auto& piece :
       {head_of(found), answers_of(found), matrix_of(run), legend_of(found), changes_of(run), searched_of(run),
        stories_of(in, links), caught_of(in, links), proofs_of_run(run), not_tried_of(found)}) {
    out += piece;
  }
  if (!run.command.empty()) out += markdown("\n## Rerun everything\n\n{}", code_block(run.command, "sh"));
  out += baseline_hint(run);
  if (links == Links::files) out += Literal("\n[the page](./report.html) · [verdict.json](./verdict.json)\n");
  return out;
}

}  // namespace holdfast
