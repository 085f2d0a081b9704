// Strikes every statement of a lock with every client fault: pause, kill, lost reply, cut; before it is sent and after
// it was executed; when the lock is granted, refused, renewed and released.
#pragma once

#include <string>

#include "generate/generated_suite.hpp"

namespace holdfast {

// A server answers writes with an error, which some libraries take for a grant.
inline constexpr const char* kWritesRefused = "writes_refused";
inline constexpr const char* kStartBesideHolder = "start_beside_holder";

// Scenarios in which a client must get its turn again.
inline constexpr const char* kReturnsLate = "release_after_lease";
inline constexpr const char* kWakesUp = "wakeup_after_request_";
inline constexpr const char* kCancelledInTransit = "cancelled_in_transit";

void add_fault_scenarios(const LockType& type, const std::string& lock, const LockFacts& facts, GeneratedSuite& out);

}  // namespace holdfast
