// Statement names with a server number. A lock service may consist of several independent servers; a lock that uses
// them all gives the server with each statement. All code that handles statement names handles these: faults strike at
// one server, schedules step them, and the evidence shows them.
//
//   at_server("acquire", 2)      // "acquire@2": the statement `acquire` of the lock's file, at the third server
//   placed("acquire@2")          // {"acquire", 2}
//   placed("acquire")            // {"acquire", 0}: without a number, the first or only server
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace holdfast {

inline constexpr char kAtServer = '@';

struct PlacedStatement {
  std::string_view name;
  std::uint32_t server = 0;
};

std::string at_server(std::string_view statement, std::uint32_t server);
PlacedStatement placed(std::string_view statement);  // throws std::logic_error if the part after @ is not a number
bool says_server(std::string_view statement);

// Returns true if `passed` has the name `wanted`, and is at that server if `wanted` gives one.
bool is_called(std::string_view passed, std::string_view wanted);

}  // namespace holdfast
