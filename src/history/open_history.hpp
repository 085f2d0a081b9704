// Opens a history in any form: JSON lines, a JSON array, Jepsen's history.edn, a journal, a folder of journals, the
// folder of a trial, spans of OpenTelemetry, or logs of several processes. The content, not the name, determines the
// form.
//
//   auto source = open_history("history.edn");
//   auto merged = open_logs({"worker-1.jsonl", "worker-2.jsonl"});    // one history, by time: merged_logs.hpp
//
// `not_held`: source of this answer in a Jepsen history (jepsen_history.hpp). `options`: for spans. Throws BadInput as
// the source does, for a folder without journals, for journals of a trial without its history, and for other kinds of
// files, with their kind.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "artifact/input_file.hpp"
#include "history/history_source.hpp"
#include "history/jepsen_history.hpp"
#include "history/merged_logs.hpp"

namespace holdfast {

std::unique_ptr<HistorySource> open_history(const InputFile& file, NotHeld not_held = NotHeld::said_by_lock,
                                            const MergeOptions& options = {});
std::unique_ptr<HistorySource> open_logs(const std::vector<std::string>& paths, const MergeOptions& options = {});

}  // namespace holdfast
