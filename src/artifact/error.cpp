#include "artifact/error.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <new>
#include <system_error>

namespace holdfast {
namespace {

const char* remedy(int error) {
  switch (error) {
    case EAGAIN:
      return "allow more processes and threads (ulimit -u, or the limit of the container or control group), or more "
             "memory "
             "for the threads (ulimit -v)";
    case EMFILE:
      return "allow more open files (ulimit -n)";
    case ENFILE:
      return "allow more open files (fs.file-max, for the whole machine)";
    case ENOMEM:
      return kMoreMemory;
    case EFBIG:
      return "allow larger files (ulimit -f)";
    case ENOSPC:
    case EDQUOT:
      return "free space on that disk, or choose another disk with --out FOLDER";
    default:
      return nullptr;
  }
}

}  // namespace

std::string system_text(int error) {
  const char* known = remedy(error);
  return std::string(std::strerror(error)) + (known == nullptr ? "" : std::string("; remedy: ") + known);
}

std::string text_of(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return system_text(ENOMEM);
  const auto* failed = dynamic_cast<const std::system_error*>(&error);
  if (const auto* of_file = dynamic_cast<const std::filesystem::filesystem_error*>(&error)) {
    return of_file->path1().string() + ": " + system_text(of_file->code().value());
  }
  if (failed == nullptr) return error.what();
  return "the system refused: " + system_text(failed->code().value());
}

}  // namespace holdfast
