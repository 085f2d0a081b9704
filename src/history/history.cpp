#include "history/history.hpp"

#include "artifact/error.hpp"
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

bool HistoryReader::next(Event& event) {
  if (!pending_ && !lines_.next(line_)) return false;
  pending_ = false;
  try {
    if (!scan_plain_line(line_, event, parsed_)) parse_history_line(line_, event, parsed_);
    rules_.admit(event, parsed_);
  } catch (const BadInput& e) {
    refuse(e.what());
  }
  return true;
}

}  // namespace holdfast
