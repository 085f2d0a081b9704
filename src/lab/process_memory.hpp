// The memory of another process, through /proc/PID/mem: no ptrace, and pages that the process itself may not write can
// be written. The process must be of the same user, and must not have changed its user.
//
//   ProcessMemory memory(pid);
//   if (const auto vdso = memory.range("[vdso]")) memory.write(vdso->begin, "...");
//
// It is the memory that the process had when this was made: after an execve it is gone, and nothing reaches the new
// one.
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
  explicit ProcessMemory(pid_t pid);  // throws Unavailable, with the remedy, where the kernel does not permit it
  ~ProcessMemory();
  ProcessMemory(const ProcessMemory&) = delete;
  ProcessMemory& operator=(const ProcessMemory&) = delete;

  // By its name in /proc/PID/maps; nothing: there is none, or the process has ended.
  std::optional<MemoryRange> range(std::string_view name) const;
  // Nothing, or false: the process has ended or executes another program.
  std::optional<std::string> read(std::uint64_t address, std::size_t bytes) const;
  bool write(std::uint64_t address, std::string_view bytes) const;  // throws Unavailable where the kernel refuses

 private:
  pid_t pid_;
  int file_;  // -1: the process has ended
};

// Why /proc/PID/NAME of a process may not be opened, for people, with the remedy.
std::string no_access(pid_t pid, const std::string& file, int error);

}  // namespace holdfast
