// Is there an order of moments, one in each operation's window, in which a correct lock answers so? Found by trying, so
// only where no rule decides (key_orders.hpp has when).
//
//   find_order(operations, {.reentrant = false, .lapses = true}, 100'000)
//                                    // possible, impossible, or unknown: too much to try
//
// The lock: it is granted while it is free, is renewed and released by its holder only, answers `busy` while it is held
// and `not_held` to a client that does not hold it. With `lapses` a grant or renewal at moment t lasts at least for its
// lease; from then on the lock may drop it at any time. A lease of unknown length may be dropped at once.
//
// Exact: an order is tried with each operation as early as the ones before it allow. This loses nothing, since an
// earlier moment never makes a lease end later, and a lock may hold on for as long as it likes. If two ways lead to the
// same state (operations that have happened, and the holder) only the one that is earlier and promises less is
// followed. Kept are a window of 64 answered operations behind the first that has not happened, and 64 unanswered ones.
// If unanswered acquires differ only in the time of their call, the first is tried first.
#pragma once

#include <cstdint>
#include <vector>

#include "checker/hold.hpp"
#include "history/event.hpp"

namespace holdfast {

struct SearchedOperation {
  std::uint32_t process = 0;
  std::uint32_t client = 0;
  Op op = Op::acquire;               // acquire, renew or release
  EventType said = EventType::info;  // fail: busy, or not_held
  std::uint32_t called = 0;          // how many of its key were called before it, to order equal times
  std::int64_t invoked_ns = 0;
  std::int64_t answered_ns = kNever;  // unanswered: kNever
  std::int64_t lease_ns = 0;          // 0: none, it never ends; kUnknownLease
  std::uint64_t invoke_index = 0;
  std::uint64_t index = 0;
  std::int64_t left_ns = kNever;  // of an acquire: from then on the lock may drop it, however long its lease

  bool must() const { return said != EventType::info; }
  bool refusal() const { return op == Op::acquire && said == EventType::fail; }
};
using Searched = std::vector<SearchedOperation>;

constexpr std::int64_t kUnknownLease = -1;

struct LockRules {
  bool reentrant = false;
  bool lapses = false;  // leases end; else they are not looked at
};

enum class OrderFound : std::uint8_t { possible, impossible, unknown };

// The operations in any order. At most `most_states` states are looked at.
OrderFound find_order(const Searched& operations, const LockRules& rules, std::size_t most_states);

}  // namespace holdfast
