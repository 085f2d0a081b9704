// How bad it is what was seen of a lock: one word for a trial, one headline for a run, from the verdicts alone.
//
//   severity_of(cell, trial)   Severity::two_believed
//   headline_of(run).text      "two believed at once, the data is safe (stale writes refused: 3)"
//
// It asks what came out, not what was expected: that a lease does not survive a holder that is stopped for longer is no
// broken promise, and damages the data all the same. Whether a promise was broken as well, the outcome says.
//
// Pure. What nobody judged is never a good end: a run in which nothing was judged says so, and one whose faults did not
// act does not speak of them.
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
Severity severity_of(const Cell&);  // the worst of its trials

// How bad it is that a property is violated in these kinds (with their counts), whatever else came out.
Severity severity_of_violation(const std::string& property, const std::map<std::string, std::int64_t>& kinds);

// Two believed at once, and the resource refused what the earlier one wrote: how many such writes there were.
// Nothing: the data was damaged, or nobody could say.
struct StaleWrites {
  bool overlapped = false;  // two believed at once
  bool safe = false;        // and the data was judged, and is not damaged
  std::int64_t refused = 0;
};
StaleWrites stale_writes_of(const TrialVerdict&);

struct Headline {
  Severity severity = Severity::nothing_judged;
  std::string text;
};

Headline headline_of(const RunVerdict&);

// Of a suite that was made for one lock: "my_lock: data damaged", as the page and the summary begin with. Empty: the
// run is another, and what was expected of it says more.
std::string answer_of(const RunVerdict&);

}  // namespace holdfast
