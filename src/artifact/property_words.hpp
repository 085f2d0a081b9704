// The words of a property: what it is called, what it concerns, how severe it is, its kinds, and what people are told
// of it. A property is two files, checker/properties/NAME.hpp with these and NAME.cpp with its rule; nobody else names
// it.
//
//   for (const auto& [name, words] : property_words()) ...
//   if (const PropertyWords* words = find_entry(property_words(), verdict.property)) ...   // null: of another version
//
// Whoever treats some properties otherwise than others asks what they concern, not what they are called.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "artifact/entry.hpp"
#include "artifact/kind_words.hpp"

namespace holdfast {

enum class Concerns : std::uint8_t {
  holders,   // that they exclude each other
  tokens,    // that a holder of the past can be told
  data,      // the protected resource itself
  owners,    // that what is theirs stays theirs
  waiters,   // that they come to their turn
  histories  // the order of operations in a history of anybody's
};

// Which locks do so. What nobody promises is asked of foreign histories only, and not spoken of where nobody asks for
// it.
enum class PromisedBy : std::uint8_t { nobody, every_lock, fenced_locks, locks_with_owners };

inline constexpr int kLastRank = 100;

struct PropertyWords {
  const char* summary = "";  // one line
  Concerns concerns = Concerns::histories;
  PromisedBy promised_by = PromisedBy::nobody;
  int rank = kLastRank;            // the most severe is 1; people meet them in this order
  std::vector<KindWords> kinds{};  // that its violations can have, besides the causes of faults
  // What a violation is, for a headline: {key}; {who} is "clients 1 and 2", {both} "both" or "all", {by} "client 1, "
  // or nothing, {span} when, {length} how long. Empty: that it is violated.
  const char* violated = "";
  const char* advice = "";         // where to look for the reason, where the kind has no advice of its own
  const char* advice_fenced = "";  // where it differs for a lock whose grants carry tokens
  const char* invariants = "";     // of explore, which it is violated by; separated by blanks
  // The kinds, separated by commas, that a sound lock may show whose holder outlives its lease.
  const char* when_outlived = "";
  const char* was = "-";  // what it was called before, for whoever still calls it so
};

const std::vector<Entry<PropertyWords>>& property_words();

// Of those that a lock may promise, and a scenario expect: in the order of the alphabet.
std::vector<std::string> promisable_properties();

// What it concerns, of one that is known.
bool concerns(const std::string& property, Concerns what);

// Where it stands among the others; of one that is not known, behind them all.
int rank_of(const std::string& property);

}  // namespace holdfast
