#include "reports/sentence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "artifact/error.hpp"
#include "reports/durations.hpp"
#include "reports/run_changes.hpp"

namespace holdfast {
namespace {

struct Counts {
  std::int64_t cells = 0;
  std::int64_t allowed = 0;  // violated, in a way that is allowed
  std::int64_t caught = 0;
  std::int64_t controls = 0;  // that held, of caught flaws
  std::int64_t causes = 0;    // that controls confirmed, of caught flaws
  std::int64_t good = 0;      // as expected, caught ones too
  std::int64_t unavailable = 0;
  std::int64_t not_run = 0;  // at least one trial of it is missing
  std::int64_t nothing = 0;  // judged: as if it had not been run
  std::int64_t undecided = 0;
  std::int64_t errors = 0;
  std::int64_t bad = 0;      // missed or unexpected
  std::int64_t known = 0;    // the same, and the baseline has it
  std::int64_t unknown = 0;  // the same, and the baseline cannot tell
};

std::set<std::string> confirmed_kinds(const Cell& cell) {
  std::set<std::string> out;
  for (const auto& trial : cell.trials) {
    for (const auto& cause : trial.causes) {
      if (cause.of_fault && cause.state == CauseState::confirmed) out.insert(cause.kind);
    }
  }
  return out;
}

std::int64_t& wrong_of(Counts& counts, Novelty novelty) {
  if (novelty == Novelty::known) return counts.known;
  return novelty == Novelty::unknown ? counts.unknown : counts.bad;
}

Counts count(const RunVerdict& run) {
  Counts out;
  for (const auto& cell : run.cells) {
    ++out.cells;
    if (cell.trials_not_run() > 0) ++out.not_run;
    const bool controlled = std::any_of(cell.trials.begin(), cell.trials.end(),
                                        [](const TrialResult& trial) { return trial.control.has_value(); });
    if (controlled && cell.outcome == Outcome::caught) ++out.controls;
    if (cell.outcome == Outcome::caught) out.causes += static_cast<std::int64_t>(confirmed_kinds(cell).size());
    switch (cell.outcome) {
      case Outcome::caught:
        ++out.caught;
        [[fallthrough]];
      case Outcome::as_expected:
        ++out.good;
        break;
      case Outcome::allowed:
        ++out.allowed;
        ++out.good;
        break;
      case Outcome::unavailable:
        ++out.unavailable;
        break;
      case Outcome::not_run:
        break;
      case Outcome::nothing_judged:
        ++out.nothing;
        break;
      case Outcome::undecided:
        ++out.undecided;
        break;
      case Outcome::harness_error:
        ++out.errors;
        break;
      case Outcome::missed:
      case Outcome::unexpected:
        ++wrong_of(out, novelty_of(run, cell));
        break;
    }
  }
  return out;
}

constexpr const char* kCannotTell = "not as expected where the baseline cannot tell";

// What else there was, besides what the claim is about.
std::string others(const Counts& n, const std::string& word) {
  std::string out;
  const auto add = [&](std::int64_t count, const std::string& text) {
    if (count > 0) out += ", " + count_text(count) + " " + text;
  };
  if (word == "INTERRUPTED") add(n.bad, "not as expected");
  if (word != "INTERRUPTED" && (word != "UNDECIDED" || n.undecided > 0)) add(n.not_run, "not run to the end");
  if (word != "NOTHING JUDGED") add(n.nothing, "with nothing judged");
  if (word != "ERROR") add(n.errors, "with a harness error");
  if (word != "UNDECIDED") add(n.undecided, "undecided");
  if (word != "UNAVAILABLE") add(n.unavailable, "unavailable here");
  if (word != "PASS") add(n.allowed, "with violations that are allowed");
  if (word != "UNDECIDED" || n.undecided > 0 || n.not_run > 0) add(n.unknown, kCannotTell);
  if (word != "NOTHING NEW") add(n.known, "not as expected as in the baseline");
  return out;
}

std::string first_word(const RunVerdict& run, const Counts& n) {
  if (run.interrupted || run.exit_code == kExitInterrupted) return "INTERRUPTED";
  if (n.bad > 0 || run.exit_code == kExitNotAsExpected) return "FAIL";
  if (n.errors > 0 || run.exit_code == kExitHarness) return "ERROR";
  if (n.undecided > 0 || n.not_run > 0 || n.unknown > 0) return "UNDECIDED";
  if (n.nothing > 0) return "NOTHING JUDGED";
  if (run.exit_code == kExitUndecided && run.not_again.empty()) return "UNDECIDED";
  if (n.known > 0) return "NOTHING NEW";
  if (n.good == 0 || run.exit_code == kExitUnavailable) return "UNAVAILABLE";
  return "PASS";
}

// A search expects nothing: it tells what there is.
std::string explored_claim(const std::string& word, const Counts& n, const std::string& bounds) {
  const std::string locks = plural(n.cells, "lock", "locks");
  const std::string within = bounds.empty() ? "" : " within " + bounds;
  if (word == "FAIL") return fmt::format("{} of {} violated{}", count_text(n.bad), locks, within);
  if (word == "UNDECIDED" && n.undecided == 0 && n.not_run > 0) {
    return fmt::format("{} of {} not searched", count_text(n.not_run), locks);
  }
  if (word == "UNDECIDED") return fmt::format("{} of {} undecided{}", count_text(n.undecided), locks, within);
  if (word != "PASS") return "";
  if (n.caught == 0) return locks + " searched to the bounds, none violated" + within;
  return fmt::format("{} searched to the bounds, {} violated only as is known{}", locks, count_text(n.caught), within);
}

std::string claim(const RunVerdict& run, const std::string& word, const Counts& n) {
  std::string explored = run.suite == kExplored ? explored_claim(word, n, run.within) : "";
  if (!explored.empty()) return explored;
  const auto of_all = [&](std::int64_t some) {
    return fmt::format("{} of {}", count_text(some), plural(n.cells, "cell", "cells"));
  };
  if (word == "INTERRUPTED") {
    return fmt::format("{} of {} judged before the interruption", count_text(n.cells - n.not_run),
                       plural(n.cells, "cell", "cells"));
  }
  if (word == "FAIL") return of_all(n.bad) + " not as expected";
  if (word == "ERROR")
    return n.errors > 0 ? of_all(n.errors) + " without a verdict: the harness failed" : "the harness failed";
  if (word == "UNDECIDED" && n.undecided == 0 && n.not_run > 0) return of_all(n.not_run) + " not run to the end";
  if (word == "UNDECIDED" && n.undecided == 0 && n.unknown > 0) return of_all(n.unknown) + " " + kCannotTell;
  if (word == "UNDECIDED") return of_all(n.undecided) + " undecided or not exercised";
  if (word == "NOTHING JUDGED") return "in " + of_all(n.nothing) + " no property was put to the test";
  if (word == "NOTHING NEW") return of_all(n.known) + " not as expected, all of them as in the baseline";
  if (word == "UNAVAILABLE" && n.good == 0) return "nothing could run on this machine";
  if (word == "UNAVAILABLE") return of_all(n.good) + " as expected, but a required fault is unavailable here";
  std::string caught = n.caught == 0 ? "" : plural(n.caught, "flaw", "flaws") + " caught";
  if (n.controls > 0) caught += ", " + plural(n.controls, "control", "controls") + " held";
  if (n.causes > 0) caught += ", " + plural(n.causes, "cause", "causes") + " confirmed";
  if (n.allowed > 0)
    caught += (caught.empty() ? "" : ", ") + count_text(n.allowed) + " with violations that are allowed";
  return of_all(n.good) + " as expected" + (caught.empty() ? "" : " (" + caught + ")");
}

// Of a replay that did not show again what it was for: first that. What else came out says nothing about the violation.
void tell_not_again(const std::string& not_again, Sentence& out) {
  if (not_again.empty()) return;
  if (out.word == "PASS" || out.word == "NOTHING NEW") out.word = "UNDECIDED";
  out.claim = not_again + "; " + out.claim;
}

}  // namespace

Sentence sentence_parts(const RunVerdict& run) {
  const Counts n = count(run);
  Sentence out;
  out.word = first_word(run, n);
  out.claim = claim(run, out.word, n) + others(n, out.word);
  if (n.not_run > 0 && !run.interrupted && !run.stopped.empty()) out.claim += ": " + run.stopped;
  tell_not_again(run.not_again, out);
  if (!run.shard.empty()) out.circumstances = "only shard " + run.shard + " · ";
  if (!run.server.empty()) out.circumstances += run.server + " · ";
  const std::string seeds = run.seeds.size() < 2 ? fmt::format("seed {}", run.seed)
                                                 : fmt::format("{} seeds from {}", run.seeds.size(), run.seeds.front());
  out.circumstances += fmt::format("{} · {}", seeds, wall_text(run.seconds));
  return out;
}

std::string run_sentence(const RunVerdict& run) {
  const Sentence parts = sentence_parts(run);
  return parts.word + "  " + parts.claim + "        " + parts.circumstances;
}

}  // namespace holdfast
