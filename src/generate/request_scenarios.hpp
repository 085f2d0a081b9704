// Every request of a lock in another language, struck by every fault of a client: what it sends has no names, but is
// counted on its way to the server.
#pragma once

#include <string>

#include "generate/generated_suite.hpp"

namespace holdfast {

// Of an operation so many requests are struck.
inline constexpr std::int64_t kMostStruckRequests = 4;

// Returns true if its requests are told apart on their way, and by numbers alone.
bool counts_requests(const LockType& type);

void add_request_scenarios(const LockType& type, const std::string& lock, const LockFacts& facts, GeneratedSuite& out);

}  // namespace holdfast
