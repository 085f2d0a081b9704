// Names of the servers used in a run or comparison, as one text: "MariaDB 10.11.19, Redis 7.0.15".
//
//   names.merge(server_names(shard.server));
//   out.server = server_text(names);
#pragma once

#include <set>
#include <string>

namespace holdfast {

// Text in brackets belongs to a name: "Redis 7.0.15 (Sentinel, a primary and 2 replicas)" is one.
std::set<std::string> server_names(const std::string& text);

// Without duplicates, sorted by name.
std::string server_text(const std::set<std::string>& names);

}  // namespace holdfast
