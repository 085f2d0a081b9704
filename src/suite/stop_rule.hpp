// How often a cell is repeated, where that is not just a number: until it is decided, or until enough clean trials say
// that a flaw would have been seen. Pure.
//
//   clean_trials(0.99, 0.05)   // 90
//
// A flaw that shows in a share `rate` of the trials stays unseen in n of them with a probability of (1 - rate)^n. With
// 90 clean trials that is below 1 % for a rate of 5 %: so 90 say, with a confidence of 99 %, that a flaw which is there
// shows more rarely. Trials are taken for independent, which those of one machine are only as far as it is quiet.
//
// A cell is decided by its first trial that was violated, expected or not. Where a violation is expected, the trials
// before it in which it was not seen do not count against the lock: such a flaw shows by chance.
#pragma once

#include <string>

#include "artifact/run_verdict.hpp"

namespace holdfast {

// 0 < confidence < 1, 0 < rate < 1.
int clean_trials(double confidence, double rate);

// "99%" or "0.99" -> 0.99; throws BadInput that names the flag.
double parse_share(const std::string& text, const std::string& flag);

struct StopRule {
  bool until_decided = false;
  int clean = 0;           // that were asked for by a confidence; 0: none was
  std::string confidence;  // as it was given: "99%"
  std::string rate;
};

// A trial that decides its cell.
bool decides(const TrialResult& trial);

// What the rule says of this run, for people; empty: there is no rule.
std::string rule_text(const StopRule& rule, const RunVerdict& run);

}  // namespace holdfast
