// The timekeeper's record in a trial's folder, time.json: how much time was skipped, and reasons for doubt.
//
//   const TimeRecord record = read_time_record(InputFile::in(folder, kTimeRecordFile));   // BadInput
//   if (!record.doubts.empty()) ...   // the trial proves nothing: its programs may have seen a wrong clock
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "artifact/input_file.hpp"
#include "artifact/json_fields.hpp"
#include "virtual_time/timekeeper.hpp"

namespace holdfast {

inline constexpr const char* kTimeRecordFile = "time.json";

struct TimeRecord {
  double virtual_seconds = 0;
  double real_seconds = 0;
  double keeper_seconds = 0;  // processor time of the timekeeper itself
  std::uint64_t skips = 0;
  std::uint64_t wakes = 0;
  std::int64_t early_ends = 0;  // waits that the kernel ended before the lab's clock reached their end
  double most_early_ms = 0;     // largest such difference
  double most_late_ms = 0;      // largest delay of a wait that ended while other threads ran
  double worked_seconds = 0;    // part in which the clock advanced by programs' work
  double host_seconds = 0;      // part in which the clock advanced with the host's, because bytes stayed in flight
  std::vector<std::string> doubts = {};  // readable texts

  static const JsonForm<TimeRecord>& form();
};

TimeRecord read_time_record(const InputFile& file);

// The record for programs that ran for these times, on both clocks.
TimeRecord time_record(const Timekeeper& keeper, std::int64_t virtual_ns, std::int64_t real_ns);

}  // namespace holdfast
