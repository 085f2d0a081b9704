// Strikes every request of a lock in another language with every client fault: its requests have no names, but are
// counted on their way to the server.
#pragma once

#include <string>

#include "generate/generated_suite.hpp"

namespace holdfast {

// Number of requests struck per operation.
inline constexpr std::int64_t kMostStruckRequests = 4;

// Returns true if its requests are distinguished in transit, by numbers only.
bool counts_requests(const LockType& type);

void add_request_scenarios(const LockType& type, const std::string& lock, const LockFacts& facts, GeneratedSuite& out);

}  // namespace holdfast
