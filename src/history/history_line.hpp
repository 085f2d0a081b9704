// One line of a history file as text <-> one Event. Only the shape of a line is decided here; what needs the lines
// before it (names, order, invocations) is HistoryReader's.
//
//   HistoryLine line;
//   parse_history_line(R"({"process":1,"type":"invoke","f":"acquire","key":"orders"})", event, line);
//
// Throws BadInput with the bare reason ("unknown f 'lock' ..."); the reader puts file and line before it. Numbers are
// bounded so that sums of a time and a lease cannot overflow.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "history/history_source.hpp"

namespace holdfast {

// What a line says by name or leaves out; the reader turns it into the event's dense ids.
struct HistoryLine {
  bool has_index = false;
  bool has_time = false;
  bool has_key = false;
  bool has_client = false;
  std::string process;
  std::string key;
};

void parse_history_line(std::string_view text, Event& event, HistoryLine& line);
// Without `timed` the line says no time: the source had none, and its events are numbered instead.
void append_history_line(std::string& text, const Event& event, const Names& names, bool timed = true);

// The header line. `parse_history_header` returns false when the line is no header (a foreign history).
bool parse_history_header(std::string_view text, HistoryHeader& header);
std::string history_header_line(const HistoryHeader& header);

// The line that ends a run's history, and the number of events in it; nothing: the line is another.
std::string history_end_line(std::uint64_t events);
std::optional<std::uint64_t> parse_history_end(std::string_view text);

}  // namespace holdfast
