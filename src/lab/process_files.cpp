#include "lab/process_files.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cerrno>
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

}  // namespace holdfast
