// Who waits for a key while others that asked for it later are granted it: for each acquire, from its call to its
// answer.
//
//   Overtakes waits(kMostShown, [](const Waited& one, const auto& by) { ... });   // when one is over
//   waits.event(event, holds.operation());                       // every event of a client, after Holds has seen it
//   waits.killed(event);                                         // what the dead had asked for is waited for no more
//   waits.finish();                                              // those without an answer
//
// One who asks, is refused and asks again does not wait in between, so that is another acquire. Grants to who holds the
// key already pass nobody. Equal times are concurrent, not ordered.
//
// Exact where holders exclude each other: the later one's acquire lies after the other's call, and took effect before
// it, since its hold would lie within the other's else. Memory: the acquires that are open, and a few grants of each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "checker/by_id.hpp"
#include "checker/holds.hpp"
#include "history/event.hpp"

namespace holdfast {

// A grant to one that had asked later.
struct Overtaking {
  std::uint32_t process = 0;
  std::uint32_t client = 0;
  std::int64_t called_ns = 0;
  std::uint64_t invoke_index = 0;
  std::uint64_t index = 0;
};

struct Waited {
  std::int64_t called_ns = 0;
  std::int64_t answered_ns = kNever;
  std::uint64_t invoke_index = 0;
  std::uint64_t index = 0;
  std::int64_t overtaken = 0;  // how often
  std::uint32_t process = 0;
  std::uint32_t client = 0;
  std::uint32_t key = 0;
  bool granted = false;

  bool answered() const { return answered_ns != kNever; }
};

class Overtakes {
 public:
  // One that is over, and the first that were granted the key before it.
  using Over = std::function<void(const Waited&, const std::vector<Overtaking>&)>;
  Overtakes(std::size_t most_shown, Over over) : most_shown_(most_shown), over_(std::move(over)) {}

  void event(const Event& event, const Operation& operation) {
    if (event.op != Op::acquire) return;
    event.type == EventType::invoke ? asked(event) : answered(event, operation);
  }
  void killed(const Event& event);
  void finish();

 private:
  void asked(const Event& event);
  void answered(const Event& event, const Operation& operation);
  void pass(std::vector<Waited>& waiting, std::size_t granted, const Event& event);
  void over(const Waited& one);

  std::size_t most_shown_;
  Over over_;
  ById<std::vector<Waited>> waiting_;                                  // by key, in the order of their calls
  std::unordered_map<std::uint64_t, std::vector<Overtaking>> passed_;  // by the indices of their calls: who is shown
  const std::vector<Overtaking> nobody_;
};

}  // namespace holdfast
