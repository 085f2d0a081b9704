// Arrivals that have not left, in order of arrival: holders of a key, or clients that wait for it.
//
//   Arrivals<Hold*> believers;
//   believers.push_back(&hold);
//   for (const Hold* each : believers.all()) ...
//   believers.erase(&hold);
//
// Usually holds one. Thousands leave in about the order in which they arrived, or in the reverse: a departure looks
// only at the entries on its shorter side.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace holdfast {

template <typename Who>
class Arrivals {
 public:
  std::span<const Who> all() const { return {all_.data() + first_, all_.size() - first_}; }
  bool empty() const { return first_ == all_.size(); }
  void push_back(Who who) { all_.push_back(std::move(who)); }

  // Nothing changes if it is not there.
  template <typename Same>
  void erase(const Same& who) {
    std::size_t before = first_;  // looked for from either side at a time
    std::size_t after = all_.size();
    while (before < after && all_[after - 1] != who && all_[before] != who) ++before, --after;
    if (before >= after) return;
    if (all_[after - 1] == who) {
      all_.erase(at(after - 1));
    } else {
      std::move_backward(at(first_), at(before), at(before + 1));
      all_[first_++] = Who();
    }
    tidy();
  }

 private:
  auto at(std::size_t i) { return all_.begin() + static_cast<std::ptrdiff_t>(i); }

  // The room of those at the front that are gone is used again.
  void tidy() {
    if (first_ == all_.size()) {
      all_.clear();
      first_ = 0;
    } else if (first_ > all_.size() / 2) {
      all_.erase(all_.begin(), at(first_));
      first_ = 0;
    }
  }

  std::vector<Who> all_;
  std::size_t first_ = 0;  // those before it are gone
};

}  // namespace holdfast
