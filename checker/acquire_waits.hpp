// How long clients waited for their grants: from the call of the first attempt of a wait to the answer that granted it.
//
// Uncontended: granted at the first attempt, and from its call to its answer nobody else held the key or asked for it:
// what the lock itself costs. All other waits are contended: they hold the others' jobs and the pauses between polls,
// too. A wait that ends without a grant counts nowhere.
//
// Memory: one entry a client, and the lengths.
#pragma once

#include <vector>

#include "checker/holds.hpp"
#include "history/event.hpp"

namespace holdfast {

class AcquireWaits {
 public:
  explicit AcquireWaits(const Holds& holds) : holds_(holds) {}

  void granted(const Hold& hold);
  void event(const Event& event);  // after Holds has seen it

  const std::vector<std::int64_t>& uncontended_ns() const { return uncontended_ns_; }
  const std::vector<std::int64_t>& contended_ns() const { return contended_ns_; }

 private:
  struct Wait {
    bool waiting = false;
    bool open = false;  // an attempt has no answer yet
    bool contended = false;
    std::uint32_t key = 0;
    std::int64_t since_ns = 0;
  };
  void asked(const Event& event);

  const Holds& holds_;
  std::vector<Wait> waits_;  // by client
  std::vector<std::int64_t> uncontended_ns_;
  std::vector<std::int64_t> contended_ns_;
};

}  // namespace holdfast
