// Rule for repeating a cell other than a fixed number: until it is decided, or until enough clean trials make an unseen
// flaw unlikely. Pure.
//
//   clean_trials(0.99, 0.05)   // 90
//
// A flaw that occurs in a share `rate` of the trials stays unseen in n of them with probability (1 - rate)^n. With 90
// clean trials that is below 1 % for a rate of 5 %: with 99 % confidence an existing flaw occurs more rarely. This
// assumes independent trials, which holds on one machine only as far as it is idle.
//
// A cell is decided by its first trial with a violation, expected or not. If a violation is expected, earlier trials
// without it do not count against the lock: such a flaw occurs by chance. Without a rule, a cell that does not show its
// expected violation has up to kTrialsAfterAMiss further trials, and the result tells their number.
#pragma once

#include <string>

#include "artifact/run_verdict.hpp"

namespace holdfast {

// 0 < confidence < 1, 0 < rate < 1.
int clean_trials(double confidence, double rate);

// "99%" or "0.99" -> 0.99; throws BadInput with the flag's name.
double parse_share(const std::string& text, const std::string& flag);

struct StopRule {
  bool until_decided = false;
  int clean = 0;           // needed for the confidence; 0: no confidence was requested
  std::string confidence;  // as given: "99%"
  std::string rate;
};

// Returns true if a trial decides its cell.
bool decides(const TrialResult& trial);

inline constexpr int kTrialsAfterAMiss = 2;

// Returns true if all of the cell's trials ended without an expected violation.
bool is_missed(const Cell& cell);

// The rule's statement about this run, or about the cells repeated after a miss; empty: there is neither.
std::string rule_text(const StopRule& rule, const RunVerdict& run);

}  // namespace holdfast
