// What the nemesis did, as far as the history has been read: which faults were in force when, and on whom.
//
// Memory: one entry per fault. Faults are counted in dozens, so looking through them all is cheap.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "checker/hold.hpp"
#include "history/event.hpp"

namespace holdfast {

struct FaultRecord {
  std::string name;
  std::string cause;                   // the kind it gives to a violation; empty: it excuses nothing
  std::vector<std::uint32_t> clients;  // empty: nobody in particular
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = kNever;
  std::uint64_t index = 0;
  std::string detail;

  bool strikes(std::uint32_t client) const;
};

// A client that has a part in a violation, and since when.
struct Involved {
  std::uint32_t client = 0;
  std::int64_t from_ns = 0;
};

// A wait for a processor (or for the whole machine) that was measured; see history.md.
struct Stall {
  std::int64_t from_ns = 0;
  std::int64_t to_ns = 0;
  std::int64_t waited_ns = 0;
  std::vector<std::uint32_t> clients;  // empty: the server or the machine, which all depend on
  std::string detail;
};

// What was measured of one client's waits within a span of time.
struct Stalled {
  std::int64_t waited_ns = 0;      // at most: waits that began before the span, or ended after it, count whole
  const Stall* longest = nullptr;  // null: nothing was measured
};

class FaultLog {
 public:
  void apply(const Event& event);

  const std::deque<FaultRecord>& all() const { return all_; }  // they stay where they are
  bool any_in_force() const { return in_force_ > 0; }
  // Whether one was in force at some time from `since_ns` until now.
  bool acted_since(std::int64_t since_ns) const { return in_force_ > 0 || last_end_ns_ >= since_ns; }
  // The last time anything was in force, healed or killed; -1: never.
  std::int64_t quiet_since_ns() const { return quiet_since_ns_; }

  // The fault that gives a violation its kind: of those with a cause that were in force on one of the parties (or on
  // nobody in particular) at some time since its moment and until `to_ns`, the one begun last; or null. See causes.hpp.
  const FaultRecord* cause_between(const std::vector<Involved>& parties, std::int64_t to_ns) const;
  // Whether a fault struck this client (or nobody in particular) within [from, to].
  bool struck_between(std::uint32_t client, std::int64_t from_ns, std::int64_t to_ns) const;
  Stalled stalled_between(std::uint32_t client, std::int64_t from_ns, std::int64_t to_ns) const;

 private:
  void end(const Event& event);

  std::deque<FaultRecord> all_;
  std::vector<Stall> stalls_;
  int in_force_ = 0;
  std::int64_t last_end_ns_ = -1;
  std::int64_t quiet_since_ns_ = -1;
};

}  // namespace holdfast
