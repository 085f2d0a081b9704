// At which server a statement is run. A lock service may consist of several servers that know nothing of each other; a
// lock that talks to all of them says with each statement which it means. Everything that handles statements by their
// names handles these so: faults strike at one of them, schedules step them, and the evidence shows them.
//
//   at_server("acquire", 2)      // "acquire@2": the statement `acquire` of the lock's file, at the third server
//   placed("acquire@2")          // {"acquire", 2}
//   placed("acquire")            // {"acquire", 0}: where nothing is said, the first or only one
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
PlacedStatement placed(std::string_view statement);  // throws std::logic_error: what follows the @ is no number
bool says_server(std::string_view statement);

// Whether the statement `passed` is one that is called `wanted`: of that name, and at that server if `wanted` says one.
bool is_called(std::string_view passed, std::string_view wanted);

}  // namespace holdfast
