// The events of one schedule, step by step, in readable form: the client, its statement, the server's answer, and the
// beliefs after it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace holdfast {

template <typename Object>
struct JsonForm;  // artifact/json_fields.hpp

struct TraceStep {
  std::string word;                      // of the schedule; empty: a consequence of the previous one
  std::string client;                    // "A"; empty: none
  std::int64_t time_us = 0;              // after the step
  std::string doing;                     // "acquire"
  std::string statement;                 // SQL or a Redis command; empty: none
  std::string answer;                    // the server's answer, or the statement's fate
  std::string said;                      // the lock's answer to its client: "granted"
  std::vector<std::string> believers;    // "A until 12:00:02.4"
  std::vector<std::string> arguments{};  // the request's words, each whole, such as a Redis command's; empty: none

  static const JsonForm<TraceStep>& form();
};

using Trace = std::vector<TraceStep>;

// Answer text of a step in which a client reads its clock, after an answer from an earlier step.
inline constexpr const char* kLooks = "looks at its clock";

// Columns for a terminal: one per client, with answers below the statements.
std::string columns(const Trace& trace, std::size_t width);

}  // namespace holdfast
