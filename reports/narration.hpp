// A violation in sentences. Facts come from the verdict, each with its number in the history; a cause is only ever
// suggested. The same verdict always gives the same words.
//
//   Narration n = narrate(severest_finding(run), &timeline);
//   n.headline     nowait_lease under skew: clients 3 and 7 both held "orders" for 812 ms (14.203 s to 15.015 s)
//   n.facts        Client 3 held "orders" from 12.700 s (#881) to 15.015 s (#930).
//                  From 14.203 s to 15.015 s both acted as holder.
//   n.proven       the overlap (one clock)
//   n.suggestion   client 3 does not look at its lease after waking. ...
//
// Without a timeline the facts are the checker's own words. Texts are not escaped: see visible.hpp and html.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "artifact/verdict.hpp"
#include "reports/finding.hpp"

namespace holdfast {

struct Fact {
  std::string text;
  std::int64_t time_ns = -1;  // of its beginning; -1: it has no moment
};

struct Narration {
  std::string headline;
  std::vector<Fact> facts;
  std::string proven;
  std::string suggestion;             // empty: nothing to suggest
  std::string label;                  // the suggestion's label: kLikelyCause, kConfirmedCause or kNotTheCause
  std::vector<std::string> controls;  // results of controls for the causes, a line each
  std::string remedy;                 // for an undecided trial: what may decide it; else empty
};

Narration narrate(const Finding&, const Timeline* timeline);

// The headline alone; any cell has one.
std::string headline(const Finding&);

// Without the schedule, which a search has in its text: "A and B both hold the lock within their leases".
std::string short_text(const Witness&);
std::string short_headline(const Finding&);

// "client 3", "clients 3 and 7", "clients 1, 2 and 5"
std::string clients_text(const std::vector<std::uint32_t>& clients);

// Returns true if they are one client, which may hold a lock twice at once.
bool are_one(const std::vector<std::uint32_t>& clients);

// The spans of the witness's clients and key that touch it.
std::vector<const Span*> witness_spans(const Timeline&, const Witness&);

}  // namespace holdfast
