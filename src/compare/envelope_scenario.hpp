// What of a fault there can be more or less of, and the scenario in which some amount of it meets a lock.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "artifact/comparison.hpp"
#include "artifact/scenario.hpp"

namespace holdfast {

// What of a fault there can be more or less of, found in the catalogue: its required integer setting (client_skew:
// step_ms), else how long it lasts (pause: for_ms), else an integer that may be set (partition.percent). A new fault
// with such a setting has an envelope without another line here.
//
//   fault_amount("skew")                -> client_skew, step_ms, both directions
//   fault_amount("partition.percent")   -> that setting

struct FaultAmount {
  std::string fault;
  std::string key;
  std::int64_t least = 0;  // what the fault takes; negative: the other direction
  std::int64_t most = 0;
  bool lasts = true;             // it is in force for a time
  bool strikes_servers = false;  // else clients

  bool is_length() const { return key == "for_ms"; }  // else the fault is as strong as that, all the time
  bool is_time() const { return key.ends_with("_ms"); }
};

// Every fault's, the one that is meant by its name alone first.
std::vector<FaultAmount> fault_amounts(const std::string& fault);

// `word`: FAULT, FAULT.KEY, or a word of a fault's name when it is one fault's (of several: the one that strikes
// clients). Throws BadInput: which faults have amounts.
FaultAmount fault_amount(const std::string& word);

// The scenario in which a fault of some amount meets a lock where it is dangerous. One is made for every kind of
// amount, or a scenario file that has the fault is taken, with its amount replaced.
//
// Made, by whom and how the fault strikes (the job is as long as the danger needs, so that the amount found is about
// the lease and not about idle time):
//   how long it lasts, on clients    the holder, in its critical section, before it writes; jobs of 5 to 10 % of the
//                                    lease, so that nearly all of it is left
//   how long it lasts, on a server   the server, at a grant; jobs of 80 to 95 % of the lease
//   how strong it is, on clients     one client of three, from the first moment on: now holder, now waiter; jobs of 80
//                                    to 95 %
//   how strong it is, on a server    the server, at a grant; the same jobs
//
// Amount 0 is the same scenario without the fault. Pure.

struct EnvelopeCourse {
  FaultAmount amount;
  std::string lock;
  std::int64_t lease_ms = 2000;
  std::vector<std::pair<std::string, std::string>> settings;  // KEY, VALUE: of --set
  const Scenario* own = nullptr;                              // a scenario of the user's; null: one is made
};

Scenario envelope_scenario(const EnvelopeCourse& course, std::int64_t amount);  // throws BadInput

// "the holder, in its critical section, before it writes; ..."
std::string dangerous_moment(const FaultAmount& amount);

}  // namespace holdfast
