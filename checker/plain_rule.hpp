// The plain (ownerless) mutex, which any client may release: finds whether an order of moments explains all answers of
// a stream of events, and the first impossible answer of a key, for all properties of a check.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "checker/hold.hpp"
#include "history/event.hpp"

namespace holdfast {

struct PlainOperation {
  enum class Kind : std::uint8_t { acquire, release, busy, not_held };
  Kind kind = Kind::acquire;
  std::uint32_t process = 0;
  std::uint32_t client = 0;
  std::int64_t invoked_ns = 0;
  std::int64_t answered_ns = kNever;  // kNever: unknown whether it took effect
  std::uint64_t invoke_index = 0;
  std::uint64_t index = 0;  // index of the answer, or of the invocation if there is none

  bool looks() const { return kind == Kind::busy || kind == Kind::not_held; }
};

// The plain (ownerless) mutex: any client may release it. Finds whether there is an order of moments, one inside each
// operation's window, in which acquires and releases alternate. Lazy earliest deadline first:
//
//   PlainSchedule s;
//   s.enter(op);                           // each operation, once it has been invoked
//   if (!s.settle(op)) ...                 // each operation that was answered, in the order of the answers: impossible
//
// An operation is placed only when its answer forces it to have happened. If the state forbids that, the pending
// operation of the other kind with the earliest deadline goes first; without one, no order exists.
//
// Exact: take any order that works. Before the first forced moment its placements can be put off to that moment without
// changing what comes after, since a window stays open until its own answer. At that moment the order must have placed
// the forced operation, and, if the state forbids it, one of the other kind before it. Exchanging that one for the one
// with the earliest deadline keeps the order working: what had the earlier deadline can no longer be missed, and the
// other, whose window is open for longer, takes its later place. By induction the lazy order fails only where all do.
// A `busy` answer is a look that must see the lock held at some moment of its window: it was, when the lazy order
// (which holds as late as any) says so; else one more acquire must come first, the one with the earliest deadline by
// the same exchange. `not_held` is the same with free for held.
//
// Counting acquires and releases in intervals (Hall) is not enough: they must alternate, not only balance.
//
// What it does not do: it forgets nothing that is still open, and does not read events.
class PlainSchedule {
 public:
  // Not called for looks, nor for what surely had no effect.
  void enter(const PlainOperation& operation);

  // False when no order exists in which the operation was answered so; then it is taken as placed all the same. At most
  // two operations are placed, in `placed()`.
  bool settle(const PlainOperation& operation);
  const std::vector<PlainOperation>& placed() const { return placed_; }

  bool held() const { return held_; }
  std::size_t pending() const { return pending_[0].size() + pending_[1].size(); }

 private:
  using Heap = std::vector<PlainOperation>;
  bool look(const PlainOperation& operation);
  bool place_pending(bool acquire);
  void place(const PlainOperation& operation);

  std::array<Heap, 2> pending_;  // releases, acquires; the earliest deadline first
  bool held_ = false;
  std::array<std::int64_t, 2> was_until_ns_{-1, -1};  // free, held: when it was last so, if it is not now
  std::int64_t now_ns_ = 0;
  std::vector<PlainOperation> placed_;
};

// The first of these, in the order of the answers, that has no place; nothing if they are possible.
std::optional<PlainOperation> impossible(std::vector<PlainOperation> operations);

// The plain mutex's rule on a stream of events. An answer can be judged only when it is known
// which of the operations then open took effect, so it waits until those are answered, too.
//
//   PlainRule rule(PlainRule::Judge::busy_too, [](const PlainFault& fault) { ... });
//   rule.event(event, operation);   // each event of a client
//   rule.finish();                  // what was never answered may have taken effect, or not
//
// After a fault it goes on as if the answer had been possible, so that later ones are counted, too.
//
// Memory: open operations, operations that wait for them, and acquires and releases of unknown outcome. A client that
// never answers and reports nothing (no `info`) lets it grow with the history from there on.

// An answer that nothing explains, and a smallest set of operations that shows it.
struct PlainFault {
  std::uint32_t key = 0;
  PlainOperation operation;
  std::vector<PlainOperation> witness;  // in the order of the schedule, the operation last
  // Set only for the first of its key: the answers before this one have an order, all together, and this is the last of
  // them; 0: it is the first answer. For later ones nothing is known, since an earlier one had to be taken as possible.
  std::optional<std::uint64_t> explained_to{};
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
    std::uint64_t explained_to = 0;  // the last answer that has a place
    bool faulty = false;
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

// The plain mutex's acquires and releases, judged without its `busy` answers; one for all properties of a check.
//
//   changes.event(event);                             // of a history under model plain; the properties come after it
//   for (const PlainFault& fault : changes.faults())  // that this event showed
//
// Until the first refusal there is nothing else to judge. From then on a rule that judges refusals, too, continues by
// itself from the state that was kept of the moment before.
class PlainChanges {
 public:
  PlainChanges() : rule_(PlainRule::Judge::changes, [this](const PlainFault& fault) { found(fault); }) {}
  PlainChanges(const PlainChanges&) = delete;
  PlainChanges& operator=(const PlainChanges&) = delete;

  static bool refusal(const Event& event) { return event.op == Op::acquire && event.reason == Reason::busy; }

  void event(const Event& event) {
    faults_.clear();
    if (refusal(event) && !before_refusals_) before_refusals_ = rule_;
    rule_.event(event);
  }
  void finish() {
    faults_.clear();
    rule_.finish();
  }

  const std::vector<PlainFault>& faults() const { return faults_; }  // of the current event, or of the end
  std::int64_t count() const { return count_; }                      // total so far
  // The state before the first refusal; nothing: there was none.
  const std::optional<PlainRule>& before_refusals() const { return before_refusals_; }

 private:
  void found(const PlainFault& fault) {
    ++count_;
    faults_.push_back(fault);
  }

  PlainRule rule_;
  std::optional<PlainRule> before_refusals_;
  std::vector<PlainFault> faults_;
  std::int64_t count_ = 0;
};

}  // namespace holdfast
