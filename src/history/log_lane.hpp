// One of several logs of a history: its events by time, with names from its lines instead of ids.
//
//   LogLane lane("worker-3.jsonl");
//   while (lane.front() != nullptr) { use(*lane.front()); lane.advance(); }
//
// JSON lines or a JSON array (docs/history.md). Threads of a program read the time before they write their line, so
// lines of different processes may be out of order by time: kReordered lines are read ahead and sorted. The times of
// one process never go backwards unless its clock was set. Throws BadInput("FILE:LINE: ..."), also for a file without
// events, for an event without a time, and for a run's history.
//
// Or spans of OpenTelemetry, one request of OTLP/JSON per line (otlp_spans.hpp), of which more are read ahead.
//
// A log that still grows may be empty; `refresh` reads what was added to it.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "history/json_array.hpp"
#include "history/line_reader.hpp"
#include "history/logged_event.hpp"
#include "history/numbered_clients.hpp"
#include "history/otlp_spans.hpp"

namespace holdfast {

inline constexpr std::size_t kReordered = kReadAhead;

class LogLane {
 public:
  explicit LogLane(const InputFile& file, Growth growth = Growth::complete, OtlpMapping mapping = {});

  LoggedEvent* front() {
    if (spans_) return spans_->front();
    return ahead_.empty() ? nullptr : ahead_.front().get();
  }
  void advance();
  void refresh();

  const std::string& path() const { return path_; }
  TimeForm form() const { return times_.form(); }
  const OtlpSpans* spans() const { return spans_.get(); }  // null: none were read
  // Returns true if a client's line, among those read, gives the client a number.
  bool numbers_clients() const { return numbers_clients_; }
  // Times of the events shown by front() so far; at the end, of all.
  std::int64_t first_ns() const { return first_ns_; }
  std::int64_t last_ns() const { return last_ns_; }
  std::int64_t longest_silence_ns() const { return longest_silence_ns_; }

 private:
  // Hashes texts for look-ups without a copy.
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  bool next_text(std::string_view& text);
  std::uint64_t position() const { return array_ ? array_->line() : lines_->number(); }
  void read_ahead();
  bool has_room() const { return spans_ ? spans_->has_room() : ahead_.size() < kReordered; }
  bool read_one();
  void read_event(std::string_view text);
  void put(std::unique_ptr<LoggedEvent> read);
  void read_spans(std::string_view text);
  void check_order(const LoggedEvent& read);
  void note_front();
  [[noreturn]] void refuse(const std::string& why) const;

  std::string path_;
  bool grows_;
  std::unique_ptr<JsonArray> array_;  // used instead of lines for an array
  std::unique_ptr<LineReader> lines_;
  OtlpMapping mapping_;
  std::unique_ptr<OtlpSpans> spans_;  // instead of `ahead_`
  TimeForms times_;
  std::deque<std::unique_ptr<LoggedEvent>> ahead_;    // by time; equal times in file order
  std::vector<std::unique_ptr<LoggedEvent>> unused_;  // to be read into again
  std::unordered_map<std::string, std::int64_t, TextHash, std::equal_to<>> last_of_;  // by process: its latest time
  bool over_ = false;
  bool any_ = false;  // at least one was read
  bool numbers_clients_ = false;
  bool shown_ = false;  // shown by front()
  std::int64_t first_ns_ = 0;
  std::int64_t last_ns_ = 0;
  std::int64_t longest_silence_ns_ = 0;
};

// Adds a reason to doubt the lane's spans, if there is one.
void add_warning_of_spans(const LogLane& lane, std::vector<std::string>& warnings);

}  // namespace holdfast
