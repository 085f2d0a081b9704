// Measures of a lock's service to its clients in one trial, from its history and never judged: waits, times in which a
// free key could not be had, times from a fault to the next grant, and the totals.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "artifact/input_file.hpp"
#include "checker/hold.hpp"
#include "checker/holds.hpp"
#include "history/event.hpp"
#include "history/history_source.hpp"

namespace holdfast {

// Waits of clients for their grants: from the call of the first attempt of a wait to the answer that granted it.
//
// Uncontended: granted at the first attempt, and from its call to its answer no other client held the key or asked for
// it: the cost of the lock itself. All other waits are contended: they include the others' jobs and the pauses between
// polls, too. A wait that ends without a grant counts nowhere.
//
// Memory: one entry a client, and the lengths.
class AcquireWaits {
 public:
  explicit AcquireWaits(const Holds& holds) : holds_(holds) {}

  void granted(const Hold& hold);
  void event(const Event& event);  // after Holds has seen it

  const std::vector<std::int64_t>& uncontended_ns() const { return uncontended_ns_; }
  const std::vector<std::int64_t>& contended_ns() const { return contended_ns_; }

 private:
  struct Wait {
    bool waiting = false;
    bool open = false;  // an attempt has no answer yet
    bool contended = false;
    std::uint32_t key = 0;
    std::int64_t since_ns = 0;
  };
  void asked(const Event& event);

  const Holds& holds_;
  std::vector<Wait> waits_;  // by client
  std::vector<std::int64_t> uncontended_ns_;
  std::vector<std::int64_t> contended_ns_;
};

// When a free key could not be had.
//
// A key is free while no client believes to hold it within a lease that still runs. It counts as unavailable from the
// call of the first attempt that was made while it was free and came back without it (refused, failed or unanswered),
// until the next grant or the end of the load. So the pauses between two polls count only once a poll has failed, and
// the rest of a dead holder's lease counts: that is the price of a lease.
//
//   free    ......|-----------------------------|granted
//   polls           ^refused     ^refused     ^ok
//   unavailable     |===========================|
//
// Memory: one entry a key, and the gaps.
class Availability {
 public:
  explicit Availability(const Holds& holds) : holds_(holds) {}

  void granted(const Hold& hold);
  void ended(const Hold& hold);
  void event(const Event& event);  // after Holds has seen it
  void finish(std::int64_t load_end_ns);

  const std::vector<Window>& gaps() const { return gaps_; }
  // True if a client believes to hold the key within a lease that still runs.
  bool held(std::uint32_t key, std::int64_t now_ns) const;

 private:
  struct Key {
    std::int64_t held_to_ns = 0;  // by clients that no longer believe
    std::int64_t tried_ns = -1;   // the first failed attempt since it is free; -1: none
  };
  std::int64_t free_since_ns(std::uint32_t key) const;
  Key& at(std::uint32_t key);

  const Holds& holds_;
  std::vector<Key> keys_;
  std::vector<Window> gaps_;
};

// Measures of a lock's service to its clients in one trial, from its history and never judged: `holdfast compare` puts
// them side by side. It reads the history a second time and leaves verdicts alone.
//
//   const Service s = measure_service("cells/get_lock/none/1/history.jsonl");
//   s.grants / (s.load_ns / 1e9)                       // grants a second
//
// Everything counts from the trial's beginning to the end of its load, except recoveries: the last heal comes when the
// load is over. Times are nanoseconds of the trial's one clock.
//
// Not measured: attempts that were still waiting when the load ended (a lock that lets no client in has no waits, but
// much unavailable time), and a server's own work.

// Time from a fault's end to the next grant; 0 if the key was held at that moment, as it should be.
struct Recovery {
  std::string fault;
  std::int64_t healed_ns = 0;
  std::int64_t took_ns = 0;  // the slowest of several keys; -1: one was asked for and not granted again
};

struct Service {
  std::int64_t load_ns = 0;
  std::int64_t grants = 0;
  std::int64_t statements = 0;          // of all clients, including refused attempts and releases
  std::int64_t fencing_rejections = 0;  // writes that were refused, with a token older than one granted by then
  std::int64_t unavailable_ns = 0;      // see Availability
  std::int64_t longest_gap_ns = 0;
  std::vector<Window> gaps;                  // in which a free key could not be had; of all keys, by their end
  std::vector<std::int64_t> uncontended_ns;  // see AcquireWaits: ascending
  std::vector<std::int64_t> contended_ns;    // ascending
  std::vector<std::int64_t> granted_ns;      // when, ascending
  std::vector<Recovery> recoveries;          // one a fault that ended
  std::int64_t struck_grants = 0;            // of clients that a fault struck, live while it was in force
  std::int64_t struck_attempts_in_hold = 0;  // of such clients, while another held the key
};

Service measure_service(HistorySource& source);
Service measure_service(const InputFile& file);  // throws BadInput

// Time from each fault's end until the lock was granted again: 0 for a key that was held at that moment, within a lease
// that still ran; else up to the next grant of it. The slowest of several keys counts.
//
// A key that no client asked for from then on does not count; nor does a fault after which no key was asked for.
class Recoveries {
 public:
  explicit Recoveries(const Availability& availability) : availability_(availability) {}

  void granted(const Hold& hold);
  void event(const Event& event);
  std::vector<Recovery> finish() const;

 private:
  struct Healed {
    std::string fault;
    std::int64_t at_ns = 0;
    std::int64_t slowest_ns = -1;           // so far; -1: no key is known to be back
    std::map<std::uint32_t, bool> missing;  // keys neither held nor granted since; true: it was asked for
  };
  const Availability& availability_;
  std::vector<Healed> healed_;
  std::map<std::uint32_t, bool> keys_;  // all keys that were ever asked for
};

}  // namespace holdfast
