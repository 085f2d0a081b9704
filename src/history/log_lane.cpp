#include "history/log_lane.hpp"

#include <algorithm>
#include <utility>

#include "artifact/error.hpp"
#include "history/plain_line.hpp"

namespace holdfast {

LogLane::LogLane(const InputFile& file, Growth growth) : path_(file.path()), grows_(growth == Growth::growing) {
  if (!grows_ && is_json_array(file.start(kTellsForm))) {
    array_ = std::make_unique<JsonArray>(file);
  } else {
    lines_ = std::make_unique<LineReader>(file, growth);
  }
  read_ahead();
  if (ahead_.empty() && !grows_) throw BadInput(path_ + ": is empty: a history has one event per line");
  note_front();
}

void LogLane::refuse(const std::string& why) const {
  throw BadInput(path_ + ":" + std::to_string(position()) + ": " + why);
}

bool LogLane::next_text(std::string_view& text) {
  return array_ ? array_->next(text) : lines_->next(text);
}

void LogLane::read_ahead() {
  while (!over_ && ahead_.size() < kReordered) over_ = !read_one();
}

void LogLane::refresh() {
  if (grows_) over_ = false;
  read_ahead();
  note_front();
}

bool LogLane::read_one() {
  std::string_view text;
  if (!next_text(text)) return false;
  LoggedEvent read;
  try {
    if (!any_ && text.find("\"holdfast_history\"") != std::string_view::npos) {
      throw BadInput("is the complete history of a run; remedy: holdfast check " + path_);
    }
    const bool padded = lines_ != nullptr;  // as the fast scanner requires
    const bool plain = padded && scan_plain_line(text, read.event, read.line);
    if (!plain) parse_history_line(text, read.event, read.line);
    read.line.process.keep();
    read.line.key.keep();
    if (!read.line.has_time) throw BadInput("time: is missing; logs are merged by time");
    times_.admit(read.line.time_form, read.event.time_ns);
    read.position = position();
    check_order(read);
  } catch (const BadInput& e) {
    refuse(e.what());
  }
  any_ = true;
  numbers_clients_ = numbers_clients_ || (read.event.actor == Actor::client && read.line.has_client);
  ahead_.emplace(read.event.time_ns, std::move(read));
  return true;
}

void LogLane::check_order(const LoggedEvent& read) {
  const std::int64_t now_ns = read.event.time_ns;
  auto& last = last_of_.try_emplace(std::string(read.line.process.text()), now_ns).first->second;
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
  ahead_.erase(ahead_.begin());
  read_ahead();
  note_front();
}

void LogLane::note_front() {
  if (ahead_.empty()) return;
  const std::int64_t now_ns = ahead_.begin()->first;
  if (!std::exchange(shown_, true)) first_ns_ = last_ns_ = now_ns;
  longest_silence_ns_ = std::max(longest_silence_ns_, now_ns - last_ns_);
  last_ns_ = now_ns;
}

}  // namespace holdfast
