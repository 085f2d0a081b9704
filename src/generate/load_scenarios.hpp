// Uses of a lock in which published locks failed, mostly without any fault: other drivers, addresses, leases, zones,
// isolation levels, clocks, similar keys and owners, several leases at once, two threads.
#pragma once

#include <string>

#include "generate/generated_suite.hpp"

namespace holdfast {

void add_load_scenarios(const LockType& type, const std::string& lock, const LockFacts& facts, GeneratedSuite& out);

}  // namespace holdfast
