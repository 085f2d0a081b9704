// Redis in the explorer's lab, stepped (stepped_store.hpp): a server a worker, for they differ in what time it is.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "servers/stepped_store.hpp"

namespace holdfast {

// Whether a Redis command can only ask. The form of a reply does not say so: GETSET answers with a text as GET does, a
// script with whatever it likes. Says yes too seldom, never too often (the source).
std::string verb_of(const std::vector<std::string>& arguments);  // in capital letters
bool only_asks(const std::vector<std::string>& arguments);

std::unique_ptr<ExploreServer> explore_redis(const std::string& folder);  // of the exploration: its `lab` is in memory

}  // namespace holdfast
