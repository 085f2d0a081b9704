// Explores an adapter lock by its requests: the command that runs in the lab.
//
//   explore_in_lab(folder, order, interrupted, progress, kRequestExplorer);   // outside
//   run_request_explorer(folder);                                             // inside
#pragma once

#include <string>

#include "explore/explore_lab.hpp"

namespace holdfast {

inline constexpr ExploreLabPart kRequestExplorer{"request-explorer", TimeMode::skipped};

// Reason why such a lock cannot be explored by its requests; empty: it can.
std::string cannot_step_requests(const LockType& type);

void run_request_explorer(const std::string& folder);

}  // namespace holdfast
