// Within which bounds a verdict of explore stands, and what lies outside: every report of it says so in these words.
//
//   within_text(explored)    "2 clients, 2 rounds of 2 attempts, at most 2 preemptions, 2 time jumps and 1 fault; lease
//   2000 ms
//                             from 400 ms past the second"
#pragma once

#include <string>
#include <vector>

#include "explore/explorer.hpp"

namespace holdfast {

std::string within_text(const Explored& explored);
// Of a command that has several locks: each may make something of its own of the lease that was asked for.
std::string within_text(const ExploreJob& job);
// What nobody looked at, a piece an entry: other bounds, what this search was not asked for, what no search can do.
std::vector<std::string> not_explored(const Explored& explored);

}  // namespace holdfast
