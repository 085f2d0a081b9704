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
#pragma once

#include <string>
#include <vector>

#include "artifact/comparison.hpp"
#include "artifact/scenario.hpp"
#include "compare/fault_amount.hpp"

namespace holdfast {

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
