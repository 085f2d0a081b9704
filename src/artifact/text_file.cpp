#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"

namespace holdfast {

std::string read_text_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw BadInput(path + ": cannot be read: " + std::strerror(errno));
  std::ostringstream text;
  text << in.rdbuf();
  if (in.bad() || (text.fail() && in.gcount() != 0)) throw BadInput(path + ": cannot be read");
  return text.str();
}

void write_text_file(const std::string& path, const std::string& text) {
  const std::string beside = path + ".part";
  const auto fail = [&](const char* doing) {
    const std::string why = std::strerror(errno);
    ::unlink(beside.c_str());
    throw HarnessError(path + ": " + doing + ": " + why);
  };
  const int fd = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) fail("cannot be created");
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = ::write(fd, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      const int why = errno;
      ::close(fd);
      errno = why;
      fail("cannot be written");
    }
    done += static_cast<std::size_t>(n);
  }
  if (::close(fd) != 0) fail("cannot be written");
  if (::rename(beside.c_str(), path.c_str()) != 0) fail("cannot be put in place");
}

}  // namespace holdfast
