// The reference of read-write locks and semaphores: tries every order of moments (order_search.hpp). Judges `busy` on
// request: all permits of a semaphore must be taken, a read-write lock must be held.
#pragma once

#include <array>

#include "tests/agreement/order_search.hpp"

namespace holdfast::agreement {

class PermitReference {
 public:
  struct State {
    std::array<int, 32> held{};  // by process
    int readers = 0;
    int writers = 0;
    auto operator<=>(const State&) const = default;
  };

  // permits 0: a read-write lock.
  PermitReference(int permits, bool refusals, Operations operations)
      : permits_(permits), operations_(std::move(operations)) {
    if (refusals) return;
    std::erase_if(operations_, [](const Operation& o) { return o.is(Does::acquire, Answered::refused); });
  }
  bool legal() const { return OrderSearch<PermitReference>(*this, operations_).found(); }

  static bool must(const Operation& o) { return o.said == Answered::ok || o.said == Answered::refused; }
  static bool may(const Operation& o) { return must(o) || o.said == Answered::nothing; }

  bool after(const Operation& o, State& state) const {
    int& held = state.held.at(static_cast<std::size_t>(o.process));
    if (o.does == Does::release) {
      if (o.said == Answered::refused) return held == 0;
      if (held == 0) return false;
      --held;
      // A writer is alone, so a release during its hold is its own.
      state.writers > 0 ? --state.writers : --state.readers;
      return true;
    }
    if (o.said == Answered::refused)
      return permits_ > 0 ? state.readers == permits_ : state.readers + state.writers > 0;
    const bool fits = permits_ > 0 ? state.readers < permits_ : state.writers == 0 && (o.shared || state.readers == 0);
    if (!fits) return false;
    ++held;
    permits_ > 0 || o.shared ? ++state.readers : ++state.writers;
    return true;
  }

 private:
  int permits_;
  Operations operations_;
};

}  // namespace holdfast::agreement
