#include "artifact/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>

#include "artifact/descriptor.hpp"
#include "artifact/error.hpp"
#include "artifact/json_text.hpp"

namespace holdfast {
namespace {

void write_into(const std::string& path, const std::string& text) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY | O_CLOEXEC, 0644));
  if (file.none()) throw HarnessError(path + ": cannot be opened: " + system_text(errno));
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = ::write(file.get(), text.data() + done, text.size() - done);
    if (n < 0 && errno != EINTR) throw HarnessError(path + ": cannot be written: " + system_text(errno));
    if (n > 0) done += static_cast<std::size_t>(n);
  }
  if (::close(file.take()) != 0) throw HarnessError(path + ": cannot be written: " + system_text(errno));
}

}  // namespace

void write_output_file(const std::string& path, const std::string& text) {
  struct stat found {};
  const bool other = ::lstat(path.c_str(), &found) == 0 && !S_ISREG(found.st_mode);
  other ? write_into(path, text) : write_text_file(path, text);
}

void check_output_place(const std::string& flag, const std::string& path) {
  const auto folder = std::filesystem::absolute(path).parent_path();
  if (!std::filesystem::is_directory(folder)) throw BadInput(flag + ": there is no folder " + folder.string());
  if (std::filesystem::is_directory(path)) throw BadInput(flag + ": " + path + " is a folder; remedy: name a file");
}

}  // namespace holdfast
