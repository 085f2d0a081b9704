// Opens a history in whatever form it comes: JSON lines, a JSON array, Jepsen's history.edn, a journal, a folder of
// journals, the folder of a trial, or logs of several processes. The form is told from the content, not from the name.
//
//   auto source = open_history("history.edn");
//   auto merged = open_logs({"worker-1.jsonl", "worker-2.jsonl"});    // one history, by time: merged_logs.hpp
//
// `not_held`: who says so in a history of Jepsen's (jepsen_history.hpp). Throws BadInput as the source itself does, for
// a folder without journals, for journals of a trial without its history, and for what is no history at all, saying
// what it is.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "artifact/input_file.hpp"
#include "history/history_source.hpp"
#include "history/jepsen_history.hpp"

namespace holdfast {

std::unique_ptr<HistorySource> open_history(const InputFile& file, NotHeld not_held = NotHeld::said_by_lock);
std::unique_ptr<HistorySource> open_logs(const std::vector<std::string>& paths);

}  // namespace holdfast
