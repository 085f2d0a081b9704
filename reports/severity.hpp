// The severity of what a trial showed of a lock, from its verdict alone.
//
//   severity_of(cell, trial)                          Severity::two_believed
//   severity_words(Severity::two_believed)            "two believed at once"
//
// It uses the result, not the expectation: a lease that does not survive a holder's long stop breaks no promise, and
// damages the data all the same. The outcome shows if a promise was broken as well.
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
  stuck,           // no client could get it though it was free
  wrong_answer,    // the operation was right, its answer wrong
  assertion,       // an assertion of its author was false
  nothing_broke,   // something was judged, and held
  nothing_judged,  // undecided, not exercised, not run
};
const char* to_text(Severity);  // for programs: "data_damaged"

// The severity in words: "data damaged".
std::string severity_words(Severity);

// The severity of one trial. If two believed at once because a lease had run out, and a resource refused their old
// writes by their tokens, fencing worked: nothing broke. Finds of a search that only need fencing count as little.
Severity severity_of(const Cell&, const TrialResult&);

// True if the lock's grants carry tokens.
bool is_fenced(const TrialVerdict&);

// The severity of a property's violation in these kinds (with their counts), whatever the other results.
Severity severity_of_violation(const std::string& property, const std::map<std::string, std::int64_t>& kinds);

// The state of the data in trials in which two believed at once.
struct StaleWrites {
  bool overlapped = false;   // two believed at once
  bool safe = false;         // the data was judged, wherever they did, and is not damaged
  std::int64_t refused = 0;  // writes of the earlier one that the resource refused

  void add(const StaleWrites& more);
};
StaleWrites stale_writes_of(const TrialVerdict&);

// Words for two believers at once whose data was judged and not damaged: "the data is safe (stale writes refused: 3)".
std::string safe_data_words(std::int64_t refused);

}  // namespace holdfast
