#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <vector>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "artifact/write_whole.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kLargestFile = std::size_t{512} << 20;  // bytes; that it ends is no more than hoped

}  // namespace

std::string read_text_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw BadInput(path + ": cannot be read: " + system_text(errno));
  std::string text;
  std::vector<char> piece(std::size_t{64} << 10);
  while (in.read(piece.data(), static_cast<std::streamsize>(piece.size())) || in.gcount() > 0) {
    text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > kLargestFile)
      throw BadInput(path + ": is larger than " + std::to_string(kLargestFile >> 20) + " MiB");
  }
  if (in.bad()) throw BadInput(path + ": cannot be read");
  return text;
}

void write_text_file(const std::string& path, const std::string& text) {
  const auto slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) throw HarnessError(path + ": cannot be created: " + system_text(errno));
  try {
    write_whole(fd, path.substr(slash + 1), text, false, path);
  } catch (...) {
    ::close(fd);
    throw;
  }
  ::close(fd);
}

}  // namespace holdfast
