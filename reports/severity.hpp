// The severity of what a trial showed of a lock, from its verdict alone.
//
//   severity_of(cell, trial)                          Severity::two_believed
//   severity_words(Severity::two_believed)            "two believed at once"
//
// It asks what came out, not what was expected: that a lease does not survive a holder that is stopped for longer is no
// broken promise, and damages the data all the same. Whether a promise was broken as well, the outcome says.
//
// Pure. A trial in which nothing was judged is never a good end.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "artifact/run_verdict.hpp"

namespace holdfast {

// The worst first.
enum class Severity : std::uint8_t {
  data_damaged,    // a write was lost, or made by a holder of the past
  two_believed,    // two acted as holder at once; of the data see Headline
  not_its_owner,   // freed, renewed or lost against its owner
  token_fell,      // a fencing token did not rise
  stuck,           // nobody could get it though it was free
  wrong_answer,    // what was done was right, and was answered wrongly
  nothing_broke,   // something was judged, and held
  nothing_judged,  // undecided, not exercised, not run
};
const char* to_text(Severity);  // for programs: "data_damaged"

// What it is, for people: "data damaged".
std::string severity_words(Severity);

// Of one trial. Two that believed at once because a lease had run out, and whose old writes a resource refused by their
// tokens, are what fencing is for: nothing broke. Of a search what only needs fencing counts as little.
Severity severity_of(const Cell&, const TrialResult&);

// Whether the lock's grants carry tokens.
bool is_fenced(const TrialVerdict&);

// How bad it is that a property is violated in these kinds (with their counts), whatever else came out.
Severity severity_of_violation(const std::string& property, const std::map<std::string, std::int64_t>& kinds);

// Of trials in which two believed at once: what became of the data.
struct StaleWrites {
  bool overlapped = false;   // two believed at once
  bool safe = false;         // the data was judged, wherever they did, and is not damaged
  std::int64_t refused = 0;  // writes of the earlier one that the resource refused

  void add(const StaleWrites& more);
};
StaleWrites stale_writes_of(const TrialVerdict&);

// Of two who believed at once, where the data was judged and not damaged: "the data is safe (stale writes refused: 3)".
std::string safe_data_words(std::int64_t refused);

}  // namespace holdfast
