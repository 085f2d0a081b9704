// The quick way through most lines of a history: a flat object of short names, plain strings and whole numbers, its
// fields in any order, with others between them that mean nothing. Its parts are found 64 bytes at a time
// (line_marks.hpp) and read without building anything, some thirty times faster than by a general JSON parser.
//
//   if (!scan_plain_line(text, event, line)) parse_history_line(text, event, line);
//
// kLinePadding bytes behind the text must be readable (plain_scan.hpp). The line's names stand in the text itself.
//
// True only for lines of which the general parser would have made exactly the same, event for event (a test compares
// the two on random and on broken lines). Whatever is unusual (an escape, an object, a number beyond 19 digits, a key
// that stands twice, a mistake of any kind) makes it false, so that mistakes are told in one place only. After false,
// `event` and `line` hold anything.
#pragma once

#include <string_view>

#include "history/history_line.hpp"
#include "history/plain_scan.hpp"

namespace holdfast {

bool scan_plain_line(std::string_view text, Event& event, HistoryLine& line);

}  // namespace holdfast
