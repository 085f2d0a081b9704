// Permits of a counting semaphore or a read-write lock: one hold, the number held at once, and the holders of a key.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <unordered_map>
#include <vector>

#include "checker/arrivals.hpp"
#include "checker/hold.hpp"

namespace holdfast {

// One permit of a counting semaphore, or one hold of a read-write lock, by one process.
//
// Permits make both locks one: a semaphore has N of them and a grant takes one; of a read-write lock a shared grant
// takes one of very many, an exclusive grant all of them. Spans are half open, times in ns, as in a hold.

constexpr std::int64_t kAllPermits = std::int64_t{1} << 30;  // those of a read-write lock

struct PermitHold {
  std::uint32_t process = 0;
  std::uint32_t client = 0;
  std::int64_t takes = 1;  // permits
  std::int64_t granted_ns = 0;
  std::int64_t ended_ns = kNever;
  std::uint64_t grant_index = 0;
  std::vector<std::uint64_t> indices;  // its acquire and the releases that were called for it

  bool overlaps(const Window& window) const { return granted_ns < window.to_ns && ended_ns > window.from_ns; }
};

using PermitHolds = std::vector<std::shared_ptr<PermitHold>>;

// Finds permits that were held at once, in a list of holds: the arithmetic of permit_rule.hpp, without its state.
//
//   PermitHolds few = too_many(holds, window, capacity);   // empty: never more than there are
//   if (!room(holds, window, takes, capacity)) few = no_room(holds, window, takes, capacity);
//
// What comes back is the least that shows it: without any one of the holds the rest would be possible.

// Holds that together take more than `capacity` for a positive time inside `window`. `with`, if given, is among them.
PermitHolds too_many(const PermitHolds& holds, const Window& window, std::int64_t capacity,
                     const std::shared_ptr<PermitHold>& with = nullptr);

// True if `takes` more would have fitted at some moment of the window, both its ends included. Moments at which a hold
// begins or ends are outside it: it may have begun just after, or ended just before.
bool room(const PermitHolds& holds, const Window& window, std::int64_t takes, std::int64_t capacity);

struct PermitFault {
  enum class Kind : std::uint8_t { too_many, released_without_grant, lost, forgotten };
  Kind kind = Kind::too_many;
  PermitHolds holds;                   // cannot all have been; they may go on
  std::vector<std::uint64_t> indices;  // the operation that shows it, if one does
  std::uint32_t process = 0;           // process of that operation
  std::uint32_t client = 0;
  Window window;  // time of that operation
};

// Counts the permits of one key by holder, now and while an operation was open that may change the past.
//
//   PermitLedger ledger(3, [](const PermitFault& fault) { ... });
//   ledger.move_on(time_ns);            // before whatever happened at that time
//   ledger.grant(hold);
//   ledger.ask(time_ns);                // a release was called ...
//   ledger.end(hold, time_ns);
//   ledger.put_back(hold, window);      // ... but had no effect: it was held all through the window
//   ledger.settle_question(time_ns);    // or it had: nothing of that time can change any more on its account
//
// Semaphores and read-write locks are one rule here: an exclusive hold takes every permit there is. No lock of the
// catalogue is one, so only foreign histories are judged by it.
//
// What happens at one time is concurrent, so what is held is judged when time has moved on.
//
// Memory: current holds, and those that ended since the first open question, at most kMostRemembered holds. Older ones
// are forgotten; an answer that needs one becomes a fault of the kind `forgotten`, which is not a violation.
class PermitLedger {
 public:
  static constexpr std::size_t kMostRemembered = 4096;
  using Found = std::function<void(const PermitFault&)>;
  using Hold = std::shared_ptr<PermitHold>;

  PermitLedger(std::int64_t capacity, Found found) : capacity_(capacity), found_(std::move(found)) {}

  void move_on(std::int64_t time_ns);
  void finish() { judge(); }

  void grant(const Hold& hold);
  void end(const Hold& hold, std::int64_t time_ns);
  void ask(std::int64_t time_ns) { asked_ns_.insert(time_ns); }
  void settle_question(std::int64_t time_ns);
  // It is held on.
  void put_back(const Hold& hold, const Window& window);
  // It is over, but ended when the window did.
  void prolong(const Hold& hold, const Window& window);
  // `fault.process` gave back, within the window, what it had been granted without hearing of it: there was room for
  // it, or it is that fault.
  void clean_up(const PermitFault& fault, std::int64_t takes);

  Hold last_of(std::uint32_t process) const;
  std::size_t held() const { return held_.all().size(); }

 private:
  struct CleanUp {
    PermitFault fault;
    std::int64_t takes = 1;
    bool judged = false;
    bool told = false;
  };
  bool went_on(const Hold& hold, const Window& window);
  void judge();
  void judge(CleanUp& clean_up);
  void trim();
  bool needs(const CleanUp& clean_up) const;
  PermitHolds all() const;
  void add(const Hold& hold);

  std::int64_t capacity_;
  Found found_;
  std::int64_t now_ns_ = -1;
  std::int64_t taken_ = 0;
  Arrivals<Hold> held_;
  std::unordered_map<std::uint32_t, std::vector<Hold>> held_by_;  // the same by process
  PermitHolds fresh_;                                             // granted, or put back, at now_ns_
  std::deque<Hold> over_;                                         // ended since the first of asked_ns_
  std::multiset<std::int64_t> asked_ns_;                          // open questions
  std::int64_t forgotten_ns_ = -1;                                // holds that ended by then are no longer in over_
  std::vector<CleanUp> clean_ups_;
};

}  // namespace holdfast
