// When a free key could not be had.
//
// A key is free while nobody believes to hold it within a lease that still runs. It counts as unavailable from the call
// of the first attempt that was made while it was free and came back without it (refused, failed or unanswered), until
// the next grant or the end of the load. So the pauses between two polls count only once a poll has failed, and the
// rest of a dead holder's lease counts: that is the price of a lease.
//
//   free    ......|-----------------------------|granted
//   polls           ^refused     ^refused     ^ok
//   unavailable     |===========================|
//
// Memory: one entry a key, and the gaps.
#pragma once

#include <vector>

#include "checker/holds.hpp"
#include "history/event.hpp"

namespace holdfast {

class Availability {
 public:
  explicit Availability(const Holds& holds) : holds_(holds) {}

  void granted(const Hold& hold);
  void ended(const Hold& hold);
  void event(const Event& event);  // after Holds has seen it
  void finish(std::int64_t load_end_ns);

  const std::vector<Window>& gaps() const { return gaps_; }
  // Whether somebody believes to hold the key within a lease that still runs.
  bool held(std::uint32_t key, std::int64_t now_ns) const;

 private:
  struct Key {
    std::int64_t held_to_ns = 0;  // by those who no longer believe
    std::int64_t tried_ns = -1;   // the first failed attempt since it is free; -1: none
  };
  std::int64_t free_since_ns(std::uint32_t key) const;
  Key& at(std::uint32_t key);

  const Holds& holds_;
  std::vector<Key> keys_;
  std::vector<Window> gaps_;
};

}  // namespace holdfast
