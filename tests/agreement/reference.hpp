// The references: what is legal, found by trying everything. Only for small histories; they share no rule and no code
// with the checker.
//
//   Reference(Model::owner, operations).legal()
//   lease_reference(operations)
//
// Locks: every order of moments is tried (order_search.hpp). Leases: every choice of moments of the grants is tried,
// and no two of the intervals that follow may overlap.
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
    int holder = -1;  // of a plain lock 0
    int depth = 0;
    std::uint64_t token = 0;
    auto operator<=>(const State&) const = default;
  };

  Reference(Model model, Operations operations) : model_(model), operations_(std::move(operations)) {}
  bool legal() const { return OrderSearch<Reference>(*this, operations_).found(); }

  static bool must(const Operation& o) { return o.said == Said::ok || o.said == Said::refused; }
  static bool may(const Operation& o) { return o.said != Said::failed; }

  // Whether a correct lock can answer so, and what it does to the lock.
  bool after(const Operation& o, State& state) const {
    const bool plain = model_ == Model::plain;
    const int who = plain ? 0 : o.process;
    if (o.said == Said::refused) return o.does == Does::acquire ? state.holder >= 0 : state.holder != who;
    if (o.does == Does::acquire) {
      if (model_ == Model::reentrant && state.holder == who) return ++state.depth, true;
      if (state.holder >= 0) return false;
      if (model_ == Model::fenced && o.said == Said::ok) {
        if (o.token <= state.token) return false;
        state.token = o.token;
      }
      state.holder = who;
      state.depth = 1;
      return true;
    }
    if (state.holder != who) return false;
    if (--state.depth == 0) state.holder = -1;
    return true;
  }

 private:
  Model model_;
  Operations operations_;
};

// One lease: a window for its beginning; its end is fixed, or depends on the beginning.
struct LeaseOfReference {
  int first = 0, last = 0;  // its acquire's window
  int length = 0;
  int renewed_to = 0;
  int ended = kNoAnswer;
  bool released = false;

  int end(int x) const { return released ? ended : std::min(ended, std::max(x + length, renewed_to)); }
  bool late() const { return last >= first + length; }
};

// The leases of a history, in the order of their answers.
inline std::vector<LeaseOfReference> leases_of(const Operations& operations) {
  Operations sorted = operations;
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.answered < b.answered; });
  std::vector<LeaseOfReference> leases;
  std::vector<int> holder;        // by lease
  std::vector<int> mine(16, -1);  // by process: its lease, while it believes
  const auto believes_at = [&](int process, int invoked) {
    const int lease = mine.at(process);
    return lease >= 0 && (leases[lease].ended == kNoAnswer || leases[lease].ended >= invoked) ? lease : -1;
  };
  Operations by_call = operations;
  std::sort(by_call.begin(), by_call.end(), [](const auto& a, const auto& b) { return a.invoked < b.invoked; });
  for (const Operation& o : sorted) {
    if (!o.is(Does::acquire, Said::ok)) continue;
    const int own = believes_at(o.process, o.invoked);
    if (own >= 0 && own == static_cast<int>(leases.size()) - 1) {
      leases[own].renewed_to = std::max(leases[own].renewed_to, o.invoked + o.lease);
    } else {
      leases.push_back({o.invoked, o.answered, o.lease, 0, kNoAnswer, false});
      holder.push_back(o.process);
      mine[o.process] = static_cast<int>(leases.size()) - 1;
    }
    // What the process did with it, up to its next grant.
    LeaseOfReference& lease = leases[mine[o.process]];
    for (const Operation& next : by_call) {
      if (next.process != o.process || next.invoked < o.answered) continue;
      if (next.does == Does::acquire) {
        if (next.said == Said::ok) break;
        continue;
      }
      if (lease.ended < next.invoked) break;
      if (next.does == Does::renew) {
        if (next.said == Said::ok) lease.renewed_to = std::max(lease.renewed_to, next.invoked + next.lease);
        if (next.said == Said::refused) lease.ended = next.answered;
      } else if (next.said != Said::failed) {
        lease.ended = next.invoked;
        lease.released = next.said == Said::ok;
      }
    }
  }
  return leases;
}

inline bool places(const std::vector<LeaseOfReference>& leases, std::vector<int>& x) {
  const std::size_t i = x.size();
  if (i == leases.size()) return true;
  for (int at = leases[i].first; at <= leases[i].last; ++at) {
    const int end = leases[i].end(at);
    bool free = true;
    for (std::size_t j = 0; j < i && free; ++j) free = end <= x[j] || leases[j].end(x[j]) <= at;
    if (!free) continue;
    x.push_back(at);
    if (places(leases, x)) return true;
    x.pop_back();
  }
  return false;
}

inline bool lease_reference(const Operations& operations) {
  std::vector<int> x;
  return places(leases_of(operations), x);
}

}  // namespace holdfast::agreement
