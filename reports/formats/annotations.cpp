// Annotations for GitHub Actions, at most ten of them: GitHub shows no more of one step. `run` prints them where
// GITHUB_ACTIONS is set. What is not as expected and what the harness could not do is an error; what nobody knows
// (undecided, nothing judged, not run) a warning; what this machine cannot do, and what the baseline has as well, a
// notice.
#include "reports/format.hpp"

#include <algorithm>

#include "reports/durations.hpp"
#include "reports/narration.hpp"
#include "reports/rerun.hpp"
#include "reports/shortened.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostAnnotations = 10;
constexpr std::size_t kMostMessage = 2'000;

Literal level_of(Outcome outcome) {
  if (outcome == Outcome::unavailable) return "notice";
  const bool open = outcome == Outcome::undecided || outcome == Outcome::nothing_judged || outcome == Outcome::not_run;
  return open ? Literal("warning") : Literal("error");
}

// What the baseline has, too, is to be read, and no reason for red.
Literal level_of(const RunVerdict& run, const CellAssessment& one) {
  const Outcome outcome = one.cell->outcome;
  const bool wrong = outcome == Outcome::unexpected || outcome == Outcome::missed;
  const bool known = wrong && !run.baseline.empty() && one.novelty == Novelty::known;
  return known ? Literal("notice") : level_of(outcome);
}

void annotate(const RunVerdict& run, const CellAssessment& one, WorkflowCommands& out) {
  const Cell& cell = *one.cell;
  const std::string told = shortened(headline(one.told), kMostMessage);
  out.add(level_of(run, one), "holdfast: " + cell.lock + "/" + cell.scenario,
          terminal_text("{}\nrerun: {}", told, rerun_command(run, cell)));
}

std::string annotations_of_run(const FormatInput& in) {
  return annotations(in.page.found).text();
}

}  // namespace

WorkflowCommands annotations(const RunAssessment& found) {
  const RunVerdict& run = found.run;
  std::vector<const CellAssessment*> cells;
  for (const auto& one : found.cells) {
    if (one.cell->outcome > Outcome::caught) cells.push_back(&one);
  }
  std::stable_sort(cells.begin(), cells.end(), [](const CellAssessment* a, const CellAssessment* b) {
    return a->cell->outcome > b->cell->outcome;
  });
  const bool many = cells.size() > kMostAnnotations;
  const std::size_t told = many ? kMostAnnotations - 1 : cells.size();
  WorkflowCommands out;
  for (std::size_t i = 0; i < told; ++i) annotate(run, *cells[i], out);
  if (!many) return out;
  const auto more = plural(static_cast<std::int64_t>(cells.size() - told), "cell", "cells");
  out.add(level_of(run, *cells[told]), "holdfast: and " + more + " more",
          Literal("see the job's summary, or report.html"));
  return out;
}

extern const FormatType format_annotations;
const FormatType format_annotations{.about = "annotations, as GitHub Actions reads them from what a step prints",
                                    .of_run = annotations_of_run};

}  // namespace holdfast
