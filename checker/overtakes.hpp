// Waits for a key while others that asked for it later are granted it: for each acquire, from its call to its answer.
//
//   Overtakes<Fairness> waits(kMostShown, *this);   // calls waited(const Waited&, by) when one is over
//   waits.event(event, holds.operation());          // every event of a client, after Holds has seen it
//   waits.killed(event);                            // what the dead had asked for is waited for no more
//   waits.finish();                                 // those without an answer
//
// A client that asks, is refused and asks again does not wait in between, so its second attempt is another acquire. A
// grant to the current holder passes no client. Equal times are concurrent, not ordered.
//
// Exact where holders exclude each other: the later one's acquire lies after the other's call, and took effect before
// it, since its hold would lie within the other's else. Memory: the acquires that are open, and a few grants of each.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
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
  std::int64_t overtaken = 0;  // number of times
  std::uint32_t process = 0;
  std::uint32_t client = 0;
  std::uint32_t key = 0;
  bool granted = false;

  bool answered() const { return answered_ns != kNever; }
};

template <typename Listener>
class Overtakes {
 public:
  // The listener gets each finished wait and the clients that passed it, of which a bounded number is kept.
  Overtakes(std::size_t most_shown, Listener& listener) : most_shown_(most_shown), listener_(listener) {}

  void event(const Event& event, const Operation& operation) {
    if (event.op != Op::acquire) return;
    event.type == EventType::invoke ? asked(event) : answered(event, operation);
  }
  void asked(const Event& event) {
    waiting_[event.key].push_back({event.time_ns, event.index, 0, event.process, event.client});
  }
  void answered(const Event& event, const Operation& operation) {
    std::vector<Waiting>& waiting = waiting_[event.key];
    const auto own =
        std::find_if(waiting.begin(), waiting.end(), [&](const Waiting& w) { return w.process == event.process; });
    if (own == waiting.end()) return;
    const bool granted = event.type == EventType::ok;
    if (granted && operation.hold == nullptr) pass(&waiting.front(), *own, event);
    over(*own, event.key, event.time_ns, event.index, granted);
    waiting.erase(own);
  }
  void killed(const Event& event) {
    for (auto& waiting : waiting_) {
      std::erase_if(waiting, [&](const Waiting& w) {
        return std::find(event.clients.begin(), event.clients.end(), w.client) != event.clients.end();
      });
    }
  }
  void finish() {
    for (const auto& waiting : waiting_) {
      for (const Waiting& one : waiting) over(one, waiting_.id_of(waiting), kNever, 0, false);
    }
  }

 private:
  // One that has no answer yet.
  struct Waiting {
    std::int64_t called_ns = 0;
    std::uint64_t invoke_index = 0;
    std::int64_t overtaken = 0;
    std::uint32_t process = 0;
    std::uint32_t client = 0;
  };
  // Counts it for those that had asked before the one that was granted it.
  void pass(Waiting* first, const Waiting& later, const Event& event) {
    for (; first != &later && first->called_ns < later.called_ns; ++first) {
      ++first->overtaken;
      if (most_shown_ > 0) show(*first, later, event);
    }
  }
  void show(const Waiting& one, const Waiting& later, const Event& event) {
    auto& by = passed_[one.invoke_index];
    if (by.size() == most_shown_) return;
    by.push_back({later.process, later.client, later.called_ns, later.invoke_index, event.index});
  }
  void over(const Waiting& w, std::uint32_t key, std::int64_t answered_ns, std::uint64_t index, bool granted) {
    const Waited one{w.called_ns, answered_ns, w.invoke_index, index, w.overtaken, w.process, w.client, key, granted};
    const auto by = passed_.empty() ? passed_.end() : passed_.find(w.invoke_index);
    if (by == passed_.end()) return listener_.waited(one, nobody_);
    listener_.waited(one, by->second);
    passed_.erase(by);
  }

  std::size_t most_shown_;
  Listener& listener_;
  ById<std::vector<Waiting>> waiting_;                                 // by key, in the order of their calls
  std::unordered_map<std::uint64_t, std::vector<Overtaking>> passed_;  // by the indices of their calls; for reports
  const std::vector<Overtaking> nobody_;
};

}  // namespace holdfast
