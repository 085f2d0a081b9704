// Two holds of one key at the same time, and what made that possible.
//
//   if (const auto overlap = lease_overlap(a, b, now_ns)) kind = overlap_kind(*overlap, causes, ...).name;
//
// Exact because every span lies inside the true one: a belief begins when the answer was *seen* and ends when the
// release was *called*, a validity begins when the request was *sent*. So two spans that overlap for a positive time
// are never a false alarm, whenever the server really acted. Spans are half open and equal time stamps are concurrent,
// not ordered: spans that only touch overlap nothing.
#pragma once

#include <optional>
#include <string>

#include "checker/causes.hpp"
#include "checker/hold.hpp"
#include "checker/story.hpp"

namespace holdfast {

struct Overlap {
  const Hold* earlier = nullptr;  // by the return of the grant
  const Hold* later = nullptr;
  std::int64_t from_ns = 0;
  std::int64_t to_ns = 0;     // of its first piece; at most now
  std::int64_t total_ns = 0;  // of all its pieces
};

// Of [granted, ended) of both. `now_ns` stands in for the end of what still goes on.
std::optional<Overlap> belief_overlap(const Hold& a, const Hold& b, std::int64_t now_ns);

// The same, cut with the validity of both.
std::optional<Overlap> lease_overlap(const Hold& a, const Hold& b, std::int64_t now_ns);

struct OverlapKind {
  std::string name;                        // overrun, late_grant, a fault's cause, or algorithm
  bool undecided = false;                  // no planned fault covers it, and the machine may have stalled
  std::string reason;                      // undecided only
  const FaultRecord* suspected = nullptr;  // whose cause it is
};

// What the history can say about the machine.
struct Evidence {
  explicit Evidence(const HistoryHeader& header) : foreign(header.foreign), stall_bound_ns(header.stall_bound_ns) {}
  bool foreign;                 // nothing: neither faults nor stalls were recorded
  std::int64_t stall_bound_ns;  // stalls are told but for so much in all; 0: nobody measured them
};

// The fault that may be behind an overlap of two valid claims; null: none struck a party of it.
const FaultRecord* suspected(const Overlap& overlap, const Causes& causes);

OverlapKind overlap_kind(const Overlap& overlap, const Causes& causes, const Story& story, const Evidence& evidence);

}  // namespace holdfast
