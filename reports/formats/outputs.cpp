// What came of a run in a few lines of NAME=NUMBER or NAME=WORD, for shell scripts and for the outputs of a step of
// GitHub Actions. No name that somebody chose is in it, so that nothing in it needs quoting.
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "reports/format.hpp"

namespace holdfast {
namespace {

std::size_t cells_with(const RunVerdict& run, std::initializer_list<Outcome> outcomes) {
  const auto wanted = [&outcomes](const Cell& cell) {
    return std::find(outcomes.begin(), outcomes.end(), cell.outcome) != outcomes.end();
  };
  return static_cast<std::size_t>(std::count_if(run.cells.begin(), run.cells.end(), wanted));
}

// By the exit code that the run ended with.
const char* word_of_exit_code(int code) {
  switch (code) {
    case 0:
      return "passed";
    case 1:
      return "failed";
    case 3:
      return "undecided";
    case 4:
      return "unavailable";
    case 130:
      return "interrupted";
    default:
      return "error";
  }
}

std::string outputs_of_run(const FormatInput& in) {
  const RunVerdict& run = in.page.run;
  return fmt::format(
      "verdict={}\nexit_code={}\ncells={}\nas_expected={}\nflaws_caught={}\nnot_as_expected={}\nundecided={}\nerrors={}"
      "\n"
      "not_run={}\n",
      word_of_exit_code(run.exit_code), run.exit_code, run.cells.size(),
      cells_with(run, {Outcome::as_expected, Outcome::allowed, Outcome::caught}), cells_with(run, {Outcome::caught}),
      cells_with(run, {Outcome::missed, Outcome::unexpected}),
      cells_with(run, {Outcome::undecided, Outcome::nothing_judged}), cells_with(run, {Outcome::harness_error}),
      cells_with(run, {Outcome::unavailable, Outcome::not_run}));
}

}  // namespace

extern const FormatType format_outputs;
const FormatType format_outputs{.about = "the verdict and its counts, as NAME=VALUE lines for scripts and CI",
                                .of_run = outputs_of_run};

}  // namespace holdfast
