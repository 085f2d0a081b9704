// What a process is doing, as far as faults care.
#pragma once

#include <cstdint>

namespace holdfast {

enum class ProcessState : std::uint8_t { running, stopped, gone };

// `kernel`: as in /proc/PID/stat, or 'X' for a process that is not there. A zombie does nothing any more.
constexpr ProcessState process_state(char kernel) {
  if (kernel == 'X' || kernel == 'Z') return ProcessState::gone;
  return kernel == 'T' ? ProcessState::stopped : ProcessState::running;
}

}  // namespace holdfast
