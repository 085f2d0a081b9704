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
// A log that still grows may be empty; `refresh` reads what was added to it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "history/history_line.hpp"
#include "history/json_array.hpp"
#include "history/line_reader.hpp"
#include "history/numbered_clients.hpp"

namespace holdfast {

inline constexpr std::size_t kReordered = kReadAhead;

struct LoggedEvent {
  Event event;
  HistoryLine line;
  std::uint64_t position = 0;  // line on which it begins
};

class LogLane {
 public:
  explicit LogLane(const InputFile& file, Growth growth = Growth::complete);

  LoggedEvent* front() { return ahead_.empty() ? nullptr : &ahead_.begin()->second; }
  void advance();
  void refresh();

  const std::string& path() const { return path_; }
  TimeForm form() const { return times_.form(); }
  // Returns true if a client's line, among those read, gives the client a number.
  bool numbers_clients() const { return numbers_clients_; }
  // Times of the events shown by front() so far; at the end, of all.
  std::int64_t first_ns() const { return first_ns_; }
  std::int64_t last_ns() const { return last_ns_; }
  std::int64_t longest_silence_ns() const { return longest_silence_ns_; }

 private:
  bool next_text(std::string_view& text);
  std::uint64_t position() const { return array_ ? array_->line() : lines_->number(); }
  void read_ahead();
  bool read_one();
  void check_order(const LoggedEvent& read);
  void note_front();
  [[noreturn]] void refuse(const std::string& why) const;

  std::string path_;
  bool grows_;
  std::unique_ptr<JsonArray> array_;  // used instead of lines for an array
  std::unique_ptr<LineReader> lines_;
  TimeForms times_;
  std::multimap<std::int64_t, LoggedEvent> ahead_;         // by time; equal times in file order
  std::unordered_map<std::string, std::int64_t> last_of_;  // by process: its latest time
  bool over_ = false;
  bool any_ = false;  // at least one was read
  bool numbers_clients_ = false;
  bool shown_ = false;  // shown by front()
  std::int64_t first_ns_ = 0;
  std::int64_t last_ns_ = 0;
  std::int64_t longest_silence_ns_ = 0;
};

}  // namespace holdfast
