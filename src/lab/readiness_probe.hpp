// A server's readiness: where to ask, what to say, and how an answer begins that only a server at work gives. A server
// that accepts connections is not at work yet: MariaDB greets late, Redis answers "-LOADING" while it reads its files.
//
//   wait_for_answer(kLockAddress, readiness, process, log, kServerStart_ms);    // at start
//   probe(node, kLockAddress, readiness, 250);                                  // from elsewhere, while faults act
#pragma once

#include <cstdint>
#include <string>

#include "lab/network.hpp"
#include "lab/process.hpp"

namespace holdfast {

struct ReadinessProbe {
  int port;
  const char* question;      // "": the server speaks first
  const char* answer_begin;  // "": any first byte will do
};

// The longest that one server may take to start, on a machine with much else to do.
inline constexpr int kServerStart_ms = 20'000;

// Connects from a node and waits for the answer; nanoseconds it took, -1: no answer in time. `own` gets the node's
// address as that connection had it; empty: no answer.
std::int64_t probe(const Node& node, const std::string& address, const ReadinessProbe& readiness, int timeout_ms,
                   std::string* own = nullptr);

// Asks, from the calling process's network, until there is an answer. Throws HarnessError with the last line of the
// server's log when it ended, or did not answer in time.
void wait_for_answer(const std::string& address, const ReadinessProbe& readiness, Process& server,
                     const std::string& log, int timeout_ms);

}  // namespace holdfast
