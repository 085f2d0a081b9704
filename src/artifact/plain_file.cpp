#include "artifact/plain_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

// O_NONBLOCK: opening a FIFO must not block before it is refused.
constexpr int kNothingElse = O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;

int flags_of(FileUse use) {
  if (use == FileUse::read) return O_RDONLY | kNothingElse;
  return O_CREAT | kNothingElse | (use == FileUse::append ? O_WRONLY | O_APPEND : O_RDWR);
}

[[noreturn]] void refuse_kind(const std::string& shown, const struct stat& found, FileUse use) {
  const NotPlain other(shown, kind_of_file(found));
  if (use == FileUse::read) throw other;
  throw HarnessError(other.what());
}

[[noreturn]] void refuse_file(const std::string& why, FileUse use) {
  if (use == FileUse::read) throw BadInput(why);
  throw HarnessError(why);
}

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

}  // namespace

std::string kind_of_file(const struct stat& found) {
  if (S_ISLNK(found.st_mode)) return "is a link; links in a run's folder are not followed";
  return S_ISDIR(found.st_mode) ? "is a folder" : "is not a plain file";
}

const std::string& found_file(const std::string& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0 || S_ISREG(found.st_mode)) return path;  // open() reports a missing file
  throw BadInput(path + ": " + kind_of_file(found) + "; only plain files are read from a folder; remedy: remove it");
}

std::string larger_than(std::size_t most) {
  return "is larger than " + (most >> 20U > 0 ? std::to_string(most >> 20U) + " MiB" : std::to_string(most) + " bytes");
}

Descriptor open_plain_file(const std::string& path, FileUse use) {
  const Descriptor folder(::open(folder_of(path).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (folder.none()) refuse_file(path + ": cannot be opened: " + system_text(errno), use);
  return open_plain_file(folder.get(), path.substr(path.rfind('/') + 1), path, use);
}

// Checks before opening, since opening a device may have effects, and again afterwards, since the file may have
// changed.
Descriptor open_plain_file(int folder, const std::string& name, const std::string& shown, FileUse use) {
  struct stat found {};
  const bool seen = ::fstatat(folder, name.c_str(), &found, AT_SYMLINK_NOFOLLOW) == 0;
  if (seen && !S_ISREG(found.st_mode)) refuse_kind(shown, found, use);
  Descriptor out(::openat(folder, name.c_str(), flags_of(use), 0644));
  const char* const doing = use == FileUse::read ? ": cannot be read: " : ": cannot be created: ";
  if (out.none()) refuse_file(shown + doing + system_text(errno), use);
  const bool plain = ::fstat(out.get(), &found) == 0 && S_ISREG(found.st_mode);
  if (!plain) refuse_kind(shown, found, use);
  const bool emptied = use != FileUse::write || ::ftruncate(out.get(), 0) == 0;
  if (!emptied) refuse_file(shown + ": cannot be emptied: " + system_text(errno), use);
  return out;
}

}  // namespace holdfast
