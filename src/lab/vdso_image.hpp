// What has to be known of a vDSO to change it: where its clock functions begin, and where it has room. Read from the
// ELF image as it lies in a process's memory; nothing is run, and every number in it is doubted.
//
//   const VdsoImage image = read_vdso_image(bytes, vdso_code().bytes.size());
//
// Room is what lies behind all that the ELF file names, up to the end of its last page: the kernel maps it, and nobody
// reads it. So of the functions only their first five bytes have to be changed, into a jump, and a thread that stands
// further on in one goes on undisturbed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

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
};

struct VdsoImage {
  std::vector<VdsoEntry>
      entries;           // of clock_gettime, gettimeofday and time, those that it has; the first it always has
  std::size_t room = 0;  // a multiple of 64
};

// Throws Unavailable: no such image of x86-64, or no room.
VdsoImage read_vdso_image(std::string_view bytes, std::size_t room_bytes);

}  // namespace holdfast
