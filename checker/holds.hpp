// State of each process, and of all holds, followed through a history. One instance serves all properties of a check.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "checker/arrivals.hpp"
#include "checker/by_id.hpp"
#include "checker/hold.hpp"
#include "history/history_source.hpp"

namespace holdfast {

// State of each process, by its dense id, for as long as it may send more events.
//
//   PerProcess<Operation> last;
//   last[process].open = true;    // found or made
//   last.forget(process);         // of a retired identity; made again if it returns
//
// Ids rise as identities retire, so forgotten entries make room for new ones: live ones lie together, and memory
// follows their number plus nine bytes an id. State stays at its address until it is forgotten.
template <typename State>
class PerProcess {
 public:
  State& operator[](std::uint32_t process) {
    State* const known = find(process);
    return known != nullptr ? *known : make(process);
  }
  State* find(std::uint32_t process) {
    State* const* const known = states_.find(process);
    return known != nullptr ? *known : nullptr;
  }
  const State* find(std::uint32_t process) const {
    State* const* const known = states_.find(process);
    return known != nullptr ? *known : nullptr;
  }

  void forget(std::uint32_t process) {
    State* const known = find(process);
    if (known == nullptr) return;
    *known = State();
    unused_.push_back(known);
    states_[process] = nullptr;
    known_[process / kBits] &= ~bit(process);
  }

  // visit(process, state), by ids.
  template <typename Visit>
  void each(const Visit& visit) const {
    for (const std::uint64_t& known : known_) {
      for (std::uint64_t left = known; left != 0; left &= left - 1) {
        const std::uint32_t process = known_.id_of(known) * kBits + static_cast<std::uint32_t>(std::countr_zero(left));
        visit(process, std::as_const(**states_.find(process)));
      }
    }
  }

 private:
  static constexpr std::uint32_t kBits = 64;
  static std::uint64_t bit(std::uint32_t process) { return std::uint64_t{1} << (process % kBits); }

  [[gnu::cold]] State& make(std::uint32_t process) {
    if (unused_.empty()) unused_.push_back(&room_.emplace_back());
    State* const made = unused_.back();
    unused_.pop_back();
    states_[process] = made;
    known_[process / kBits] |= bit(process);
    return *made;
  }

  ById<State*> states_;         // null: it is not known
  ById<std::uint64_t> known_;   // by 64 processes: a bit for each that is
  std::deque<State> room_;      // they stay where they are
  std::vector<State*> unused_;  // entries of states_
};

// Turns the events of a history into holds. One instance serves all properties of a check.
//
//   Holds holds(header, listener);
//   while (reader.next(event)) holds.apply(event);   // calls listener.granted / listener.ended on the way
//   holds.finish();
//
// A belief begins at the ok of an acquire and ends at the first of: the invocation of its release, a definite not_held
// (or deadline) of its renewal (a watchdog's says nothing to the holder) or inner release, a `leave`, the kill of its
// client. In a foreign history a release that surely had no effect (not: not_held) takes its end back. An indeterminate
// renewal ends nothing. A process whose client was killed is dead: whatever it still managed
// to say afterwards starts no belief.
//
// Memory: keys and processes that have not been forgotten, never the history's length.
class HoldListener {
 public:
  virtual ~HoldListener() = default;
  virtual void granted(const Hold& hold) = 0;
  // `hold` is no longer among the believers, so each overlapping pair is met exactly once, when its first half ends. At
  // the end of the history it is called for every hold still believed (ended_ns = kNever).
  virtual void ended(const Hold& hold) = 0;
  // In foreign histories: the release that ended `hold` surely had no effect, so it was held all the time. `meanwhile`:
  // other holds of the key that were granted after that release was called, and are over. It will end again.
  virtual void resumed(const Hold& /*hold*/, const std::vector<Hold>& /*meanwhile*/) {}
};

// The operation that a process invoked last; its watchdog's renewals, which run beside it, apart.
struct Operation {
  bool open = false;
  bool dead = false;  // the process was killed
  Op op = Op::acquire;
  std::uint32_t key = 0;
  std::uint32_t client = 0;
  std::int64_t invoked_ns = 0;
  std::uint64_t index = 0;
  OptionalLease lease_ns;
  const Hold* hold = nullptr;    // believed by the process, on that key, when it invoked
  std::int64_t valid_to_ns = 0;  // end of that hold's validity, as promised by then
  bool shared = false;
  std::uint64_t renew_invoke_index = 0;  // by what it was promised; 0: by the grant
  std::uint64_t renew_index = 0;
};

class Holds {
 public:
  Holds(const HistoryHeader& header, HoldListener& listener)
      : header_(header), listener_(listener), renews_for_less_(header.foreign && header.model == "lease") {}

  void apply(const Event& event) {
    now_ns_ = event.time_ns;
    if (event.actor == Actor::client) {
      if (event.op == Op::leave) return left(event);
      return event.type == EventType::invoke ? called(event) : answered(event);
    }
    if (event.actor == Actor::nemesis && event.step == FaultStep::kill) kill(event);
  }
  // The same of a client's, by what it is: a leave, a call, an answer.
  void left(const Event& event) {
    if (Hold* hold = believed(begin(event), event.key)) end(*hold, HoldEnd::leave, event.index);
  }
  void called(const Event& event) {
    Process& process = begin(event);
    invoke(event, process, *operation_);
    if (event.op == Op::acquire) keys_[event.key].asking.push_back(event.process);
  }
  void answered(const Event& event) {
    Process& process = begin(event);
    Operation& operation = *operation_;
    operation.open = false;
    if (event.op != Op::acquire) return complete(event, process, operation);
    keys_[event.key].asking.erase(event.process);
    if (event.type == EventType::ok && !operation.dead) grant(event, operation, process);
  }
  void finish();
  // Forgets a process that neither holds nor asks for anything, as one that has retired; false if it does, or was
  // killed. If it returns, its state is made again.
  bool forget(std::uint32_t process);

