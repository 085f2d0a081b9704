// The reference of leases: what is legal, found by letting time pass. It shares no rule and no code with the checker.
//
//   TimedReference(operations).legal()
//
// The lock: a grant or a renewal at moment t is valid until t + its lease at least; from then on the lock may drop it
// at any time, and until it does, the holder holds it. It grants nothing while it is held, answers `busy` while a
// client holds it (its asker, too), and `not_held` to a client that does not. An unanswered acquire of unknown lease
// may be dropped at once.
//
// Moment by moment all possible states of the lock are kept: the operations that have happened, the holder, and the end
// of its promise. An operation happens at a whole moment of its window; that is enough, since all times are whole.
#pragma once

#include <set>
#include <vector>

#include "tests/agreement/operation.hpp"

namespace holdfast::agreement {

class TimedReference {
 public:
  explicit TimedReference(const Operations& operations) : operations_(operations) {}

  bool legal() const {
    int last = 0;
    for (const Operation& o : operations_) last = std::max({last, o.invoked, o.answered == kNoAnswer ? 0 : o.answered});
    std::set<State> states{State{}};
    for (int now = 0; now <= last && !states.empty(); ++now) states = after(now, states);
    return !states.empty();
  }

 private:
  struct State {
    std::uint32_t happened = 0;
    int holder = -1;
    int until = 0;
    auto operator<=>(const State&) const = default;
  };

  std::set<State> after(int now, const std::set<State>& before) const {
    std::set<State> seen;
    std::vector<State> todo(before.begin(), before.end());
    while (!todo.empty()) {
      State state = todo.back();
      todo.pop_back();
      if (state.holder >= 0 && state.until <= now) state.until = 0;  // it does not matter any more how long it is over
      if (!seen.insert(state).second) continue;
      for (std::size_t i = 0; i < operations_.size(); ++i) extend(state, i, now, todo);
    }
    std::set<State> left;
    for (const State& state : seen) {
      if (!overdue(state, now)) left.insert(state);
    }
    return left;
  }

  bool overdue(const State& state, int now) const {
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      const Operation& o = operations_[i];
      const bool must = o.said == Answered::ok || o.said == Answered::refused;
      if (must && o.answered <= now && (state.happened >> i & 1) == 0) return true;
    }
    return false;
  }

  void extend(const State& state, std::size_t i, int now, std::vector<State>& todo) const {
    const Operation& o = operations_[i];
    const bool known = o.said == Answered::ok || o.said == Answered::refused;
    if ((state.happened >> i & 1) != 0 || o.said == Answered::failed || o.invoked > now) return;
    if (known && o.answered < now) return;
    State next = state;
    next.happened |= 1U << i;
    if (happens(o, now, next)) todo.push_back(next);
    if (next.holder < 0 || next.until > now) return;
    next = state;  // the same once the lease has been dropped
    next.happened |= 1U << i;
    next.holder = -1;
    next.until = 0;
    if (happens(o, now, next)) todo.push_back(next);
  }

  static bool happens(const Operation& o, int now, State& state) {
    const bool mine = state.holder == o.process;
    if (o.said == Answered::refused) return o.does == Does::acquire ? state.holder >= 0 : !mine;
    const bool known = o.said == Answered::ok || o.told_when_asked;
    if (o.does == Does::acquire) {
      if (state.holder >= 0) return false;
      state.holder = o.process;
      state.until = known ? now + o.lease : now;
    } else if (o.does == Does::renew) {
      if (!mine) return false;
      state.until = known ? now + o.lease : state.until;
    } else {
      if (!mine) return false;
      state.holder = -1;
      state.until = 0;
    }
    return true;
  }

  const Operations& operations_;
};

}  // namespace holdfast::agreement
