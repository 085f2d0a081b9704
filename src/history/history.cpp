#include "history/history.hpp"

#include "artifact/error.hpp"
#include "history/history_line.hpp"
#include "history/plain_line.hpp"

namespace holdfast {

HistoryReader::HistoryReader(const std::string& path) : path_(path), lines_(path) {
  if (!lines_.next(line_)) throw BadInput(path + ": is empty: a history has one event a line");
  try {
    pending_ = !parse_history_header(line_, header_);
  } catch (const BadInput& e) {
    refuse(e.what());
  }
  if (!header_.bare) rules_.clients_are_numbered();
}

void HistoryReader::refuse(const std::string& why) const {
  throw BadInput(place() + ": " + why);
}

// Of a run's history: what stands at its end.
void HistoryReader::check_end() {
  const auto events = parse_history_end(line_);
  if (!events) return;
  if (*events != events_) {
    throw BadInput("the end record counts " + std::to_string(*events) + " events, and " + std::to_string(events_) +
                   " stand before it: lines are missing, or were added; remedy: run it again");
  }
  if (lines_.next(line_)) throw BadInput("stands after the end record");
  line_ = {};
}

// False at the end.
bool HistoryReader::next_line() {
  if (pending_) {
    pending_ = false;
    return true;
  }
  const bool more = lines_.next(line_);
  if (header_.bare) return more;
  if (!more) {
    throw BadInput("the history was cut off: the record that ends a run's, " + history_end_line(events_) +
                   " after these events, is missing; remedy: run it again");
  }
  check_end();
  return !line_.empty();
}

bool HistoryReader::next(Event& event) {
  if (ended_) return false;
  try {
    ended_ = !next_line();
    if (ended_) return false;
    if (!scan_plain_line(line_, event, parsed_)) parse_history_line(line_, event, parsed_);
    rules_.admit(event, parsed_);
    ++events_;
  } catch (const BadInput& e) {
    refuse(e.what());
  }
  return true;
}

}  // namespace holdfast