  std::int64_t now_ns() const { return now_ns_; }
  // No event happened between the last one and this time.
  void passed(std::int64_t until_ns) { now_ns_ = std::max(now_ns_, until_ns); }
  // visit(process, operation), for each that is open, watchdogs' too.
  template <typename Visit>
  void each_open(const Visit& visit) const {
    processes_.each([&](std::uint32_t id, const Process& process) {
      if (process.last.open) visit(id, process.last);
      if (process.background && process.background->open) visit(id, *process.background);
    });
  }
  // The same of those that ask for the key, in the order of their calls, until it returns true.
  template <typename Visit>
  void each_asking(std::uint32_t key, const Visit& visit) const {
    const Key* const known = keys_.find(key);
    if (known == nullptr) return;
    for (const std::uint32_t process : known->asking.all()) {
      if (visit(process, processes_.find(process)->last)) return;
    }
  }
  // The operation to which the event applied last belongs, if a client's.
  const Operation& operation() const { return *operation_; }
  // Returns true if a process of the client holds a key.
  bool holds_any(std::uint32_t client) const;
  // In the order of their grants. Valid until a belief of the key begins or ends.
  std::span<Hold* const> believers(std::uint32_t key) const {
    const Key* const known = keys_.find(key);
    return known != nullptr ? known->believers.all() : std::span<Hold* const>();
  }

 private:
  // The holds of a process that holds several keys at a time, found by key without a scan.
  struct More {
    std::vector<std::unique_ptr<Hold>> room;
    std::unordered_map<std::uint32_t, Hold*> believed;  // by key
    std::vector<Hold*> ended;                           // to be used again
    // Renewals without an answer, which may take effect at any time: the shortest lease that they were for, by key.
    std::unordered_map<std::uint32_t, std::int64_t> strays;
  };
  struct Process {
    Process() { first.end = HoldEnd::leave; }  // nothing is believed yet
    Operation last;
    std::unique_ptr<Operation> background;  // its watchdog's
    Hold first;                             // an ended one is used again
    std::unique_ptr<More> more;             // nearly always none
  };
  // A release that is open, of a foreign history, and what was granted and ended meanwhile.
  struct Releasing {
    std::uint32_t process = 0;
    std::vector<Hold> meanwhile;
  };
  struct Key {
    Arrivals<Hold*> believers;
    Arrivals<std::uint32_t> asking;  // processes whose acquire is open
    std::vector<Releasing> releasing;
    std::int64_t let_go_ns = -1;  // when a holder last let go inside its validity; -1: never
  };
  void kill(const Event& event);
  Process& begin(const Event& event) {
    now_ns_ = event.time_ns;
    Process& process = processes_[event.process];
    operation_ = &operation_of(event, process);
    return process;
  }
  static Operation& operation_of(const Event& event, Process& process) {
    return event.background ? background_of(process) : process.last;
  }
  [[gnu::cold]] static Operation& background_of(Process& process);
  [[gnu::cold]] static More& more_of(Process& process);
  void invoke(const Event& event, Process& process, Operation& operation);
  // Calls and answers are followed where they are heard; these by themselves, so that they alone save registers.
  [[gnu::noinline]] void of_holder(const Event& event, Hold& hold, Operation& last);
  void complete(const Event& event, Process& process, Operation& operation);
  [[gnu::noinline]] void grant(const Event& event, const Operation& operation, Process& process);
  void inner_release(Hold& hold, const Event& event);
  [[gnu::noinline]] void released(const Event& event, const Operation& operation, Process& process);
  void released_in_vain(const Event& event, const Operation& operation, Process& process,
                        const std::vector<Hold>& meanwhile);
  void resume(Process& process, Hold& hold, const Operation& release, const std::vector<Hold>& meanwhile);
  void remember(Key& key, const Hold& ended);
  void renew(Hold& hold, const Event& event, const Operation& operation);
  static void note_another(Key& key, const Hold& granted);
  static void shorten(Hold& hold, std::int64_t to_ns);
  static void cut(Hold& hold, std::int64_t now_ns);
  static void note_stray(Process& process, std::uint32_t key, std::int64_t lease_ns);
  static std::int64_t stray_of(const Process& process, std::uint32_t key);
  static void take_cut_back(Hold& hold);
  static void shorten(Hold& hold, const Event& event);
  void end(Hold& hold, HoldEnd how, std::uint64_t index) { end(keys_[hold.key], hold, how, index); }
  void end(Key& key, Hold& hold, HoldEnd how, std::uint64_t index);
  static Hold* believed(Process& process, std::uint32_t key) {
    if (process.first.believed() && process.first.key == key) return &process.first;
    return process.more == nullptr ? nullptr : believed(*process.more, key);
  }
  static Hold* believed(const More& more, std::uint32_t key);
  static Hold& unused(Process& process, std::uint32_t key);
  static void believes_again(Process& process, Hold& hold);
  void over(const Hold& hold);
  std::int64_t lease_of(const Event& event, const Operation& operation) const;

  const HistoryHeader& header_;
  HoldListener& listener_;
  bool renews_for_less_;  // a renewal may turn out to be for less
  std::int64_t now_ns_ = 0;
  PerProcess<Process> processes_;
  Operation* operation_ = nullptr;
  ById<Key> keys_;
};

}  // namespace holdfast
