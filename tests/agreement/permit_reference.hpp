// The reference of read-write locks and semaphores: depth-first search, as in reference.hpp, over who holds how many
// permits. `busy` is not judged.
#pragma once

#include <array>
#include <set>

#include "tests/agreement/operation.hpp"

namespace holdfast::agreement {

class PermitReference {
 public:
  // permits 0: a read-write lock.
  PermitReference(int permits, Operations operations) : permits_(permits), operations_(std::move(operations)) {}
  bool legal() { return search(0, {}); }

 private:
  struct State {
    std::array<int, 32> held{};  // by process
    int readers = 0;
    int writers = 0;
  };

  static bool must(const Operation& o) {
    return o.said == Said::ok || (o.said == Said::refused && o.does == Does::release);
  }

  bool search(std::uint32_t placed, const State& state) {
    if (!seen_.insert(placed).second) return false;
    bool all = true;
    int deadline = kNoAnswer;
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      if ((placed >> i & 1) != 0 || !must(operations_[i])) continue;
      all = false;
      deadline = std::min(deadline, operations_[i].answered);
    }
    if (all) return true;
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      const Operation& o = operations_[i];
      const bool can = must(o) || o.said == Said::nothing;
      if ((placed >> i & 1) != 0 || o.invoked > deadline || !can) continue;
      State next = state;
      if (after(o, next) && search(placed | 1U << i, next)) return true;
    }
    return false;
  }

  bool after(const Operation& o, State& state) const {
    int& held = state.held.at(static_cast<std::size_t>(o.process));
    if (o.does == Does::release) {
      if (o.said == Said::refused) return held == 0;
      if (held == 0) return false;
      --held;
      // A writer is alone, so whoever gives something back while there is one is that.
      state.writers > 0 ? --state.writers : --state.readers;
      return true;
    }
    const bool fits = permits_ > 0 ? state.readers < permits_ : state.writers == 0 && (o.shared || state.readers == 0);
    if (!fits) return false;
    ++held;
    permits_ > 0 || o.shared ? ++state.readers : ++state.writers;
    return true;
  }

  int permits_;
  Operations operations_;
  std::set<std::uint32_t> seen_;
};

}  // namespace holdfast::agreement
