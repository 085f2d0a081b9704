// The code that is written into another process's vDSO (vdso_clock.hpp): clock_gettime, gettimeofday and time, which
// ask the kernel by a system call and add an offset to the wall clock. It is position independent, and in one piece
// with its table:
//
//   bytes 0 to 63    VdsoTable: the mark by which it is known again, and the offset
//   from 64 on       the code
//
// The offset moves while threads read it, and none of them sees half of one. There are two slots, and a count whose
// lowest bit says which is in force. The writer fills the other slot, then changes the count, one byte. A reader reads
// the count, the slot, and the count again, and starts anew if it has changed. A writer that dies in between leaves the
// old offset in force. One writer at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace holdfast {

struct VdsoOffset {
  std::int64_t seconds = 0;
  std::int64_t nanoseconds = 0;  // 0 to 999 999 999
};

struct VdsoTable {
  char mark[16];
  std::uint8_t count;
  std::uint8_t unused[15];
  VdsoOffset slots[2];
};
static_assert(sizeof(VdsoTable) == 64);

struct VdsoCode {
  std::string_view bytes;         // to be put at a multiple of 64; empty: none for this machine, which is no x86-64
  std::size_t clock_gettime = 0;  // where each begins
  std::size_t gettimeofday = 0;
  std::size_t time = 0;
};

VdsoCode vdso_code();

VdsoOffset vdso_offset(std::int64_t ns);
std::int64_t ns_of(const VdsoOffset& offset);

}  // namespace holdfast
