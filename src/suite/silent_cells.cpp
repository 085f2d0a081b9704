#include "suite/silent_cells.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "artifact/property_words.hpp"
#include "lock/lock.hpp"
#include "suite/expectation.hpp"

namespace holdfast {
namespace {

// The only problem was that a fault's injection point was never reached, or that it struck none of the intended
// attempts.
bool never_came(const TrialResult& trial) {
  return trial.outcome == Outcome::undecided && trial.mismatches.size() == 1 &&
         trial.mismatches.front().property == kFaults;
}

bool trial_judged_nothing(const TrialResult& trial) {
  return trial.outcome == Outcome::nothing_judged;
}

// Waiters getting their turn, and assertions of the author, show little about a lock that no other client tried to
// take.
bool only_waited(const TrialResult& trial) {
  const auto& all = trial.verdict.properties;
  return trial.outcome == Outcome::as_expected && std::none_of(all.begin(), all.end(), [](const PropertyVerdict& p) {
           return p.judgement == Judgement::holds && !concerns(p.property, Concerns::waiters) &&
                  !concerns(p.property, Concerns::author);
         });
}

// Other properties that held show nothing about mutual exclusion, a lock's main purpose.
bool exclusion_was_idle(const TrialResult& trial) {
  const auto some = [&trial](Judgement judgement) {
    const auto& all = trial.verdict.properties;
    return std::any_of(all.begin(), all.end(), [judgement](const PropertyVerdict& p) {
      return p.judgement == judgement && concerns(p.property, Concerns::holders);
    });
  };
  return trial.outcome == Outcome::as_expected && some(Judgement::not_exercised) && !some(Judgement::holds);
}

// Why the first property in the list was not exercised.
std::string first_reason(const TrialResult& trial) {
  for (const auto& p : trial.verdict.properties) {
    if (p.judgement == Judgement::not_exercised && !p.reason.empty())
      return fmt::format("; {}: {}", p.property, p.reason);
  }
  return "";
}

// Only for adapters: a lock in C++ gives up sooner than any cut in a generated suite lasts.
bool outlasted_the_cut(const TrialResult& trial) {
  const bool cut = std::any_of(trial.faults.begin(), trial.faults.end(),
                               [](const FaultProof& proof) { return proof.fault == "partition" && proof.acted > 0; });
  return cut && trial.outcome == Outcome::as_expected && trial.verdict.measures.indeterminate == 0;
}

std::string why_it_never_came(const TrialResult& trial) {
  const std::string& seen = trial.mismatches.front().seen;
  const std::string prefix = kNotExercised;
  return seen.rfind(prefix, 0) == 0 ? seen.substr(prefix.size())
                                    : "the injection point of one of its faults was never reached";
}

// Why a cell showed nothing; empty: it showed something.
std::string why_not_tried(const Cell& cell) {
  const auto all = [&cell](bool (*is)(const TrialResult&)) {
    return !cell.trials.empty() && std::all_of(cell.trials.begin(), cell.trials.end(), is);
  };
  if (cell.trials_not_run() > 0) return "";
  if (all(never_came)) return why_it_never_came(cell.trials.front());
  if (all(trial_judged_nothing)) return "no property was tested";
  if (all(only_waited)) return "only the waiting was tested" + first_reason(cell.trials.front());
  if (all(exclusion_was_idle)) return "exclusion was not tested" + first_reason(cell.trials.front());
  const LockType* type = find_entry(locks(), cell.lock.substr(0, cell.lock.find('+')));
  // The outcome of unseen renewals is unknown.
  const bool adapter = type != nullptr && type->manifest != nullptr && !type->renews_unseen;
  return adapter && all(outlasted_the_cut)
             ? "the lock's library outlasted the cut: it waited or resent, and no operation had an uncertain result"
             : "";
}

// A cut that a library outlasted still struck its holder.
std::vector<FaultProof> faults_outlasted(const Cell& cell) {
  std::vector<FaultProof> out;
  for (const auto& trial : cell.trials) {
    if (!outlasted_the_cut(trial) || only_waited(trial) || exclusion_was_idle(trial)) continue;
    out.insert(out.end(), trial.faults.begin(), trial.faults.end());
  }
  return out;
}

void forget_proofs(RunVerdict& run, const Cell& cell) {
  for (const auto& trial : cell.trials) {
    for (const auto& proof : trial.faults) {
      for (auto& all : run.faults) {
        if (all.fault != proof.fault) continue;
        all.planned -= proof.planned;
        all.acted -= proof.acted;
        all.struck.take_away(proof.struck);
        all.holders -= proof.holders;
      }
    }
  }
  std::erase_if(run.faults, [](const FaultProof& proof) { return proof.planned == 0; });
}

}  // namespace

bool lacks_the_moment(const Cell& cell) {
  constexpr std::size_t kSeveral = 3;
  return cell.trials.size() >= kSeveral && std::all_of(cell.trials.begin(), cell.trials.end(), never_came);
}

void set_silent_cells_apart(RunVerdict& run) {
  const auto silent = [](const Cell& cell) { return !why_not_tried(cell).empty(); };
  if (std::all_of(run.cells.begin(), run.cells.end(), silent)) {
    for (auto& cell : run.cells) {
      if (cell.outcome == Outcome::as_expected) cell.outcome = Outcome::nothing_judged;
    }
    run.exit_code = exit_code_of(run);
    return;
  }
  for (const auto& cell : run.cells) {
    if (!silent(cell)) continue;
    run.not_tried.push_back({cell.lock, cell.scenario, why_not_tried(cell), faults_outlasted(cell)});
    forget_proofs(run, cell);
  }
  std::erase_if(run.cells, silent);
  const auto gone = [&run](std::string Cell::*name) {
    return [&run, name](const std::string& text) {
      return std::none_of(run.cells.begin(), run.cells.end(), [&](const Cell& cell) { return cell.*name == text; });
    };
  };
  std::erase_if(run.locks, gone(&Cell::lock));
  std::erase_if(run.scenarios, gone(&Cell::scenario));
  run.exit_code = exit_code_of(run);
}

}  // namespace holdfast
