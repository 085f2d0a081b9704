// The plain mutex's rule (plain_schedule.hpp) on a stream of events. An answer can be judged only when it is known
// which of the operations then open took effect, so it waits until those are answered, too.
//
//   PlainRule rule(PlainRule::Judge::busy_too, [](const PlainFault& fault) { ... });
//   rule.event(event, operation);   // each event of a client
//   rule.finish();                  // what was never answered may have taken effect, or not
//
// After a fault it goes on as if the answer had been possible, so that later ones are counted, too.
//
// Memory: open operations, what waits for them, and acquires and releases of which nobody knows whether they took
// effect. A client that never answers and says nothing of it (no `info`) lets it grow with the history from there on.
#pragma once

#include <deque>
#include <functional>
#include <vector>

#include "checker/plain_schedule.hpp"
#include "history/event.hpp"

namespace holdfast {

// An answer that nothing explains, and a smallest set of operations that shows it.
struct PlainFault {
  std::uint32_t key = 0;
  PlainOperation operation;
  std::vector<PlainOperation> witness;  // in the order of the schedule, the operation last
};

class PlainRule {
 public:
  enum class Judge : std::uint8_t { changes, busy_too };
  using Report = std::function<void(const PlainFault&)>;
  PlainRule(Judge judge, Report report) : judge_(judge), report_(std::move(report)) {}
  // Goes on from where another is.
  PlainRule(const PlainRule& from, Judge judge, Report report) : PlainRule(from) {
    judge_ = judge;
    report_ = std::move(report);
  }

  void event(const Event& event);
  void finish();

 private:
  enum class State : std::uint8_t { open, counts, void_ };
  struct Entry {
    PlainOperation operation;
    State state = State::open;
  };
  struct Key {
    std::deque<Entry> entries;         // in the order of invocation; those at the front have entered the schedule
    std::uint64_t first = 0;           // number of the first entry
    std::uint64_t resolved = 0;        // all before this number are answered
    std::deque<PlainOperation> waits;  // in the order of the answers
    PlainSchedule schedule;
    std::deque<PlainOperation> recent;  // placed since the lock was last free with nothing pending; for witnesses
  };
  struct Open {
    std::uint32_t key = 0;
    std::uint64_t number = 0;
  };
  void invoked(const Event& event);
  void answered(const Event& event);
  void advance(Key& key, std::uint32_t number, std::int64_t now_ns);
  void settle(Key& key, std::uint32_t number, const PlainOperation& operation);
  static std::vector<PlainOperation> smallest(const Key& key, const PlainOperation& operation);

  Judge judge_;
  Report report_;
  std::vector<Key> keys_;
  std::vector<Open> open_;  // by process
};

}  // namespace holdfast
