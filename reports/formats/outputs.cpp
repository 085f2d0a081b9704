// The result of a run in a few lines of NAME=NUMBER or NAME=WORD, for shell scripts and for the outputs of a step of
// GitHub Actions. It contains no names that users choose, so that nothing in it needs quoting.
#include <fmt/format.h>

#include "reports/format.hpp"

namespace holdfast {
namespace {

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

// The worst of the grades; "none" where no lock is graded.
std::string worst_grade(const RunAssessment& found) {
  const LockGrade* worst = nullptr;
  for (const auto& lock : found.locks) {
    if (lock.by_promises && (worst == nullptr || lock.grade.grade < worst->grade)) worst = &lock.grade;
  }
  return worst == nullptr ? "none" : to_text(worst->grade);
}

std::string outputs_of_run(const FormatInput& in) {
  const RunVerdict& run = in.page.found.run;
  const CellCounts& n = in.page.found.counts;
  return fmt::format(
      "verdict={}\nexit_code={}\ngrade={}\ncells={}\nas_expected={}\nflaws_caught={}\nnot_as_expected={}\nundecided={}"
      "\nerrors={}"
      "\n"
      "not_run={}\n",
      word_of_exit_code(run.exit_code), run.exit_code, worst_grade(in.page.found), run.cells.size(), n.good(),
      n.of(Outcome::caught), n.of(Outcome::missed) + n.of(Outcome::unexpected),
      n.of(Outcome::undecided) + n.of(Outcome::nothing_judged), n.of(Outcome::harness_error),
      n.of(Outcome::unavailable) + n.of(Outcome::not_run));
}

}  // namespace

extern const FormatType format_outputs;
const FormatType format_outputs{.about = "the verdict and its counts, as NAME=VALUE lines for scripts and CI",
                                .of_run = outputs_of_run};

}  // namespace holdfast
