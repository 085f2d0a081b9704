// Explores an adapter in several labs side by side: each is a process of its own, with a server, a clock and adapters
// of its own, and searches a part of the schedules (SearchLimits::part).
//
//   const ExploreOutcome outcome = explore_side_by_side(folder, order, interrupted);
//
// There are as many labs as the first job asks for, at most kMostLabs. Each has a folder of its own in `folder`, whose
// explored.json has the results of the whole. An order of replays has one lab.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "explore/explore_lab.hpp"

namespace holdfast {

inline constexpr int kMostLabs = 8;

ExploreOutcome explore_side_by_side(const std::string& folder, const ExploreOrder& order,
                                    const std::atomic<bool>& interrupted);

// The result of a search from those of all its parts. It is complete only if they branch off the same first schedule.
ExploreResult whole_of(const std::vector<ExploreResult>& parts, bool lease);

}  // namespace holdfast
