// How the fake world obeys: it keeps a list of what it was told, does it at once, or is deaf.
//
//   tell("kill", 2, [&] { states_[2] = 'X'; });   // told() now ends with "kill 2"
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "artifact/error.hpp"
#include "nemesis/fault.hpp"

namespace holdfast {

class FakeOrders : public World {
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
  bool tell(const std::string& what, std::uint32_t client, const Effect& effect) {
    const std::lock_guard guard(mutex_);
    told_.push_back(what + " " + std::to_string(client));
    if (!deaf) effect();
    if (!breaks.empty() && told_.back().rfind(breaks, 0) == 0) throw HarnessError("the world broke");
    return !deaf;
  }
  template <typename Value>
  Value look(const std::map<std::uint32_t, Value>& values, std::uint32_t client) const {
    const std::lock_guard guard(mutex_);
    const auto found = values.find(client);
    return found == values.end() ? Value{} : found->second;
  }

  mutable std::mutex mutex_;

 private:
  std::vector<std::string> told_;
};

}  // namespace holdfast
