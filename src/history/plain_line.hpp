// Fast parser for most lines of a history: a flat object of short names, plain strings and whole numbers, in any order,
// possibly with unknown fields. Its structure is found 64 bytes at a time (line_marks.hpp), and it is parsed without
// building objects, about thirty times faster than by a general JSON parser.
//
//   if (!scan_plain_line(text, event, line)) parse_history_line(text, event, line);
//
// kLinePadding bytes after the text must be readable (plain_scan.hpp). The line's names refer to the text.
//
// Returns true only for lines for which the general parser would have produced exactly the same event (a test compares
// both on random and on broken lines). Anything unusual (an escape, an object, a number beyond 19 digits, a duplicate
// key, any error) returns false, so that errors are reported in one place. After false, `event` and `line` are
// unspecified.
#pragma once

#include <string_view>

#include "history/history_line.hpp"
#include "history/plain_scan.hpp"

namespace holdfast {

bool scan_plain_line(std::string_view text, Event& event, HistoryLine& line);

}  // namespace holdfast
