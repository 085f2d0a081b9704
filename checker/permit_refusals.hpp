// Refusals of a semaphore or a read-write lock while it surely had room.
//
//   PermitRefusals refusals(3, [](const PermitRefusal& refusal) { ... });   // a semaphore of three
//   refusals.event(event, holds.operation());
//   refusals.finish();
//
// An acquire that was granted, or had no answer, may have held its permit from its call on; a permit is surely back
// once a release of it has been answered ok. A refusal counts if at no moment between its call and its answer so many
// can have been held: all of a semaphore's, any at all of a read-write lock (one that lets no reader in while a writer
// waits is right, too). So it never counts wrongly. The joint needs of several refusals, or of a refusal and later
// answers, are not examined: some cases that no order explains are passed over.
//
// An acquire is known to be granted only at its answer, so a refusal waits for those that were open beside it. Equal
// times are concurrent. After a kill or a leave the permits that the process held are unknown; they count as held.
//
// Memory: what was called since the first open acquire, or the first refusal that waits; at most kMostWatched of a key.
// Beyond that refusals are passed over until those are answered.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "checker/holds.hpp"

namespace holdfast {

struct PermitRefusal {
  std::uint32_t key = 0;
  std::uint32_t process = 0;
  std::uint32_t client = 0;
  Window window;
  std::uint64_t invoke_index = 0;
  std::uint64_t index = 0;
  std::int64_t most = 0;  // the most that can have been held at any moment of it
};

class PermitRefusals {
 public:
  static constexpr std::size_t kMostWatched = 4096;
  using Found = std::function<void(const PermitRefusal&)>;

  // `needed`: how many must be held for a refusal to be right.
  PermitRefusals(std::int64_t needed, Found found) : needed_(needed), found_(std::move(found)) {}

  void event(const Event& event, const Operation& operation);
  void finish();

 private:
  struct Change {
    std::int64_t time_ns = 0;
    std::uint32_t process = 0;
    bool back = false;  // a permit is back from just after this time on; else one may be held from it on
    bool open = false;  // an acquire without an answer yet
  };
  struct Key {
    std::int64_t before = 0;  // permits that all forgotten changes may still hold
    std::deque<Change> changes;
    std::deque<PermitRefusal> waiting;
    bool full = false;
  };
  Key& at(std::uint32_t key);
  void answered(Key& key, const Event& event, const Operation& operation);
  void judge(std::uint32_t number, bool at_the_end);
  static std::int64_t most_in(const Key& key, const Window& window);
  void forget(Key& key);

  std::int64_t needed_;
  Found found_;
  std::vector<Key> keys_;
};

}  // namespace holdfast
