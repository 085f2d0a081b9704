// Finds the smallest amount at which something is violated, from what is said of single amounts.
//
//   EnvelopeSearch search(6000, 50);
//   for (auto batch = search.next(); !batch.empty(); batch = search.next()) {
//     for (const auto amount : batch) search.tell(amount, try_it(amount));
//   }
//   search.bracket();   // holds at 1900, violated at 1950
//
// First 0 (nothing may be violated without the fault), then doubling amounts up to the largest, all in one batch, since
// trials run side by side; then three amounts between the largest that holds and the smallest that is violated, until
// they are one step apart. An undecided amount is never taken for one that holds: the bracket stays open across it.
//
// Pure. Amounts are sizes, 0 or more; who has negative ones turns them round. It does not assume that what is violated
// at an amount is violated at all larger ones, and tells where it was not.
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

  // What to try now, ascending; empty: it is over.
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

// What the trials at one amount say together: holds, violated, or undecided with the reason. Pure.
//
// Judged are the properties that are about safety (all but progress), or one that is asked for. A trial holds when
// none of them is violated or undecided, exclusion (and the resource) really hold, and the dangerous moment came: whom
// the fault struck held the lock meanwhile, or asked for it while another held it. A fault that was not proved makes
// the trial an error, and the amount undecided.

std::vector<std::string> envelope_properties(const std::string& only);  // empty: all about safety; throws BadInput

// How long the fault was to last; 0 where the amount says something else.
struct AskedLength {
  std::string fault;
  std::int64_t lasts_ms = 0;
};

EnvelopePoint point_of(std::int64_t amount, const AskedLength& asked, const std::vector<TrialRecord>& trials,
                       const std::vector<std::string>& properties);

}  // namespace holdfast
