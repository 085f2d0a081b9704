// The memory of another process, through /proc/PID/mem: without ptrace, and including pages that are read-only for the
// process itself. The process must have the same user and must never have changed it.
//
//   ProcessMemory memory(pid);
//   if (const auto vdso = memory.range("[vdso]")) memory.write(vdso->begin, "...");
//
// It refers to the memory at the time of construction: after an execve that memory is gone, and the new one is not
// accessible.
#pragma once

#include <sys/types.h>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast {

struct MemoryRange {
  std::uint64_t begin = 0;
  std::size_t size = 0;
};

class ProcessMemory {
 public:
  explicit ProcessMemory(pid_t pid);  // throws Unavailable with the remedy if the kernel does not permit it
  ~ProcessMemory();
  ProcessMemory(const ProcessMemory&) = delete;
  ProcessMemory& operator=(const ProcessMemory&) = delete;

  // Finds a range by its name in /proc/PID/maps; empty: not found, or the process has ended.
  std::optional<MemoryRange> range(std::string_view name) const;
  // Returns empty, or false, if the process has ended or executes another program.
  std::optional<std::string> read(std::uint64_t address, std::size_t bytes) const;
  bool write(std::uint64_t address, std::string_view bytes) const;  // throws Unavailable if the kernel refuses

 private:
  pid_t pid_;
  int file_;  // -1: the process has ended
};

// Reason, with the remedy, why /proc/PID/NAME of a process cannot be opened.
std::string no_access(pid_t pid, const std::string& file, int error);

}  // namespace holdfast
