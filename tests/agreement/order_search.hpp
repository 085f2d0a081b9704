// Is there an order of moments that explains every answer? Found by trying them all: depth first over (operations
// placed, state), placing any operation that no unplaced answered one must precede, until all answered ones are placed.
//
//   OrderSearch<Lock>(lock, operations).found()
//
// A Lock has a State that can be compared, `must(o)` (it was answered, and has to be placed), `may(o)` (it can be), and
// `after(o, state)`: whether a correct lock can answer so, and what that does to it.
#pragma once

#include <set>
#include <utility>

#include "tests/agreement/operation.hpp"

namespace holdfast::agreement {

template <typename Lock>
class OrderSearch {
 public:
  using State = typename Lock::State;
  OrderSearch(const Lock& lock, const Operations& operations) : lock_(lock), operations_(operations) {}
  bool found() { return from(0, {}); }

 private:
  bool from(std::uint32_t placed, const State& state) {
    if (!seen_.insert({placed, state}).second) return false;
    bool all = true;
    int deadline = kNoAnswer;
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      if ((placed >> i & 1) != 0 || !lock_.must(operations_[i])) continue;
      all = false;
      deadline = std::min(deadline, operations_[i].answered);
    }
    if (all) return true;
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      const Operation& o = operations_[i];
      if ((placed >> i & 1) != 0 || o.invoked > deadline || !lock_.may(o)) continue;
      State next = state;
      if (lock_.after(o, next) && from(placed | 1U << i, next)) return true;
    }
    return false;
  }

  const Lock& lock_;
  const Operations& operations_;
  std::set<std::pair<std::uint32_t, State>> seen_;
};

}  // namespace holdfast::agreement
