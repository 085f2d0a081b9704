// Journals of the clients + what the nemesis told + what the resource accepted -> one history, in order of time.
// Equal times: invocations first, then completions, then faults, so that a tie is read as overlapping, never as
// ordered.
#pragma once

#include <string>
#include <vector>

#include "history/event.hpp"
#include "history/history.hpp"

namespace holdfast {

struct MergeInput {
  // With client-N.journal, .thread-T.journal of its other threads, .background.journal of a watchdog, and
  // .observer.journal of a lock that tells who leads.
  std::string folder;
  std::uint32_t clients = 0;
  std::int64_t threads = 1;       // of each
  std::vector<std::string> keys;  // their names
  std::vector<Event> nemesis;     // any order
  std::vector<Event> resource;    // in order of commitment; put at the end
};

// Streams: memory is one event a journal. Throws HarnessError when the disk is full, BadInput for a missing journal.
void merge_history(const MergeInput& input, const HistoryHeader& header, const std::string& path);

}  // namespace holdfast
