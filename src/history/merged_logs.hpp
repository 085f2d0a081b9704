// Merges several logs by time into one history: each was written by one process or machine.
//
//   MergedLogs in({"worker-1.jsonl", "worker-2.jsonl"});     // a HistorySource; --merge of holdfast check
//   while (in.next(event)) ...
//   for (const std::string& warning : in.warnings(true)) ...     // a log that ends early, clocks that differ
//
// Equals one file with all their lines sorted by time, so names mean the same in all logs: a key is one lock, a process
// one process. A process may continue in another log only after its previous one has ended (a rotated log); otherwise
// two programs have the same name, which is refused. Spans name their holders, and may be in any log. Events are
// renumbered. Memory: kReordered lines per log, and the names.
//
// It cannot verify that the logs' clocks agree. Throws BadInput as the lanes do (log_lane.hpp), and for logs whose
// times have different forms.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "history/event_rules.hpp"
#include "history/log_lane.hpp"

namespace holdfast {

struct MergeOptions {
  OtlpMapping mapping{};
  bool clocks_are_bounded = false;  // the difference between the logs' clocks is known
};

class MergedLogs : public HistorySource {
 public:
  explicit MergedLogs(const std::vector<std::string>& paths, const MergeOptions& options = {});

  const HistoryHeader& header() const override { return header_; }
  const Names& names() const override { return rules_.names(); }
  const std::string& path() const override { return path_; }
  std::uint64_t position() const override { return position_; }
  std::string place_at(std::uint64_t position) const override;
  bool next(Event& event) override;
  std::vector<std::string> warnings(bool whole) const override;

 private:
  void check_forms() const;
  void check_process(std::size_t lane, const LoggedEvent& logged);
  std::string early_end(std::size_t lane, std::int64_t first_ns, std::int64_t last_ns) const;
  std::string apart(std::size_t lane) const;

  std::string path_;
  bool clocks_are_bounded_;
  HistoryHeader header_;
  EventRules rules_;
  std::vector<std::unique_ptr<LogLane>> lanes_;
  std::set<std::pair<std::int64_t, std::size_t>> fronts_;  // front events: time and lane
  std::vector<std::size_t> lane_of_;                       // by process: lane of its last event, + 1
  std::vector<bool> continued_;                            // by lane: a process of it continued in another
  std::uint64_t position_ = 0;                             // lane and line of the last event
};

}  // namespace holdfast
