#include "history/log_lane.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "artifact/error.hpp"
#include "history/plain_line.hpp"

namespace holdfast {

LogLane::LogLane(const InputFile& file, Growth growth, OtlpMapping mapping)
    : path_(file.path()), grows_(growth == Growth::growing), mapping_(std::move(mapping)) {
  if (!grows_ && is_json_array(file.start(kTellsForm))) {
    array_ = std::make_unique<JsonArray>(file);
  } else {
    lines_ = std::make_unique<LineReader>(file, growth);
  }
  read_ahead();
  if (front() == nullptr && !grows_) {
    throw BadInput(path_ + ": " + (spans_ ? spans_->why_none() : "is empty: a history has one event per line"));
  }
  note_front();
}

void LogLane::refuse(const std::string& why) const {
  throw BadInput(path_ + ":" + std::to_string(position()) + ": " + why);
}

bool LogLane::next_text(std::string_view& text) {
  return array_ ? array_->next(text) : lines_->next(text);
}

void LogLane::read_ahead() {
  while (!over_ && has_room()) over_ = !read_one();
}

void LogLane::refresh() {
  if (grows_) over_ = false;
  read_ahead();
  note_front();
}

bool LogLane::read_one() {
  std::string_view text;
  if (!next_text(text)) return false;
  try {
    if (!any_ && !spans_ && lines_ && is_otlp(text)) spans_ = std::make_unique<OtlpSpans>(mapping_);
    spans_ ? read_spans(text) : read_event(text);
  } catch (const BadInput& e) {
    refuse(e.what());
  }
  return true;
}

void LogLane::read_spans(std::string_view text) {
  spans_->read(text, position());
  const LoggedEvent* const first = spans_->front();
  if (grows_ || !shown_ || first == nullptr || first->event.time_ns >= last_ns_) return;
  throw BadInput("time: goes backwards over more than " + std::to_string(kMostSpans) +
                 " spans; remedy: sort the spans by their ends first");
}

void LogLane::read_event(std::string_view text) {
  if (!any_ && text.find("\"holdfast_history\"") != std::string_view::npos) {
    throw BadInput("is the complete history of a run; remedy: holdfast check " + path_);
  }
  if (unused_.empty()) unused_.push_back(std::make_unique<LoggedEvent>());
  std::unique_ptr<LoggedEvent> read = std::move(unused_.back());
  unused_.pop_back();
  const bool padded = lines_ != nullptr;  // as the fast scanner requires
  const bool plain = padded && scan_plain_line(text, read->event, read->line);
  if (!plain) parse_history_line(text, read->event, read->line);
  read->line.process.keep();
  read->line.key.keep();
  if (!read->line.has_time) throw BadInput("time: is missing; logs are merged by time");
  times_.admit(read->line.time_form, read->event.time_ns);
  read->position = position();
  check_order(*read);
  any_ = true;
  numbers_clients_ = numbers_clients_ || (read->event.actor == Actor::client && read->line.has_client);
  put(std::move(read));
}

// Nearly every line is later than those before it.
void LogLane::put(std::unique_ptr<LoggedEvent> read) {
  auto at = ahead_.end();
  while (at != ahead_.begin() && (*std::prev(at))->event.time_ns > read->event.time_ns) --at;
  ahead_.insert(at, std::move(read));
}

void LogLane::check_order(const LoggedEvent& read) {
  const std::int64_t now_ns = read.event.time_ns;
  auto known = last_of_.find(read.line.process.text());
  if (known == last_of_.end()) known = last_of_.emplace(std::string(read.line.process.text()), now_ns).first;
  std::int64_t& last = known->second;
  if (now_ns < last) {
    throw BadInput("time: goes backwards for process " + std::string(read.line.process.text().substr(0, 64)) +
                   ", from " + std::to_string(last) + " to " + std::to_string(now_ns) +
                   " ns, as if its clock had been set; remedy: record the times of a monotonic clock");
  }
  last = now_ns;
  if (any_ && now_ns < last_ns_) {
    throw BadInput("time: goes backwards over more than " + std::to_string(kReordered) +
                   " lines; remedy: sort the log by time first");
  }
}

void LogLane::advance() {
  if (spans_) {
    spans_->advance();
  } else {
    unused_.push_back(std::move(ahead_.front()));
    ahead_.pop_front();
  }
  read_ahead();
  note_front();
}

void add_warning_of_spans(const LogLane& lane, std::vector<std::string>& warnings) {
  if (lane.spans() == nullptr) return;
  const std::string why_none = lane.spans()->why_none();
  const std::string why = why_none.empty() ? lane.spans()->warning() : why_none;
  if (!why.empty()) warnings.push_back(lane.path() + ": " + why);
}

void LogLane::note_front() {
  if (front() == nullptr) return;
  const std::int64_t now_ns = front()->event.time_ns;
  if (!std::exchange(shown_, true)) first_ns_ = last_ns_ = now_ns;
  longest_silence_ns_ = std::max(longest_silence_ns_, now_ns - last_ns_);
  last_ns_ = now_ns;
}

}  // namespace holdfast
