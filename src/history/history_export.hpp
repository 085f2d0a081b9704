// Writes a history in another form, for other checkers.
//
//   export_history(*open_history("runs/latest/.../history.jsonl"), ExportForm::edn, stdout);
//
// EDN: one Jepsen operation per line, `{:index 0, :time 12, :process 0, :type :invoke, :f :acquire, :value nil, :key
// "k0"}`, as Knossos takes for its mutex model. Processes are numbers, as in Jepsen: their names, or, if the first name
// is a word, their order of appearance. The nemesis's events and the resource's log are left out. JSON lines:
// docs/history.md, without a header if the source has none. Both omit times if the source has none.
//
// Throws HarnessError if writing fails, and BadInput as the source does. It does not judge.
#pragma once

#include <cstdio>
#include <string>

#include "history/history_source.hpp"

namespace holdfast {

enum class ExportForm : std::uint8_t { jsonl, edn };

void export_history(HistorySource& source, ExportForm form, std::FILE* out);
void append_edn_line(std::string& text, const Event& event, const Names& names, bool timed = true);

}  // namespace holdfast
