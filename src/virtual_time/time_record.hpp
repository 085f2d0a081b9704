// What the timekeeper of a trial leaves in its folder, time.json: how much time was skipped, and what makes it
// doubtful.
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
  double keeper_seconds = 0;  // of a processor, that the timekeeper itself took
  std::uint64_t skips = 0;
  std::uint64_t wakes = 0;
  std::int64_t early_ends = 0;           // waits that the kernel ended before the clock had come to their end
  double most_early_ms = 0;              // by how much, at most
  double most_late_ms = 0;               // a wait that ended while others ran, at most
  double worked_seconds = 0;             // of these the clock moved while programs worked
  double host_seconds = 0;               // of these the clock moved with the host's, since bytes stayed under way
  std::vector<std::string> doubts = {};  // for people

  static const JsonForm<TimeRecord>& form();
};

TimeRecord read_time_record(const InputFile& file);

// Of programs that ran for so long; by both clocks.
TimeRecord time_record(const Timekeeper& keeper, std::int64_t virtual_ns, std::int64_t real_ns);

}  // namespace holdfast
