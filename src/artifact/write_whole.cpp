#include "artifact/write_whole.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

constexpr int kMostNames = 1000;  // of writers that were killed

class Beside {
 public:
  Beside(int folder, const std::string& name, const std::string& shown) : folder_(folder), shown_(shown) {
    for (int i = 1; fd_ < 0 && i <= kMostNames; ++i) {
      name_ = name + (i == 1 ? "" : "." + std::to_string(i)) + ".part";
      fd_ = ::openat(folder, name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
      if (fd_ < 0 && errno != EEXIST) break;
    }
    if (fd_ < 0) throw HarnessError(shown_ + ": cannot be created: " + system_text(errno));
  }
  ~Beside() {
    if (fd_ >= 0) ::close(fd_);
    if (!placed_) ::unlinkat(folder_, name_.c_str(), 0);
  }
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;

  void write(const std::string& text) const {
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t n = ::write(fd_, text.data() + done, text.size() - done);
      if (n < 0 && errno != EINTR) fail("cannot be written");
      if (n > 0) done += static_cast<std::size_t>(n);
    }
  }

  void sync() const {
    if (!brought_to_disk(fd_)) fail("cannot be brought to the disk");
  }

  void place(const std::string& name) {
    const int fd = fd_;
    fd_ = -1;
    if (::close(fd) != 0) fail("cannot be written");
    if (::renameat(folder_, name_.c_str(), folder_, name.c_str()) != 0) fail("cannot be put in place");
    placed_ = true;
  }

 private:
  [[noreturn]] void fail(const char* doing) const {
    throw HarnessError(shown_ + ": " + doing + ": " + system_text(errno));
  }

  int folder_;
  std::string shown_;
  std::string name_;
  int fd_ = -1;
  bool placed_ = false;
};

}  // namespace

bool brought_to_disk(int fd) {
  if (::fsync(fd) == 0) return true;
  const int why = errno;
  struct stat found {};
  const bool refuses = why == EINVAL && ::fstat(fd, &found) == 0 && S_ISDIR(found.st_mode);
  errno = why;
  return refuses;
}

void write_whole(int folder, const std::string& name, const std::string& text, bool surely, const std::string& shown) {
  Beside beside(folder, name, shown);
  beside.write(text);
  if (surely) beside.sync();
  beside.place(name);
  if (surely && !brought_to_disk(folder)) {
    throw HarnessError(shown + ": its folder cannot be brought to the disk: " + system_text(errno));
  }
}

}  // namespace holdfast
