#include "lab/process_files.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "artifact/error.hpp"

namespace holdfast {

int open_input(const Spawn& spawn) {
  if (spawn.keep_input) return -1;
  if (spawn.input.empty()) return ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int fd = ::memfd_create("input", MFD_CLOEXEC);
  if (fd >= 0 && ::write(fd, spawn.input.data(), spawn.input.size()) == static_cast<ssize_t>(spawn.input.size()) &&
      ::lseek(fd, 0, SEEK_SET) == 0) {
    return fd;
  }
  const std::string why = system_text(errno);
  if (fd >= 0) ::close(fd);
  throw HarnessError("what " + spawn.argv.front() + " is to read cannot be given to it: " + why);
}

// What the process says must not go where nobody looks for it, or into our own output.
int open_log(const Spawn& spawn, int input) {
  if (spawn.log.empty()) return -1;
  const int fd = ::open(spawn.log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd >= 0) return fd;
  const std::string why = system_text(errno);
  if (input >= 0) ::close(input);
  throw HarnessError(spawn.log + ": " + why);
}

// A kernel before 5.11, or a filter of system calls, has no such call: then one by one, as /proc lists them. Each entry
// of the kernel's has its length, and its name after 19 bytes (getdents64(2)).
bool close_others_at_exec(unsigned first) {
  if (::syscall(SYS_close_range, first, ~0U, CLOSE_RANGE_CLOEXEC) == 0) return true;
  constexpr std::size_t kLengthAt = 16;
  constexpr std::size_t kNameAt = 19;
  const int list = ::open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (list < 0) return false;
  alignas(8) char entries[4096];
  long size = 0;
  while ((size = ::syscall(SYS_getdents64, list, entries, sizeof entries)) > 0) {
    std::uint16_t length = 0;
    for (const char* at = entries; at < entries + size; at += length) {
      std::memcpy(&length, at + kLengthAt, sizeof length);
      unsigned number = 0;
      for (const char* c = at + kNameAt; *c >= '0' && *c <= '9'; ++c) number = number * 10 + (*c - '0');
      if (number >= first) ::fcntl(static_cast<int>(number), F_SETFD, FD_CLOEXEC);
    }
  }
  ::close(list);
  return size == 0;
}

}  // namespace holdfast
