// Is there an order of moments, one in each operation's window, in which a correct lock answers so? Found by trying, so
// only where no rule decides (key_orders.hpp has when).
//
//   find_order(operations, {.reentrant = false, .lapses = true}, 100'000)
//                                    // possible, impossible, or unknown: too much to try
//
// The lock: it is granted while nobody holds it, is renewed and released by its holder only, answers `busy` while
// anybody holds it and `not_held` to whoever does not. With `lapses` a grant or renewal at moment t lasts for its lease
// at least; from then on the lock may drop it whenever it likes. How long a lease without a known length lasts, nobody
// knows: it may be dropped at once.
//
// Exact: an order is tried with each operation as early as the ones before it allow. Nothing is lost by that, since an
// earlier moment never makes a lease end later, and a lock may hold on for as long as it likes. Of two ways to the same
// state (what has happened, and who holds it) only the one that is earlier and promises less is followed. What is kept
// of the operations that have happened is a window of 64 behind the first that has not; of those without an answer, 64.
// Of acquires without an answer that are alike but for when they were asked, the first asked is tried first.
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
  std::uint32_t called = 0;          // how many of its key were called before it, for those of one moment
  std::int64_t invoked_ns = 0;
  std::int64_t answered_ns = kNever;  // of those without an answer kNever
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
