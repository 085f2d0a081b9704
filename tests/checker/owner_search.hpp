// The reference for the owner-aware rules: is there any order of the operations' moments that a correct lock could have
// answered so? Depth-first search over (operations placed, holder); only for small histories.
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace holdfast {

enum class Answer : std::uint8_t { granted, busy, released, not_held, open_acquire, open_release };

struct SearchedOperation {
  int process = 0;
  Answer answer = Answer::granted;
  int invoked = 0;
  int answered = 0;  // open ones: later than everything
};

class OwnerSearch {
 public:
  explicit OwnerSearch(std::vector<SearchedOperation> operations) : operations_(std::move(operations)) {}
  bool legal() { return search(0, kNobody); }

 private:
  static constexpr int kNobody = -1;
  static bool open(const SearchedOperation& o) {
    return o.answer == Answer::open_acquire || o.answer == Answer::open_release;
  }

  // The holder after an operation, or -2 when a correct lock could not have answered so.
  static int after(const SearchedOperation& o, int holder) {
    switch (o.answer) {
      case Answer::granted:
      case Answer::open_acquire:
        return holder == kNobody ? o.process : -2;
      case Answer::busy:
        return holder != kNobody ? holder : -2;
      case Answer::released:
      case Answer::open_release:
        return holder == o.process ? kNobody : -2;
      case Answer::not_held:
        return holder != o.process ? holder : -2;
    }
    return -2;
  }

  bool search(std::uint32_t placed, int holder) {
    if (!seen_.insert({placed, holder}).second) return false;
    bool all_answered = true;
    int first_deadline = 1 << 30;
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      if (placed >> i & 1 || open(operations_[i])) continue;
      all_answered = false;
      first_deadline = std::min(first_deadline, operations_[i].answered);
    }
    if (all_answered) return true;
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      if (placed >> i & 1 || operations_[i].invoked > first_deadline) continue;
      const int next = after(operations_[i], holder);
      if (next != -2 && search(placed | 1u << i, next)) return true;
    }
    return false;
  }

  std::vector<SearchedOperation> operations_;
  std::set<std::pair<std::uint32_t, int>> seen_;
};

}  // namespace holdfast
