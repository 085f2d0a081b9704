// The violations a property has found: counted all, shown a few.
//
//   findings.add("overrun", to - from, [&] { return witness; });   // the witness is only written when it will be kept
//   return findings.verdict();                                     // violated, undecided or holds
//
// Kept are the first few witnesses and the first of each kind. The verdict's kind is the most severe: what nothing but
// the algorithm can have done, then causes in the order seen, then late_grant, then overrun.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "artifact/verdict.hpp"

namespace holdfast {

class Findings {
 public:
  // The number of the witness, if it was kept.
  template <typename MakeWitness>
  std::optional<std::size_t> add(const std::string& kind, std::int64_t duration_ns, const MakeWitness& make) {
    if (!count(kind, duration_ns)) return std::nullopt;
    witnesses_.push_back(tidy(kind, make()));
    return witnesses_.size() - 1;
  }
  // More is known of it by now.
  void rewrite(std::size_t number, Witness witness) {
    witnesses_.at(number) = tidy(witnesses_.at(number).kind, std::move(witness));
  }

  // Counts a violation that the machine may have caused, or a case that cannot be decided. Only the first one's
  // `reason()` is called and reported.
  template <typename Reason>
  void undecided(const Reason& reason) {
    if (undecided_++ == 0) reason_ = reason();
  }

  bool violated() const { return count_ > 0; }
  PropertyVerdict verdict() const;

 private:
  bool count(const std::string& kind, std::int64_t duration_ns);  // true: its witness is wanted
  static Witness tidy(const std::string& kind, Witness witness);

  std::int64_t count_ = 0;
  std::int64_t undecided_ = 0;
  std::int64_t total_ns_ = 0;
  std::map<std::string, std::int64_t> kinds_;
  std::vector<std::string> seen_;  // kinds in the order seen
  std::vector<Witness> witnesses_;
  std::string reason_;
};

// "holds" that was never put to the test is not worth the word.
void not_exercised(PropertyVerdict& verdict, const std::string& reason);

}  // namespace holdfast
