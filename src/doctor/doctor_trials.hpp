// The trials by which the doctor examines servers and faults: each server with no fault, then each fault of the
// catalogue once, on the first lock service whose servers it can strike. Short trials of the ordinary kind, so that
// what works here works in a suite.
//
//   for (const auto& trial : doctor_trials(folder)) ...     // {"fault", "partition", scenario, "insert_lease"}
//
// No list of its own: faults, with a small case of each, come from their catalogue, and what can be put together with
// what is asked of the same rules that a user's scenario meets (suite/check_names.hpp).
#pragma once

#include <set>
#include <string>
#include <vector>

#include "artifact/scenario.hpp"

namespace holdfast {

struct DoctorTrial {
  std::string part;  // server | fault
  std::string name;
  Scenario scenario;
  std::string lock;
};

// Writes the scenarios into `folder`, which is there. Throws HarnessError for a fault that no rule lets through.
std::vector<DoctorTrial> doctor_trials(const std::string& folder);

// What the scenarios need, by the names of the trials, and `packet filter` where a fault drops packets.
std::set<std::string> needs_of(const std::vector<Scenario>& scenarios);

inline constexpr const char* kPacketFilter = "packet filter";

}  // namespace holdfast
