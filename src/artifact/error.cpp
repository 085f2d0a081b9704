#include "artifact/error.hpp"

#include <cerrno>
#include <cstring>

namespace holdfast {
namespace {

const char* remedy(int error) {
  switch (error) {
    case EAGAIN:
      return "allow more processes and threads (ulimit -u, or the limit of the container or control group)";
    case EMFILE:
      return "allow more open files (ulimit -n)";
    case ENFILE:
      return "allow more open files (fs.file-max, for the whole machine)";
    case ENOMEM:
      return "more memory (ulimit -v, or the limit of the container or control group)";
    case EFBIG:
      return "allow larger files (ulimit -f)";
    case ENOSPC:
    case EDQUOT:
      return "more room there, or --out FOLDER on another disk";
    default:
      return nullptr;
  }
}

}  // namespace

std::string system_text(int error) {
  const char* known = remedy(error);
  return std::string(std::strerror(error)) + (known == nullptr ? "" : std::string("; remedy: ") + known);
}

}  // namespace holdfast
