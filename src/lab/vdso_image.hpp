// Analyses a vDSO so that it can be changed: the beginnings of its clock functions, and its free space. Parses the ELF
// image from a process's memory; nothing is executed, and every number is validated.
//
//   const VdsoImage image = read_vdso_image(bytes, vdso_code().bytes.size());
//
// The free space is after everything that the ELF file names, up to the end of its last page: the kernel maps it, and
// no code uses it. So only the first five bytes of each function change, into a jump, and a thread further on in a
// function continues undisturbed.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/process_memory.hpp"
#include "lab/vdso_code.hpp"

namespace holdfast {

inline constexpr std::size_t kJump_bytes = 5;

// Offsets in the image.
struct VdsoEntry {
  std::string name;  // "clock_gettime"
  std::size_t jump;  // position of the jump: at the beginning, or after an endbr64 there
  // No thread may be in [from, to) while the jump is written: its five bytes, or the whole function if something in it
  // may jump back to them.
  std::size_t from;
  std::size_t to;
  std::size_t end = 0;  // of the function
};

struct VdsoImage {
  std::vector<VdsoEntry>
      entries;           // the present ones among clock_gettime, gettimeofday and time; the first is always present
  std::size_t room = 0;  // a multiple of 64
};

// Throws Unavailable if it is not such an x86-64 image, or has no space.
VdsoImage read_vdso_image(std::string_view bytes, std::size_t room_bytes);

// The vDSO of one process: detects and installs the replaced clock, and reads and sets its offset, for vdso_clock.hpp.
class VdsoPage {
 public:
  // Empty: the process has ended. Throws Unavailable.
  static std::optional<VdsoPage> of(pid_t pid);

  bool has_clock() const { return has_clock_; }
  VdsoOffset offset() const;  // only with the clock installed
  // Returns true if a thread continuing at this address would execute a part of the jump.
  bool is_in_the_way(std::uint64_t address) const;

  // The process must be stopped with no thread in the way. Reads everything back; throws HarnessError. Returns false if
  // it has ended.
  bool equip(const VdsoOffset& offset);
  // only with the clock installed; at any time. Returns false if the process has ended
  bool set_offset(const VdsoOffset& offset);
  // Tests write permission by rewriting one byte of the free space. Returns false if the process has ended. Throws
  // Unavailable.
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
