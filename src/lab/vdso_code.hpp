// The code written into another process's vDSO (vdso_clock.hpp): clock_gettime, gettimeofday and time, which make a
// system call and add an offset to the wall clock. It is position independent and contiguous with its table:
//
//   bytes 0 to 63    VdsoTable: a mark for recognition, and the offset
//   from 64 on       the code
//
// The offset changes while threads read it, and reads are never torn. There are two slots, and a counter whose lowest
// bit selects the active one. The writer fills the other slot, then changes the counter, one byte. A reader reads the
// counter, the slot, and the counter again, and retries if it has changed. If the writer dies in between, the old
// offset stays active. One writer at a time.
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
  std::string_view bytes;         // to be placed at a multiple of 64; empty: this machine is not x86-64
  std::size_t clock_gettime = 0;  // offset of each function
  std::size_t gettimeofday = 0;
  std::size_t time = 0;
};

VdsoCode vdso_code();

VdsoOffset vdso_offset(std::int64_t ns);
std::int64_t ns_of(const VdsoOffset& offset);

}  // namespace holdfast
