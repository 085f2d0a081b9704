// Annotations for GitHub Actions, at most ten of them: GitHub shows no more of one step. `run` prints them where
// GITHUB_ACTIONS is set. What is not as expected and what the harness could not do is an error; what nobody knows
// (undecided, nothing judged, not run) a warning; what this machine cannot do a notice.
#include <algorithm>

#include "reports/durations.hpp"
#include "reports/finding.hpp"
#include "reports/format.hpp"
#include "reports/narration.hpp"
#include "reports/rerun.hpp"
#include "reports/shortened.hpp"
#include "reports/visible.hpp"
#include "reports/workflow_commands.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostAnnotations = 10;
constexpr std::size_t kMostTitle = 200;
constexpr std::size_t kMostMessage = 2'000;

const char* level_of(Outcome outcome) {
  if (outcome == Outcome::unavailable) return "notice";
  const bool open = outcome == Outcome::undecided || outcome == Outcome::nothing_judged || outcome == Outcome::not_run;
  return open ? "warning" : "error";
}

std::string annotation_of(const RunVerdict& run, const Cell& cell) {
  const std::string title = shortened(visible("holdfast: " + cell.lock + "/" + cell.scenario), kMostTitle);
  const std::string told = shortened(visible(headline(finding_of(cell))), kMostMessage);
  return workflow_command(level_of(cell.outcome), title, told + "\nrerun: " + rerun_command(run, cell)) + "\n";
}

std::string annotations_of_run(const FormatInput& in) {
  std::vector<const Cell*> cells;
  for (const auto& cell : in.page.run.cells) {
    if (cell.outcome > Outcome::caught) cells.push_back(&cell);
  }
  std::stable_sort(cells.begin(), cells.end(), [](const Cell* a, const Cell* b) { return a->outcome > b->outcome; });
  const bool many = cells.size() > kMostAnnotations;
  const std::size_t told = many ? kMostAnnotations - 1 : cells.size();
  std::string out;
  for (std::size_t i = 0; i < told; ++i) out += annotation_of(in.page.run, *cells[i]);
  if (!many) return out;
  const auto more = plural(static_cast<std::int64_t>(cells.size() - told), "cell", "cells");
  return out +
         workflow_command(level_of(cells[told]->outcome), "holdfast: and " + more + " more",
                          "see the job's summary, or report.html") +
         "\n";
}

}  // namespace

extern const FormatType format_annotations;
const FormatType format_annotations{.about = "annotations, as GitHub Actions reads them from what a step prints",
                                    .of_run = annotations_of_run};

}  // namespace holdfast
