// Annotations for GitHub Actions, at most ten of them: GitHub shows only ten per step. `run` prints them if
// GITHUB_ACTIONS is set. An unexpected result or a harness error is an error; an undecided one (undecided, nothing
// judged, not run) a warning; a fault that this machine cannot inject, or a result that the baseline has as well, a
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

// A result that the baseline has, too, is worth reading, but does not fail the build.
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
          Literal("see the job's summary or report.html"));
  return out;
}

extern const FormatType format_annotations;
const FormatType format_annotations{.about = "annotations that GitHub Actions reads from a step's output",
                                    .of_run = annotations_of_run};

}  // namespace holdfast
