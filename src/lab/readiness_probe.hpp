// How to see that a server serves: where to ask, what to say, and which answer only a serving server gives. Accepting
// a connection is not enough: MariaDB greets late, or with an error when it has no connection to spare, and Redis
// answers "-LOADING" while it reads its files.
//
//   wait_for_answer(kLockAddress, kRedisProbe, process, log, kServerStart_ms);    // at start
//   probe(node, kLockAddress, kRedisProbe, 250);                                  // from elsewhere, while faults act
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "lab/network.hpp"
#include "lab/process.hpp"

namespace holdfast {

struct ReadinessProbe {
  int port;
  std::string_view question;  // "": the server speaks first
  std::size_t answer_bytes;   // how much of the answer `serves` needs, 1 to kAnswerBytes
  bool (*serves)(std::string_view answer_begin);
};

inline constexpr std::size_t kAnswerBytes = 16;

// The longest that one server may take to start, on a machine with much else to do.
inline constexpr int kServerStart_ms = 20'000;

// Connects from a node and waits for the answer; nanoseconds it took, -1: no answer in time. `own` gets the node's
// address as that connection had it; empty: no answer.
std::int64_t probe(const Node& node, const std::string& address, const ReadinessProbe& how, int timeout_ms,
                   std::string* own = nullptr);

// The address that a connection from a node would have; empty: the node has no way to there. Sends nothing.
std::string address_towards(const Node& node, const std::string& address);

// Asks, from the calling process's network, until there is an answer. Throws HarnessError with the last line of the
// server's log when it ended, or did not answer in time.
void wait_for_answer(const std::string& address, const ReadinessProbe& how, Process& server, const std::string& log,
                     int timeout_ms);

}  // namespace holdfast
