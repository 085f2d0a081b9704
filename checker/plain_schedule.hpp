// The plain (ownerless) mutex: anybody may release it. Is there an order of moments, one inside each operation's
// window, in which acquires and releases alternate? Lazy earliest deadline first:
//
//   PlainSchedule s;
//   s.enter(op);                           // each operation, once it has been invoked
//   if (!s.settle(op)) ...                 // each operation that was answered, in the order of the answers: impossible
//
// An operation is placed only when its answer forces it to have happened. Where the state forbids that, the pending
// operation of the other kind with the earliest deadline goes first; where there is none, no order exists.
//
// Exact: take any order that works. Before the first forced moment its placements can be put off to that moment without
// changing what comes after, since a window stays open until its own answer. At that moment the order must have placed
// the forced operation, and, if the state forbids it, one of the other kind before it. Exchanging that one for the one
// with the earliest deadline keeps the order working: what had the earlier deadline can no longer be missed, and the
// other, whose window is open for longer, takes its later place. By induction the lazy order fails only where all do.
// A `busy` answer is a look that must see the lock held at some moment of its window: it was, when the lazy order
// (which holds as late as any) says so; else one more acquire must come first, the one with the earliest deadline by
// the same exchange. `not_held` is the same with free for held.
//
// Counting acquires and releases in intervals (Hall) is not enough: they must alternate, not only balance.
//
// What it does not do: it forgets nothing that is still open, and does not read events (plain_rule.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "checker/hold.hpp"

namespace holdfast {

struct PlainOperation {
  enum class Kind : std::uint8_t { acquire, release, busy, not_held };
  Kind kind = Kind::acquire;
  std::uint32_t process = 0;
  std::uint32_t client = 0;
  std::int64_t invoked_ns = 0;
  std::int64_t answered_ns = kNever;  // kNever: nobody knows whether it took effect
  std::uint64_t invoke_index = 0;
  std::uint64_t index = 0;  // of the answer; of the invocation where there is none

  bool looks() const { return kind == Kind::busy || kind == Kind::not_held; }
};

class PlainSchedule {
 public:
  // Not called for looks, nor for what surely had no effect.
  void enter(const PlainOperation& operation);

  // False when no order exists in which the operation was answered so; then it is taken as placed all the same. At most
  // two operations are placed, in `placed()`.
  bool settle(const PlainOperation& operation);
  const std::vector<PlainOperation>& placed() const { return placed_; }

  bool held() const { return held_; }
  std::size_t pending() const { return pending_[0].size() + pending_[1].size(); }

 private:
  using Heap = std::vector<PlainOperation>;
  bool look(const PlainOperation& operation);
  bool place_pending(bool acquire);
  void place(const PlainOperation& operation);

  std::array<Heap, 2> pending_;  // releases, acquires; the earliest deadline first
  bool held_ = false;
  std::array<std::int64_t, 2> was_until_ns_{-1, -1};  // free, held: when it was last so, if it is not now
  std::int64_t now_ns_ = 0;
  std::vector<PlainOperation> placed_;
};

// The first of these, in the order of the answers, for which there is no place; nothing when they are possible.
std::optional<PlainOperation> impossible(std::vector<PlainOperation> operations);

}  // namespace holdfast
