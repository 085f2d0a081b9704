// What has to be known of a vDSO to change it: where its clock functions begin, and where it has room. Read from the
// ELF image as it lies in a process's memory; nothing is run, and every number in it is doubted.
//
//   const VdsoImage image = read_vdso_image(bytes, vdso_code().bytes.size());
//
// Room is what lies behind all that the ELF file names, up to the end of its last page: the kernel maps it, and nobody
// reads it. So of the functions only their first five bytes have to be changed, into a jump, and a thread that stands
// further on in one goes on undisturbed.
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
  std::size_t jump;  // where the jump is to be: at its beginning, or behind an endbr64 there
  // No thread may stand in [from, to) while the jump is written: inside its five bytes, or in all of the function
  // where something in it may jump back to them.
  std::size_t from;
  std::size_t to;
  std::size_t end = 0;  // of the function
};

struct VdsoImage {
  std::vector<VdsoEntry>
      entries;           // of clock_gettime, gettimeofday and time, those that it has; the first it always has
  std::size_t room = 0;  // a multiple of 64
};

// Throws Unavailable: no such image of x86-64, or no room.
VdsoImage read_vdso_image(std::string_view bytes, std::size_t room_bytes);

// The vDSO of one process: whether it has our clock, how it gets it, and the offset in it. vdso_clock.hpp says what
// for.
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
