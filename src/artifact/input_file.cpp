#include "artifact/input_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>

#include "artifact/error.hpp"
#include "artifact/plain_file.hpp"
#include "artifact/run_directory.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kPiece = std::size_t{64} << 10;

struct stat facts_of(int fd, const std::string& path) {
  struct stat found {};
  if (::fstat(fd, &found) != 0) throw BadInput(path + ": cannot be read: " + system_text(errno));
  return found;
}

// Reads from the current position; a pipe returns less than requested per call.
std::string read_up_to(int fd, std::size_t most, const std::string& path) {
  std::string out;
  while (out.size() < most) {
    const std::size_t before = out.size();
    out.resize(before + std::min(kPiece, most - before));
    const ssize_t n = ::read(fd, out.data() + before, out.size() - before);
    const int why = errno;
    out.resize(before + static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
    if (n < 0 && why != EINTR) throw BadInput(path + ": cannot be read: " + system_text(why));
    if (n == 0) break;
  }
  return out;
}

}  // namespace

InputFile InputFile::in(const std::string& folder, const std::string& name) {
  InputFile out(folder + "/" + name);
  out.folder_ = folder;
  out.name_ = name;
  return out;
}

InputFile InputFile::stored(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? in(".", path) : in(path.substr(0, slash), path.substr(slash + 1));
}

Descriptor InputFile::open() const {
  if (!folder_.empty()) return RunDirectory(folder_).open(name_);
  Descriptor out(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
  if (out.none()) throw BadInput(path_ + ": cannot be read: " + system_text(errno));
  return out;
}

bool InputFile::is_there() const {
  return !folder_.empty() ? RunDirectory(folder_).has(name_) : ::access(path_.c_str(), F_OK) == 0;
}

bool InputFile::can_be_read_again() const {
  struct stat found {};
  if (!folder_.empty() || ::stat(path_.c_str(), &found) != 0) return true;  // open() reports what is wrong
  return !S_ISFIFO(found.st_mode) && !S_ISCHR(found.st_mode);
}

std::string InputFile::start(std::size_t most) const {
  const Descriptor file = open();
  return read_up_to(file.get(), most, path_);
}

std::string InputFile::tail(std::size_t most) const {
  const Descriptor file = open();
  const off_t size = facts_of(file.get(), path_).st_size;
  const off_t from = size - std::min<off_t>(size, static_cast<off_t>(most));
  if (::lseek(file.get(), from, SEEK_SET) < 0) throw BadInput(path_ + ": cannot be read: " + system_text(errno));
  return read_up_to(file.get(), most, path_);
}

std::string InputFile::text(std::size_t most) const {
  const Descriptor file = open();
  const struct stat found = facts_of(file.get(), path_);
  const bool plain = S_ISREG(found.st_mode);
  const std::size_t limit = plain ? most : std::min(most, kMostOfStream);
  const bool fits = !plain || static_cast<std::uint64_t>(found.st_size) <= limit;
  std::string out = fits ? read_up_to(file.get(), limit + 1, path_) : "";  // the file may grow meanwhile
  if (fits && out.size() <= limit) return out;
  throw BadInput(path_ + ": " + larger_than(limit));
}

}  // namespace holdfast
