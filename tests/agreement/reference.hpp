// The references: what is legal, found by trying everything. Only for small histories; they share no rule and no code
// with the checker.
//
//   Reference(Model::owner, operations).legal()
//
// Every order of moments is tried (order_search.hpp). Leases have one of their own (timed_reference.hpp).
#pragma once

#include "tests/agreement/order_search.hpp"

namespace holdfast::agreement {

enum class Model : std::uint8_t { owner, reentrant, plain, fenced, lease, read_write, semaphore };

inline bool of_permits(Model model) {
  return model == Model::read_write || model == Model::semaphore;
}
constexpr int kPermits = 2;  // of the semaphore

class Reference {
 public:
  struct State {
    int holder = -1;  // 0 for a plain lock
    int depth = 0;
    std::uint64_t token = 0;
    auto operator<=>(const State&) const = default;
  };

  Reference(Model model, Operations operations) : model_(model), operations_(std::move(operations)) {}
  bool legal() const { return OrderSearch<Reference>(*this, operations_).found(); }

  static bool must(const Operation& o) { return o.said == Answered::ok || o.said == Answered::refused; }
  static bool may(const Operation& o) { return o.said != Answered::failed; }

  // True if a correct lock can answer so; applies it to the lock.
  bool after(const Operation& o, State& state) const {
    const bool plain = model_ == Model::plain;
    const int who = plain ? 0 : o.process;
    if (o.said == Answered::refused) return o.does == Does::acquire ? state.holder >= 0 : state.holder != who;
    if (o.does == Does::acquire) {
      if (model_ == Model::reentrant && state.holder == who) return ++state.depth, true;
      if (state.holder >= 0) return false;
      if (model_ == Model::fenced && o.said == Answered::ok) {
        if (o.token <= state.token) return false;
        state.token = o.token;
      }
      state.holder = who;
      state.depth = 1;
      return true;
    }
    if (state.holder != who) return false;
    if (o.does == Does::renew) return true;
    if (--state.depth == 0) state.holder = -1;
    return true;
  }

 private:
  Model model_;
  Operations operations_;
};

}  // namespace holdfast::agreement
