// How well a lock served its clients in one trial, measured from its history and never judged: what `holdfast compare`
// puts side by side. It reads the history a second time and leaves verdicts alone.
//
//   const Service s = measure_service("cells/get_lock/none/1/history.jsonl");
//   s.grants / (s.load_ns / 1e9)                       // grants a second
//
// Everything counts from the trial's beginning to the end of its load, but for recoveries: what is healed last is
// healed when the load is over. Times are nanoseconds of the trial's one clock.
//
// What it does not do: it says nothing of attempts that were still waiting when the load ended (a lock that lets nobody
// in has no waits, but much unavailable time), and nothing of a server's own work.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "checker/hold.hpp"
#include "history/history_source.hpp"

namespace holdfast {

// From a fault's end to the next grant; 0 when somebody held the key at that moment, as a lock should.
struct Recovery {
  std::string fault;
  std::int64_t healed_ns = 0;
  std::int64_t took_ns = 0;  // of several keys the slowest; -1: one was asked for and not granted again
};

struct Service {
  std::int64_t load_ns = 0;
  std::int64_t grants = 0;
  std::int64_t statements = 0;          // of all clients, refused attempts and releases included
  std::int64_t fencing_rejections = 0;  // writes that were refused, with a token older than one granted by then
  std::int64_t unavailable_ns = 0;      // see availability.hpp
  std::int64_t longest_gap_ns = 0;
  std::vector<Window> gaps;                  // in which a free key could not be had; of all keys, by their end
  std::vector<std::int64_t> uncontended_ns;  // see acquire_waits.hpp: ascending
  std::vector<std::int64_t> contended_ns;    // ascending
  std::vector<std::int64_t> granted_ns;      // when, ascending
  std::vector<Recovery> recoveries;          // one a fault that ended
  std::int64_t struck_grants = 0;            // of clients that a fault struck, live while it was in force
  std::int64_t struck_attempts_in_hold = 0;  // of such clients, while another held the key
};

Service measure_service(HistorySource& source);
Service measure_service(const std::string& path);  // throws BadInput

}  // namespace holdfast
