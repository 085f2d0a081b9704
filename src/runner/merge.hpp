// Merges the clients' journals, the nemesis's events and the resource's log into one history, ordered by time. At equal
// times: invocations, then completions, then faults, so that a tie means overlapping, never ordered.
#pragma once

#include <string>
#include <vector>

#include "history/event.hpp"
#include "history/history.hpp"

namespace holdfast {

struct MergeInput {
  // Contains client-N.journal, .thread-T.journal of its other threads, .background.journal of a watchdog,
  // .observer.journal of a lock that reports the leader, and .assertions.journal of one with assertions.
  std::string folder;
  std::uint32_t clients = 0;
  std::int64_t threads = 1;       // per client
  std::vector<std::string> keys;  // names of the keys
  std::vector<Event> nemesis;     // any order
  std::vector<Event> resource;    // in commit order; appended at the end
};

// Streams: keeps one event per journal in memory. Throws HarnessError if the disk is full, BadInput for a missing
// journal.
void merge_history(const MergeInput& input, const HistoryHeader& header, const std::string& path);

}  // namespace holdfast
