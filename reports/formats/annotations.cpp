// Annotations for GitHub Actions, at most ten of them: GitHub shows only ten per step. `run` prints them if
// GITHUB_ACTIONS is set. An unexpected result or a harness error is an error; an undecided one (undecided, nothing
// judged, not run) a warning; a fault that this machine cannot inject, or a result that the baseline has as well, a
// notice. One for a lock of the user's own names the lock's file and line, so GitHub shows it beside the change.
#include "reports/durations.hpp"
#include "reports/format.hpp"
#include "reports/review_results.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostAnnotations = 10;

Literal command_of(ReviewLevel level) {
  if (level == ReviewLevel::notice) return "notice";
  return level == ReviewLevel::warning ? Literal("warning") : Literal("error");
}

std::string annotations_of_run(const FormatInput& in) {
  return annotations(in.page.found, in.sources).text();
}

}  // namespace

WorkflowCommands annotations(const RunAssessment& found, const SourcePlaces& sources) {
  const std::vector<ReviewResult> results = review_results(found, sources);
  const bool many = results.size() > kMostAnnotations;
  const std::size_t told = many ? kMostAnnotations - 1 : results.size();
  WorkflowCommands out;
  for (std::size_t i = 0; i < told; ++i) {
    const ReviewResult& one = results[i];
    out.add(command_of(one.level), one.title, terminal_text("{}\nrerun: {}", one.headline, one.rerun),
            one.in_sources ? &one.place : nullptr);
  }
  if (!many) return out;
  const auto more = plural(static_cast<std::int64_t>(results.size() - told), "cell", "cells");
  out.add(command_of(results[told].level), "holdfast: and " + more + " more",
          Literal("see the job's summary or report.html"));
  return out;
}

extern const FormatType format_annotations;
const FormatType format_annotations{.about = "annotations that GitHub Actions reads from a step's output",
                                    .of_run = annotations_of_run};

}  // namespace holdfast
