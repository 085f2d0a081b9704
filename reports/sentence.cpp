#include "reports/sentence.hpp"

#include <fmt/format.h>

#include <cctype>
#include <string>

#include "artifact/error.hpp"
#include "reports/durations.hpp"

namespace holdfast {
namespace {

constexpr const char* kCannotTell = "not as expected, but not comparable with the baseline";

// Other outcomes, besides the one in the claim.
std::string others(const CellCounts& n, const std::string& word) {
  std::string out;
  const auto add = [&](std::int64_t count, const std::string& text) {
    if (count > 0) out += ", " + count_text(count) + " " + text;
  };
  if (word == "INTERRUPTED") add(n.wrong(Novelty::news), "not as expected");
  if (word != "INTERRUPTED" && (word != "UNDECIDED" || n.of(Outcome::undecided) > 0))
    add(n.unfinished, "not run to the end");
  if (word != "NOTHING JUDGED") add(n.of(Outcome::nothing_judged), "without a judgement");
  if (word != "ERROR") add(n.of(Outcome::harness_error), "with a harness error");
  if (word != "UNDECIDED") add(n.of(Outcome::undecided), "undecided");
  if (word != "UNAVAILABLE") add(n.of(Outcome::unavailable), "unavailable here");
  if (word != "PASS") add(n.of(Outcome::allowed), "with allowed violations");
  if (word != "UNDECIDED" || n.of(Outcome::undecided) > 0 || n.unfinished > 0)
    add(n.wrong(Novelty::unknown), kCannotTell);
  if (word != "NOTHING NEW") add(n.wrong(Novelty::known), "not as expected, as in the baseline");
  return out;
}

std::string first_word(const RunVerdict& run, const CellCounts& n) {
  if (run.interrupted || run.exit_code == kExitInterrupted) return "INTERRUPTED";
  if (n.wrong(Novelty::news) > 0 || run.exit_code == kExitNotAsExpected) return "FAIL";
  if (n.of(Outcome::harness_error) > 0 || run.exit_code == kExitHarness) return "ERROR";
  if (n.of(Outcome::undecided) > 0 || n.unfinished > 0 || n.wrong(Novelty::unknown) > 0) return "UNDECIDED";
  if (n.of(Outcome::nothing_judged) > 0) return "NOTHING JUDGED";
  if (run.exit_code == kExitUndecided && run.not_again.empty()) return "UNDECIDED";
  if (n.wrong(Novelty::known) > 0) return "NOTHING NEW";
  if (n.good() == 0 || run.exit_code == kExitUnavailable) return "UNAVAILABLE";
  return "PASS";
}

// A search expects nothing: it reports its finds.
std::string explored_claim(const std::string& word, const CellCounts& n, const std::string& bounds) {
  const std::string locks = plural(n.cells(), "lock", "locks");
  const std::string within = bounds.empty() ? "" : " within " + bounds;
  if (word == "FAIL") return fmt::format("{} of {} violated{}", count_text(n.wrong(Novelty::news)), locks, within);
  if (word == "UNDECIDED" && n.of(Outcome::undecided) == 0 && n.unfinished > 0) {
    return fmt::format("{} of {} not searched", count_text(n.unfinished), locks);
  }
  if (word == "UNDECIDED")
    return fmt::format("{} of {} undecided{}", count_text(n.of(Outcome::undecided)), locks, within);
  if (word != "PASS") return "";
  if (n.of(Outcome::caught) == 0) return locks + " searched to the bounds, none violated" + within;
  return fmt::format("{} searched to the bounds, {} violated only in known ways{}", locks,
                     count_text(n.of(Outcome::caught)), within);
}

// `within`: the bounds of a search to name; empty: none.
std::string claim(const RunVerdict& run, const std::string& word, const CellCounts& n, const std::string& within) {
  std::string explored = run.suite == kExplored ? explored_claim(word, n, within) : "";
  if (!explored.empty()) return explored;
  const auto of_all = [&](std::int64_t some) {
    return fmt::format("{} of {}", count_text(some), plural(n.cells(), "cell", "cells"));
  };
  if (word == "INTERRUPTED") {
    return fmt::format("{} of {} judged before the interruption", count_text(n.cells() - n.unfinished),
                       plural(n.cells(), "cell", "cells"));
  }
  if (word == "FAIL" && n.wrong(Novelty::news) == 0 && run.strict)
    return of_all(n.of(Outcome::allowed)) + " with violations that --strict does not allow";
  if (word == "FAIL") return of_all(n.wrong(Novelty::news)) + " not as expected";
  if (word == "ERROR")
    return n.of(Outcome::harness_error) > 0
               ? of_all(n.of(Outcome::harness_error)) + " without a verdict: the harness failed"
               : "the harness failed";
  if (word == "UNDECIDED" && n.of(Outcome::undecided) == 0 && n.unfinished > 0)
    return of_all(n.unfinished) + " not run to the end";
  if (word == "UNDECIDED" && n.of(Outcome::undecided) == 0 && n.wrong(Novelty::unknown) > 0)
    return of_all(n.wrong(Novelty::unknown)) + " " + kCannotTell;
  if (word == "UNDECIDED" && n.of(Outcome::undecided) == 0 && n.good() == n.cells())
    return of_all(n.good()) + " as expected, but " +
           (has_unreached(run) ? "an assertion was never reached" : "a grade is not known");
  if (word == "UNDECIDED") return of_all(n.of(Outcome::undecided)) + " undecided or not exercised";
  if (word == "NOTHING JUDGED") return "in " + of_all(n.of(Outcome::nothing_judged)) + " no property was tested";
  if (word == "NOTHING NEW") return of_all(n.wrong(Novelty::known)) + " not as expected, all as in the baseline";
  if (word == "UNAVAILABLE" && n.good() == 0) return "nothing could run on this machine";
  if (word == "UNAVAILABLE") return of_all(n.good()) + " as expected, but a required fault is unavailable here";
  std::string caught = n.of(Outcome::caught) == 0 ? "" : plural(n.of(Outcome::caught), "flaw", "flaws") + " caught";
  if (n.controls > 0) caught += ", " + plural(n.controls, "control", "controls") + " held";
  if (n.causes > 0) caught += ", " + plural(n.causes, "cause", "causes") + " confirmed";
  if (n.of(Outcome::allowed) > 0)
    caught += (caught.empty() ? "" : ", ") + count_text(n.of(Outcome::allowed)) + " with allowed violations";
  return of_all(n.good()) + " as expected" + (caught.empty() ? "" : " (" + caught + ")");
}

// Puts first that a replay did not show its violation again. Other results of it say nothing about the violation.
void tell_not_again(const std::string& not_again, Sentence& out) {
  if (not_again.empty()) return;
  if (out.word == "PASS" || out.word == "NOTHING NEW") out.word = "UNDECIDED";
  out.claim = not_again + "; " + out.claim;
  out.plain_claim = not_again + "; " + out.plain_claim;
}

// " · time skipped, but for 2 trials"; empty: real time was asked for.
std::string time_text(const RunVerdict& run) {
  int skipped = 0;
  int doubtful = 0;
  std::string doubt;
  for (const Cell& cell : run.cells) {
    for (const TrialResult& trial : cell.trials) {
      if (trial.time == TimeMode::skipped) ++skipped;
      if (trial.time_doubt.empty()) continue;
      ++doubtful;
      if (doubt.empty()) doubt = trial.time_doubt;
    }
  }
  if (skipped + doubtful == 0) return "";
  if (skipped == 0) return " · time real: " + doubt;
  if (doubtful == 0) return " · time skipped";
  return fmt::format(" · time skipped except in {} {}", doubtful, doubtful == 1 ? "trial" : "trials");
}

// Begins the sentence with the bounds of a search that a suite was run with.
const char* search_words(const RunAssessment& found) {
  const bool whole = found.searched != nullptr && found.searched->cell->why.rfind("all schedules were run", 0) == 0;
  return whole ? "the search of schedules was complete, within "
               : "the search of schedules was not complete; its bounds: ";
}

}  // namespace

Sentence sentence_parts(const RunAssessment& found) {
  const RunVerdict& run = found.run;
  const CellCounts& n = found.counts;
  Sentence out;
  out.word = first_word(run, n);
  out.claim = claim(run, out.word, n, run.within) + others(n, out.word);
  out.plain_claim = claim(run, out.word, n, "") + others(n, out.word);
  if (!run.within.empty()) {
    out.limits = (run.suite == kExplored ? "within " : search_words(found)) + run.within;
  }
  if (n.unfinished > 0 && !run.interrupted && !run.stopped.empty()) {
    out.claim += ": " + run.stopped;
    out.limits += (out.limits.empty() ? "" : "; ") + run.stopped;
  }
  tell_not_again(run.not_again, out);
  if (out.word == "PASS") out.tone = "pass";
  if (out.word == "FAIL") out.tone = "fail";
  if (!run.shard.empty()) out.circumstances = "only shard " + run.shard + " · ";
  if (!run.server.empty()) out.circumstances += run.server + " · ";
  const std::string seeds = run.seeds.size() < 2 ? fmt::format("seed {}", run.seed)
                                                 : fmt::format("{} seeds from {}", run.seeds.size(), run.seeds.front());
  out.circumstances += fmt::format("{}{} · {}", seeds, time_text(run), wall_text(run.seconds));
  return out;
}

std::string run_sentence(const RunAssessment& found) {
  const Sentence parts = sentence_parts(found);
  return parts.word + "  " + parts.claim + "        " + parts.circumstances;
}

std::string capitalised(std::string text) {
  if (!text.empty()) text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

}  // namespace holdfast
