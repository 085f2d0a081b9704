// Lists a folder without allocating memory: for a process between fork and exec, and for one without memory left.
//
//   for_each_entry(folder_fd, [](const char* name) { ... });   // false: the folder cannot be read completely
//
// `.` and `..` are left out. It continues from the descriptor's position.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace holdfast {

template <typename Use>
bool for_each_entry(int folder, const Use& use) noexcept {
  // Offsets of an entry's length and name (getdents64(2)).
  constexpr std::size_t kLengthAt = 16;
  constexpr std::size_t kNameAt = 19;
  alignas(8) char entries[2048];
  long size = 0;
  while ((size = ::syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0) {
    std::uint16_t length = 0;
    for (const char* at = entries; at < entries + size; at += length) {
      std::memcpy(&length, at + kLengthAt, sizeof length);
      const char* const name = at + kNameAt;
      if (std::strcmp(name, ".") != 0 && std::strcmp(name, "..") != 0) use(name);
    }
  }
  return size == 0;
}

}  // namespace holdfast
