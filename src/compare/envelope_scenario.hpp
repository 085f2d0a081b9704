// Faults with a variable amount, and the scenario in which an amount is tried on a lock.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "artifact/comparison.hpp"
#include "artifact/scenario.hpp"

namespace holdfast {

// Finds a fault's variable amount in the catalogue: its required integer setting (client_skew: step_ms), else its
// duration (pause: for_ms), else an optional integer setting (partition.percent). A new fault with such a setting has
// an envelope automatically.
//
//   fault_amount("skew")                -> client_skew, step_ms, both directions
//   fault_amount("partition.percent")   -> that setting

struct FaultAmount {
  std::string fault;
  std::string key;
  std::int64_t least = 0;  // range of the setting; negative: the other direction
  std::int64_t most = 0;
  bool lasts = true;             // has a duration
  bool strikes_servers = false;  // false: strikes clients

  bool is_length() const { return key == "for_ms"; }  // false: the amount is a strength, constant over the fault's time
  bool is_time() const { return key.ends_with("_ms"); }
};

// All amounts of a fault, first the one selected by the fault's name alone.
std::vector<FaultAmount> fault_amounts(const std::string& fault);

// `word`: FAULT, FAULT.KEY, or a word in the name of a fault, if unique (among several, the one that strikes clients).
// Throws BadInput with the list of faults that have amounts.
FaultAmount fault_amount(const std::string& word);

// The scenario in which an amount of a fault is dangerous for a lock. It is generated for each kind of amount, or read
// from a scenario file that has the fault, with its amount replaced.
//
// Generated scenarios, by target and kind of amount (the job's length makes the result depend on the lease, not on idle
// time):
//   duration, on clients    the holder, in its critical section, before it writes; jobs of 5 to 10 % of the
//                           lease, so that nearly all of it is left
//   duration, on a server   the server, at a grant; jobs of 80 to 95 % of the lease
//   strength, on clients    one client of three, from the start: alternately holder and waiter; jobs of 80 to 95 %
//   strength, on a server   the server, at a grant; jobs of 80 to 95 %
//
// Amount 0 is the same scenario without the fault. Pure.

struct EnvelopeCourse {
  FaultAmount amount;
  std::string lock;
  std::int64_t lease_ms = 2000;
  std::vector<std::pair<std::string, std::string>> settings;  // KEY, VALUE: of --set
  const Scenario* own = nullptr;                              // a scenario of the user's; null: generated
};

Scenario envelope_scenario(const EnvelopeCourse& course, std::int64_t amount);  // throws BadInput

// "the holder, in its critical section, before it writes; ..."
std::string dangerous_moment(const FaultAmount& amount);

}  // namespace holdfast
