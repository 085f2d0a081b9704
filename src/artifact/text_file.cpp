#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "artifact/write_whole.hpp"

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
  const auto slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) throw HarnessError(path + ": cannot be created: " + std::strerror(errno));
  try {
    write_whole(fd, path.substr(slash + 1), text, false, path);
  } catch (...) {
    ::close(fd);
    throw;
  }
  ::close(fd);
}

}  // namespace holdfast
