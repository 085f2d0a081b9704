// Whether a run's history is there to its end, told by its last line alone: for those who show what was judged before,
// and do not read it all. HistoryReader, which does, counts the events too.
//
//   check_whole("runs/x/cells/insert_lease/pause/1/history.jsonl");   // BadInput: it was cut off
//
// Foreign histories have no end record; those of older programs had none either, which their readers say.
#pragma once

#include <string>

namespace holdfast {

void check_whole(const std::string& path);

}  // namespace holdfast
