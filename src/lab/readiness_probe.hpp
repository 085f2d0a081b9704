// Readiness probes of servers: the address, the question, and the answer of a serving server. Accepting a connection is
// not sufficient: MariaDB greets late, or with an error if it has no free connection, and Redis answers "-LOADING"
// while it reads its files.
//
//   wait_for_answer(kLockAddress, kRedisProbe, process, log, kServerStart_ms);    // at the start
//   probe(node, kLockAddress, kRedisProbe, 250);                                  // from elsewhere, during faults
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
  std::size_t answer_bytes;   // bytes of the answer that `serves` needs, 1 to kAnswerBytes
  bool (*serves)(std::string_view answer_begin);
};

inline constexpr std::size_t kAnswerBytes = 16;

// Maximum start time of a server on a busy machine.
inline constexpr int kServerStart_ms = 20'000;

// Connects from a node and waits for the answer. Returns the time in nanoseconds, or -1 without an answer in time. Sets
// `own` to the node's address of that connection, or empty without an answer.
std::int64_t probe(const Node& node, const std::string& address, const ReadinessProbe& how, int timeout_ms,
                   std::string* own = nullptr);

// The source address that a connection from the node would have; empty: no route. Sends nothing.
std::string address_towards(const Node& node, const std::string& address);

// Repeats the question from the calling process's network until there is an answer. Throws HarnessError with the last
// line of the server's log if the server ended, or did not answer in time.
void wait_for_answer(const std::string& address, const ReadinessProbe& how, Process& server, const std::string& log,
                     int timeout_ms);

}  // namespace holdfast
