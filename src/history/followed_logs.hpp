// Follows logs that programs on this machine are still writing, as one history: a HistorySource whose `next` waits.
//
//   FollowedLogs in({"/tmp/locks"}, {.delay_ns = 2 * kSecond_ns}, stop);    // files, and folders of *.jsonl
//   while (in.next(event)) ...                                             // false once `stop` is true and all is read
//
// An event is returned `delay_ns` after its time, in order of time: by then all programs must have written what they
// did at that time. A line that comes later is refused. Folders may get further logs, as when a program is started
// again; each log keeps its own process names. Times are those of CLOCK_MONOTONIC or of the time of day, as their size
// tells.
//
// Memory: kReordered lines per log, and the names. Throws BadInput as the lanes do (log_lane.hpp).
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "history/event_rules.hpp"
#include "history/log_lane.hpp"

namespace holdfast {

struct FollowSettings {
  std::int64_t delay_ns = 0;
  std::int64_t span_delay_ns = 0;    // the same if a log has spans: they are written after their end, in batches
  std::int64_t nap_ns = 50'000'000;  // between two looks at logs without news
  OtlpMapping mapping{};
};

class FollowedLogs : public HistorySource {
 public:
  FollowedLogs(std::vector<std::string> paths, const FollowSettings& settings, const std::atomic<bool>& stop);

  const HistoryHeader& header() const override { return header_; }
  const Names& names() const override { return rules_.names(); }
  const std::string& path() const override { return path_; }
  std::uint64_t position() const override { return position_; }
  std::string place_at(std::uint64_t position) const override;
  bool next(Event& event) override;
  bool may_tie() const override;
  std::vector<std::string> warnings(bool whole) const override;
  void while_waiting(const Waiting& ends) override { while_waiting_ = ends; }

  std::size_t logs() const { return lanes_.size(); }

 private:
  void look_for_logs();
  void open(const std::string& path);
  void refresh();
  void check_clock(LogLane& lane);
  LogLane* earliest();
  void deliver(LogLane& lane, Event& event);

  std::vector<std::string> paths_;
  FollowSettings settings_;
  const std::atomic<bool>& stop_;
  Waiting while_waiting_;
  std::string path_;
  HistoryHeader header_;
  EventRules rules_;
  std::vector<std::unique_ptr<LogLane>> lanes_;
  std::int64_t known_until_ns_ = 0;  // all events up to this time have been read
  bool knows_clock_ = false;
  bool is_of_day_ = false;
  bool ending_ = false;
  bool any_ = false;
  std::int64_t last_ns_ = 0;
  std::uint64_t position_ = 0;  // lane and line of the last event
};

}  // namespace holdfast
