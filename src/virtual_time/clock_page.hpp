// The data page of a lab's clock (lab_clock.hpp), shared by the timekeeper and every program of the lab. The code that
// reads the clock uses the offsets of the first two fields (clock_code.cpp).
#pragma once

#include <atomic>
#include <cstdint>

namespace holdfast {

struct ClockPageData {
  std::atomic<std::int64_t> now_ns;
  std::int64_t wall_ahead_ns;
  std::atomic<std::uint32_t> quiet_asked;         // number of requests to be woken when all is quiet (quiet_wait.hpp)
  std::atomic<std::uint32_t> quiet_answered;      // equals quiet_asked after waking; a futex
  std::atomic<std::int64_t> next_ns;              // the earliest deadline at that time
  std::atomic<std::int64_t> host_ns;              // the host's clock at that time
  std::atomic<std::uint32_t> work_takes_no_time;  // 1: processor time does not move the clock
};

}  // namespace holdfast
