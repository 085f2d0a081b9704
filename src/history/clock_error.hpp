// A history whose processes had different clocks, reduced to what is certain if two clocks differ by at most D.
//
//   ClockError source(logs, 5'000'000);       // D in nanoseconds
//   while (source.next(event)) ...            // also of logs that are followed
//
// Answers are moved D later than calls, so an operation spans the time in which it happened by any of the clocks, and
// an overlap of two holds counts only if it is longer than D. The clock of one process orders its own events, so these
// keep their order:
//
// - Of a hold shorter than D nothing is certain: its acquire becomes a `fail` for another reason, and its release is
//   left out. So does a hold that is still within D of its grant when its holder releases another key.
// - An acquire within D of an answer of its process is called with that answer.
// - Refusals, renewals, writes and holds of an unknown grant are left out: acquires that were not certainly granted
//   become a `fail` for another reason, which no rule judges; a release of unknown outcome counts as done.
//
// A lock that excludes correctly is never accused: leaving out whole holds leaves it correct, since no refusal is
// judged; a call that is bumped to an answer of its own process keeps the order of all effects on its key.
//
// Memory: the events of the last D, and the processes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "history/history_source.hpp"

namespace holdfast {

class ClockError : public HistorySource {
 public:
  ClockError(HistorySource& source, std::int64_t most_ns);

  const HistoryHeader& header() const override { return source_.header(); }
  const Names& names() const override { return source_.names(); }
  const std::string& path() const override { return source_.path(); }
  std::uint64_t position() const override { return position_; }
  std::string place_at(std::uint64_t position) const override { return source_.place_at(position); }
  bool next(Event& event) override;
  bool may_tie() const override;
  void while_waiting(const Waiting& ends) override { while_waiting_ = ends; }
  std::vector<std::string> warnings(bool whole) const override;

 private:
  struct Placed {
    Event event;
    std::uint64_t position = 0;
  };
  struct Process {
    std::int64_t last_ns = 0;           // of its last event in the queue
    std::int64_t delayed_ns = 0;        // by which the call of its operation was moved
    bool left_out = false;              // its open operation is
    std::map<std::uint32_t, int> held;  // by key: grants that were not released
  };
  bool is_known(std::int64_t time_ns) const { return over_ || time_ns < known_ns_; }
  bool pass_time(std::int64_t until_ns);
  void take(Event& event);
  void called(Event& event, Process& process);
  void answered(Event& event, Process& process);
  static void shorten_lease(Event& event, std::int64_t by_ns);
  static bool forget_grant(Process& process, std::uint32_t key);
  bool let_go(const Event& event, Process& process);
  void put(Event& event, Process& process, std::int64_t time_ns);
  Process& process_of(const Event& event);

  HistorySource& source_;
  std::int64_t most_ns_;
  Waiting while_waiting_;
  std::multimap<std::int64_t, Placed> queue_;  // by the time given to them; equal times as they were put
  std::vector<Process> processes_;
  std::int64_t known_ns_ = 0;  // all earlier events have been read
  std::int64_t last_ns_ = 0;
  std::uint64_t position_ = 0;
  std::uint64_t events_ = 0;
  std::int64_t left_out_ = 0;  // operations
  std::int64_t short_ = 0;     // holds
  bool over_ = false;
  bool waits_ = false;  // the source returned for a wait
  bool ends_ = false;   // ... which ends this one, too
};

}  // namespace holdfast
