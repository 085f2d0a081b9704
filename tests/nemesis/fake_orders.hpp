// What a fake world was told, in order, and whether orders have an effect. Faults are on threads of their own: all that
// an order changes is behind one mutex.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "artifact/error.hpp"

namespace holdfast {

class FakeOrders {
 public:
  std::atomic<bool> deaf{false};        // orders have no effect
  std::atomic<bool> deaf_later{false};  // ... from the first wait on: what acted cannot be healed
  std::string breaks;                   // an order that begins so has its effect, and then fails

  std::vector<std::string> told() const {
    const std::lock_guard guard(mutex_);
    return told_;
  }

 protected:
  template <typename Effect>
  bool tell(const std::string& what, std::uint32_t whom, const Effect& effect) {
    const std::lock_guard guard(mutex_);
    told_.push_back(what + " " + std::to_string(whom));
    if (!deaf) effect();
    if (!breaks.empty() && told_.back().rfind(breaks, 0) == 0) throw HarnessError("the world broke");
    return !deaf;
  }
  template <typename Value>
  Value look(const std::map<std::uint32_t, Value>& values, std::uint32_t whom) const {
    const std::lock_guard guard(mutex_);
    const auto found = values.find(whom);
    return found == values.end() ? Value{} : found->second;
  }

  mutable std::mutex mutex_;

 private:
  std::vector<std::string> told_;
};

}  // namespace holdfast
