// Finds the smallest amount with a violation from the results of single amounts.
//
//   EnvelopeSearch search(6000, 50);
//   for (auto batch = search.next(); !batch.empty(); batch = search.next()) {
//     for (const auto amount : batch) search.tell(amount, try_it(amount));
//   }
//   search.bracket();   // holds at 1900, violated at 1950
//
// Tries 0 (without the fault nothing may be violated), then doubling amounts up to the largest, all in one batch
// because trials run in parallel; then three amounts between the largest that holds and the smallest that is violated,
// until they are one step apart. An undecided amount never counts as holding: the bracket stays open there.
//
// Pure. Amounts are 0 or more; callers convert negative ones. It does not assume that all amounts above a violated one
// are violated, and reports where one was not.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "artifact/envelope.hpp"
#include "compare/numbers.hpp"

namespace holdfast {

class EnvelopeSearch {
 public:
  EnvelopeSearch(std::int64_t most, std::int64_t step);

  // Amounts to try next, ascending; empty: the search is over.
  std::vector<std::int64_t> next() const;
  void tell(std::int64_t amount, AtAmount answer) { told_[amount] = answer; }
  EnvelopeBracket bracket() const;

 private:
  std::optional<std::int64_t> smallest_violated() const;
  std::optional<std::int64_t> largest_holding_below(std::int64_t limit) const;
  std::vector<std::int64_t> ladder() const;
  void add_between(std::int64_t low, std::int64_t high, std::vector<std::int64_t>& out) const;

  std::int64_t most_;
  std::int64_t step_;
  std::map<std::int64_t, AtAmount> told_;
};

// Combines the trials at one amount: holds, violated, or undecided with the reason. Pure.
//
// Judges the safety properties (all but progress), or the requested one. A trial holds if none of them is violated or
// undecided, exclusion (and the resource) hold, and the dangerous moment occurred: the client struck by the fault held
// the lock during it, or requested it while another client held it. A fault without proof makes the trial an error and
// the amount undecided.

std::vector<std::string> envelope_properties(const std::string& only);  // empty: all safety properties; throws BadInput

// Requested duration of the fault; 0 if the amount is not a duration.
struct AskedLength {
  std::string fault;
  std::int64_t lasts_ms = 0;
};

EnvelopePoint point_of(std::int64_t amount, const AskedLength& asked, const std::vector<TrialRecord>& trials,
                       const std::vector<std::string>& properties);

}  // namespace holdfast
