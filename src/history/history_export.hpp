// Writes a history in another form, so that other checkers can judge it.
//
//   export_history(*open_history("runs/latest/.../history.jsonl"), ExportForm::edn, stdout);
//
// EDN: one Jepsen operation a line, `{:index 0, :time 12, :process 0, :type :invoke, :f :acquire, :value nil, :key
// "k0"}`, as Knossos takes for its mutex model. Processes are numbers, as Jepsen's are: their names, or, where the
// first one's name is a word, their places in the order of their coming. What the nemesis told is left out, and the
// resource's log. JSON lines: docs/history.md, without a header where the source has none.
// Of a source without times neither has any.
//
// Throws HarnessError when it cannot be written, BadInput as the source does. What it does not do: it does not judge.
#pragma once

#include <cstdio>
#include <string>

#include "history/history_source.hpp"

namespace holdfast {

enum class ExportForm : std::uint8_t { jsonl, edn };

void export_history(HistorySource& source, ExportForm form, std::FILE* out);
void append_edn_line(std::string& text, const Event& event, const Names& names, bool timed = true);

}  // namespace holdfast
