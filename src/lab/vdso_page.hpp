// The vDSO of one process: whether it has our clock, how it gets it, and the offset in it. vdso_clock.hpp says what
// for.
#pragma once

#include <sys/types.h>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lab/process_memory.hpp"
#include "lab/vdso_code.hpp"
#include "lab/vdso_image.hpp"

namespace holdfast {

class VdsoPage {
 public:
  // Nothing: the process has ended. Throws Unavailable.
  static std::optional<VdsoPage> of(pid_t pid);

  bool has_clock() const { return has_clock_; }
  VdsoOffset offset() const;  // of one that has the clock
  // Whether a thread that goes on at this address would meet a half of the jump.
  bool is_in_the_way(std::uint64_t address) const;

  // The process must stand still, no thread in the way. Reads all of it back: throws HarnessError. False: it has ended.
  bool equip(const VdsoOffset& offset);
  bool set_offset(const VdsoOffset& offset);  // of one that has the clock; at any time. False: it has ended
  // Writes one byte of the room as it is: whether the kernel lets us. False: it has ended. Throws Unavailable.
  bool try_write() const;

 private:
  VdsoPage(pid_t pid, std::unique_ptr<ProcessMemory> memory, MemoryRange range, std::string bytes);
  bool write(std::size_t offset, std::string_view bytes) const;
  bool load();
  VdsoTable table() const;
  std::string jump_of(const VdsoEntry& entry) const;

  pid_t pid_;
  std::unique_ptr<ProcessMemory> memory_;
  MemoryRange range_;
  std::string bytes_;  // as last read
  VdsoImage image_;
  bool has_clock_ = false;
};

}  // namespace holdfast
