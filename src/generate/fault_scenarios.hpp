// Every statement of a lock, struck by every fault of a client: paused, killed, its reply lost, cut off; before it is
// sent and after it was executed; when the lock is granted, refused, renewed and released.
#pragma once

#include <string>

#include "generate/generated_suite.hpp"

namespace holdfast {

void add_fault_scenarios(const LockType& type, const std::string& lock, const LockFacts& facts, GeneratedSuite& out);

}  // namespace holdfast
