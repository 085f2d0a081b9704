// The bounds of an explore verdict and what lies outside them, as stated in every report.
//
//   within_text(explored)    "2 clients, 2 rounds of 2 attempts, at most 2 preemptions, 2 time jumps and 1 fault;
//                             lease 2000 ms, start 400 ms after a whole second"
#pragma once

#include <string>
#include <vector>

#include "explore/explorer.hpp"

namespace holdfast {

std::string within_text(const Explored& explored);
// For a command with several locks, each of which may adjust the requested lease.
std::string within_text(const ExploreJob& job);
// Lists what was not searched, one entry each: other bounds, options not requested, what no search can cover.
std::vector<std::string> not_explored(const Explored& explored);

}  // namespace holdfast
