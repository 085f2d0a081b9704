// Faults of the nemesis, as far as the history has been read, and which of them may have caused a violation.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "checker/hold.hpp"
#include "checker/holds.hpp"
#include "history/event.hpp"

namespace holdfast {

// Faults of the nemesis, as far as the history has been read: which were in force when, and on which clients.
//
// Memory: one entry per fault. Faults are counted in dozens, so looking through them all is cheap.

// A packet that a cut has kept is sent again some time after the heal: TCP waits for as long as it had waited before.
inline constexpr std::int64_t kOnItsWay_ns = 5'000'000'000;

bool is_of_client_clocks(const std::string& cause);

struct FaultRecord {
  std::string name;
  std::string cause;                   // the kind it gives to a violation; empty: it excuses nothing
  std::vector<std::uint32_t> clients;  // empty: no particular client
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = kNever;
  std::uint64_t index = 0;
  std::string detail;
  bool stops = false;  // the clients that it strikes do nothing meanwhile

  bool strikes(std::uint32_t client) const;
  // The fault only sets clients' clocks wrong and stops nothing: its victims go on, and renew.
  bool only_clocks() const { return is_of_client_clocks(cause); }
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

// Waits that were measured of one client within a span of time.
struct Stalled {
  std::int64_t waited_ns = 0;      // at most: waits that began before the span, or ended after it, count whole
  const Stall* longest = nullptr;  // null: nothing was measured
};

class FaultLog {
 public:
  void apply(const Event& event);

  const std::deque<FaultRecord>& all() const { return all_; }  // they stay where they are
  bool any_in_force() const { return in_force_ > 0; }
  // True if a fault was in force at some time from `since_ns` until now.
  bool acted_since(std::int64_t since_ns) const { return in_force_ > 0 || last_end_ns_ >= since_ns; }

  // Faults that may keep a client from what it does: those that strike it, the servers, or clocks, since others may
  // depend on what a wrong clock wrote.
  struct Reach {
    bool in_force = false;
    std::int64_t quiet_since_ns = -1;  // the last end of one, or when all was seen healed after it; -1: there was none
  };
  Reach reach_of(std::uint32_t client) const;
  // Only faults that reach every client count, and kills: a killed client leaves behind what it held.
  Reach reach_of_all() const;

  // The fault that gives a violation its kind: the latest-begun fault with a cause that was in force on one of the
  // parties (or on no particular client) at some time since its moment and until `to_ns`; or null.
  const FaultRecord* cause_between(const std::vector<Involved>& parties, std::int64_t to_ns) const;
  // True if a fault struck this client (or no particular client) within [from, to].
  bool struck_between(std::uint32_t client, std::int64_t from_ns, std::int64_t to_ns) const;
  // The same of faults that may have kept it from what it does: all but those of clocks.
  bool hindered_between(std::uint32_t client, std::int64_t from_ns, std::int64_t to_ns) const;
  // When the last fault that struck this client by name within [from, to] no longer kept it from what it does: what a
  // cut kept may arrive later than the heal. kNever: it is in force; -1: there was none.
  std::int64_t held_up_until_ns(std::uint32_t client, std::int64_t from_ns, std::int64_t to_ns) const;
  // The part of [from, to] for which a fault had stopped the client: a stopped program cannot learn anything.
  std::int64_t stopped_ns(std::uint32_t client, std::int64_t from_ns, std::int64_t to_ns) const;
  // Leaves out the time in which a fault had stopped the client: the machine did not delay it then.
  Stalled stalled_between(std::uint32_t client, std::int64_t from_ns, std::int64_t to_ns) const;
  // True if an attempt that may wait from `from_ns` until `to_ns` was perhaps given up because its client, or the
  // server, ran too little: waits took half of its time or more.
  bool starved_between(std::uint32_t client, std::int64_t from_ns, std::int64_t to_ns) const;

 private:
  void end(const Event& event);
  template <typename Counts>
  Reach reach(const Counts& counts) const;
  template <typename Visit>
  void each_stall(std::uint32_t client, std::int64_t from_ns, std::int64_t to_ns, const Visit& visit) const;

  std::deque<FaultRecord> all_;
  std::deque<Stall> stalls_;  // they stay where they are, too
  int in_force_ = 0;
  std::int64_t last_end_ns_ = -1;
  std::int64_t healed_ns_ = -1;
};

// Finds the fault that may have caused a violation: one that struck a party of its story, or the server.
//
//   causes.event(event);                                              // every event of a run of ours
//   if (const FaultRecord* fault = causes.suspected({key, {1, 2}, sent_ns, granted_ns, found_ns})) kind = fault->cause;
//
// Parties are the clients of the incident and those that changed the key meanwhile: a client that was granted the key,
// gave it back or renewed it, one whose release or renewal had no answer (it may take effect at any time), and one
// whose attempt was refused only at its last statement (the earlier ones may have cleared the way). A client that was
// merely refused is not a party.
//
// The result is a suspicion: a fault that struck a party need be neither necessary nor sufficient for the violation.
// The same plan without the fault decides that. Memory: a few operations for each key.

// The subject of a violation, for the search of its cause.
struct Incident {
  std::uint32_t key = 0;
  std::vector<std::uint32_t> clients;  // owners of the holds or operations that make it
  std::int64_t from_ns = 0;            // when the first of them asked for what it then had
  std::int64_t since_ns = 0;           // when it had it; what others rightfully did before has nothing to do with it
  std::int64_t to_ns = 0;              // when it was violated
};

class Causes {
 public:
  Causes(const FaultLog& faults, const Holds& holds) : faults_(faults), holds_(holds) {}

  void event(const Event& event);  // after Holds has seen it
  const FaultLog& faults() const { return faults_; }

  // The latest-begun fault with a cause that struck a party in time; null if there is none.
  const FaultRecord* suspected(const Incident& incident) const;

 private:
  struct Answered {
    std::uint32_t client = 0;
    std::int64_t invoked_ns = 0;
    std::int64_t answered_ns = -1;
    bool rightful = false;  // within its own claim
  };
  template <std::size_t N>
  struct Last {
    std::array<Answered, N> calls;
    std::size_t count = 0;
    void add(const Answered& call) { calls[count++ % N] = call; }
  };
  struct Key {
    Last<16> answered;
    Last<8> unanswered;  // releases and renewals
  };
  std::vector<Involved> involved_in(const Incident& incident) const;

  const FaultLog& faults_;
  const Holds& holds_;
  std::vector<Key> keys_;
};

}  // namespace holdfast
