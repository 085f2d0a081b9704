// Redis in the explorer's lab, stepped (stepped_store.hpp): a server per worker, because their times differ.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "servers/stepped_store.hpp"

namespace holdfast {

// Returns whether a Redis command only reads. The form of a reply does not show it: GETSET answers with a text as GET
// does, and a script with anything. May return false unnecessarily, but never true wrongly (the source).
std::string verb_of(const std::vector<std::string>& arguments);  // in capital letters
bool only_asks(const std::vector<std::string>& arguments);

// of the exploration: its subfolder `lab` is in memory
std::unique_ptr<ExploreServer> explore_redis(const std::string& folder);

}  // namespace holdfast
