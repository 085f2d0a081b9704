// One log of a history that lies in several: its events by time, with the names that its lines give, not yet ids.
//
//   LogLane lane("worker-3.jsonl");
//   while (lane.front() != nullptr) { use(*lane.front()); lane.advance(); }
//
// JSON lines or a JSON array (docs/history.md). The threads of a program take a time first and write their line later,
// so lines of different processes may stand in another order than their times: kReordered of them are read ahead and
// put in order. A process's own times never go backwards; where they do, somebody set its clock. Throws
// BadInput("FILE:LINE: ..."), also for a file without events, for an event without a time, and for a run's history.
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
  std::uint64_t position = 0;  // the line on which it begins
};

class LogLane {
 public:
  explicit LogLane(const InputFile& file);

  LoggedEvent* front() { return ahead_.empty() ? nullptr : &ahead_.begin()->second; }
  void advance();

  const std::string& path() const { return path_; }
  TimeForm form() const { return times_.form(); }
  // Whether a line of a client says a number of its own for it, as far as was read.
  bool numbers_clients() const { return numbers_clients_; }
  // Of what front() has shown so far; of all at the end.
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
  std::unique_ptr<JsonArray> array_;  // or else
  std::unique_ptr<LineReader> lines_;
  TimeForms times_;
  std::multimap<std::int64_t, LoggedEvent> ahead_;         // by time; equal ones in the order of the file
  std::unordered_map<std::string, std::int64_t> last_of_;  // by process: its latest time
  bool over_ = false;
  bool any_ = false;  // was read
  bool numbers_clients_ = false;
  bool shown_ = false;  // by front()
  std::int64_t first_ns_ = 0;
  std::int64_t last_ns_ = 0;
  std::int64_t longest_silence_ns_ = 0;
};

}  // namespace holdfast
