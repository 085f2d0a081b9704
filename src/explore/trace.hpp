// What happened in one schedule, step by step, as people read it: who sent what, what the server answered, who believes
// until when after it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace holdfast {

template <typename Object>
struct JsonForm;  // artifact/json_fields.hpp

struct TraceStep {
  std::string word;                    // of the schedule; empty: a consequence of the one before
  std::string client;                  // "A"; empty: nobody
  std::int64_t time_us = 0;            // after it
  std::string doing;                   // "acquire"
  std::string statement;               // SQL or a Redis command; empty: none
  std::string answer;                  // the server's, or what became of it
  std::string said;                    // what the lock told its client: "granted"
  std::vector<std::string> believers;  // "A until 12:00:02.4"

  static const JsonForm<TraceStep>& form();
};

using Trace = std::vector<TraceStep>;

// The answer of a step in which a client looks at its clock, after an answer that it got in an earlier one.
inline constexpr const char* kLooks = "looks at its clock";

// Columns for a terminal: one a client, the answers below the statements.
std::string columns(const Trace& trace, std::size_t width);

}  // namespace holdfast
