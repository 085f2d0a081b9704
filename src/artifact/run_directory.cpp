#include "artifact/run_directory.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>

#include "artifact/descriptor.hpp"
#include "artifact/error.hpp"
#include "artifact/plain_file.hpp"

namespace holdfast {
namespace {

constexpr int kMostNames = 1000;  // names left by writers that were killed

// Flushes a file, or the names in a folder, to the disk. Some network file systems sync their folders themselves and
// refuse the request (EINVAL), which is accepted.
bool brought_to_disk(int fd) {
  if (::fsync(fd) == 0) return true;
  const int why = errno;
  struct stat found {};
  const bool refuses = why == EINVAL && ::fstat(fd, &found) == 0 && S_ISDIR(found.st_mode);
  errno = why;
  return refuses;
}

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

  void write(std::string_view text) const {
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t n = ::write(fd_, text.data() + done, text.size() - done);
      if (n < 0 && errno != EINTR) fail("cannot be written");
      if (n > 0) done += static_cast<std::size_t>(n);
    }
  }

  void sync() const {
    if (!brought_to_disk(fd_)) fail("cannot be synced to disk");
  }

  void place(const std::string& name) {
    const int fd = fd_;
    fd_ = -1;
    if (::close(fd) != 0) fail("cannot be written");
    struct stat found {};
    const bool other = ::fstatat(folder_, name.c_str(), &found, AT_SYMLINK_NOFOLLOW) == 0 && !S_ISREG(found.st_mode);
    if (other) throw HarnessError(shown_ + ": " + kind_of_file(found) + ", which is not replaced");
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

constexpr int kDeepest = 64;  // depth of folders to remove; a trial has four
constexpr int kFolder = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

bool names_a_part(const std::string& part) {
  return !part.empty() && part != "." && part != ".." && part.find('\0') == std::string::npos;
}

std::vector<std::string> split_at_slashes(const std::string& name) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find('/', at), name.size());
    out.push_back(name.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

std::vector<std::string> parts_of(const std::string& name) {
  if (!names_beneath(name)) throw BadInput("'" + name + "': not a valid name in a run's folder");
  return split_at_slashes(name);
}

std::optional<struct stat> look(int parent, const std::string& name) {
  struct stat out {};
  if (::fstatat(parent, name.c_str(), &out, AT_SYMLINK_NOFOLLOW) != 0) return std::nullopt;
  return out;
}

std::string joined(const std::vector<std::string>& parts, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += "/" + parts[i];
  return out;
}

// Names without `.` and `..`, sorted.
std::vector<std::string> names_in(int folder, const std::string& shown) {
  const int own = ::openat(folder, ".", kFolder);
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(own < 0 ? nullptr : ::fdopendir(own), ::closedir);
  if (!entries) throw HarnessError(shown + ": cannot be read: " + system_text(errno));
  std::vector<std::string> out;
  while (const dirent* entry = ::readdir(entries.get())) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") out.push_back(name);
  }
  std::sort(out.begin(), out.end());
  return out;
}

// Removes the entries first, since only an empty folder can be removed. Entries that vanish meanwhile are ignored.
void remove_tree(int parent, const std::string& name, const std::string& shown, int depth) {
  if (depth == 0) throw HarnessError(shown + ": nested too deeply to be removed");
  const auto found = look(parent, name);
  if (!found) return;
  const bool folder = S_ISDIR(found->st_mode);
  if (folder) {
    const int fd = ::openat(parent, name.c_str(), kFolder);
    const std::unique_ptr<DIR, int (*)(DIR*)> entries(fd < 0 ? nullptr : ::fdopendir(fd), ::closedir);
    if (!entries) throw HarnessError(shown + ": cannot be removed: " + system_text(errno));
    while (const dirent* entry = ::readdir(entries.get())) {
      const std::string inner = entry->d_name;
      if (inner != "." && inner != "..") remove_tree(::dirfd(entries.get()), inner, shown + "/" + inner, depth - 1);
    }
  }
  if (::unlinkat(parent, name.c_str(), folder ? AT_REMOVEDIR : 0) != 0 && errno != ENOENT) {
    throw HarnessError(shown + ": cannot be removed: " + system_text(errno));
  }
}

}  // namespace

void write_whole(int folder, const std::string& name, const std::string& text, bool surely, const std::string& shown) {
  Beside beside(folder, name, shown);
  beside.write(text);
  if (surely) beside.sync();
  beside.place(name);
  if (surely && !brought_to_disk(folder)) {
    throw HarnessError(shown + ": its folder cannot be synced to disk: " + system_text(errno));
  }
}

bool names_beneath(const std::string& name) {
  const std::vector<std::string> parts = split_at_slashes(name);
  return std::all_of(parts.begin(), parts.end(), names_a_part);
}

RunDirectory::RunDirectory(const std::string& folder)
    : path_(folder), fd_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (fd_ < 0) throw BadInput(folder + ": cannot be opened: " + system_text(errno));
}

RunDirectory::~RunDirectory() {
  ::close(fd_);
}

void RunDirectory::refuse_step(const std::vector<std::string>& parts, std::size_t step, int parent) const {
  const int why = errno;
  const std::string where = path_ + joined(parts, step + 1);
  const auto found = look(parent, parts[step]);
  if (found && !S_ISDIR(found->st_mode)) throw NotPlain(where, kind_of_file(*found));
  throw BadInput(where + ": cannot be opened: " + system_text(why));
}

// Opens the folder that the first `steps` parts lead to; -1: it does not exist.
int RunDirectory::walk(const std::vector<std::string>& parts, std::size_t steps, Missing missing) const {
  int at = ::fcntl(fd_, F_DUPFD_CLOEXEC, 0);
  if (at < 0) throw HarnessError(path_ + ": " + system_text(errno));
  for (std::size_t i = 0; i < steps; ++i) {
    const Descriptor parent(at);
    const bool made = missing == Missing::is_made && ::mkdirat(at, parts[i].c_str(), 0755) == 0;
    if (missing == Missing::is_made && !made && errno != EEXIST) {
      throw HarnessError(path_ + joined(parts, i + 1) + ": cannot be created: " + system_text(errno));
    }
    at = ::openat(parent.get(), parts[i].c_str(), kFolder);
    if (at < 0 && errno == ENOENT) return -1;
    if (at < 0) refuse_step(parts, i, parent.get());
  }
  return at;
}

bool RunDirectory::has(const std::string& name) const {
  const auto parts = parts_of(name);
  const Descriptor parent(walk(parts, parts.size() - 1, Missing::is_none));
  const auto found = parent.none() ? std::nullopt : look(parent.get(), parts.back());
  if (found && !S_ISREG(found->st_mode)) throw NotPlain(path_of(name), kind_of_file(*found));
  return found.has_value();
}

bool RunDirectory::has_folder(const std::string& name) const {
  const auto parts = parts_of(name);
  return !Descriptor(walk(parts, parts.size(), Missing::is_none)).none();
}

InputFile RunDirectory::file(const std::string& name) const {
  if (!has(name)) throw BadInput(path_of(name) + ": cannot be read: " + system_text(ENOENT));
  return InputFile::in(path_, name);
}

Descriptor RunDirectory::open(const std::string& name) const {
  const auto parts = parts_of(name);
  const Descriptor parent(walk(parts, parts.size() - 1, Missing::is_none));
  if (parent.none()) throw BadInput(path_of(name) + ": cannot be read: " + system_text(ENOENT));
  return open_plain_file(parent.get(), parts.back(), path_of(name), FileUse::read);
}

std::string RunDirectory::read(const std::string& name, std::size_t most) const {
  return InputFile::in(path_, name).text(most);
}

std::uint64_t RunDirectory::size_of(const std::string& name) const {
  struct stat found {};
  const Descriptor file = open(name);
  if (::fstat(file.get(), &found) != 0) throw BadInput(path_of(name) + ": cannot be read: " + system_text(errno));
  return static_cast<std::uint64_t>(found.st_size);
}

void RunDirectory::write(const std::string& name, const std::string& text, Keep keep) const {
  const auto parts = parts_of(name);
  has(name);  // throws if the target must not be replaced
  const Descriptor parent(walk(parts, parts.size() - 1, Missing::is_none));
  if (parent.none()) throw HarnessError(path_of(name) + ": cannot be created: " + system_text(ENOENT));
  write_whole(parent.get(), parts.back(), text, keep == Keep::surely, path_of(name));
}

void RunDirectory::make_folders(const std::string& name) const {
  const auto parts = parts_of(name);
  const Descriptor made(walk(parts, parts.size(), Missing::is_made));
}

void RunDirectory::sync(const std::string& name) const {
  const auto parts = parts_of(name);
  const Descriptor parent(walk(parts, parts.size() - 1, Missing::is_none));
  const Descriptor it(parent.none() ? -1
                                    : ::openat(parent.get(), parts.back().c_str(),
                                               O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (it.none() || !brought_to_disk(it.get())) {
    throw HarnessError(path_of(name) + ": cannot be synced to disk: " + system_text(errno));
  }
}

void RunDirectory::sync_way(const std::string& name) const {
  for (std::string at = name;; at.resize(at.rfind('/'))) {
    sync(at);
    if (at.find('/') == std::string::npos) break;
  }
  if (!brought_to_disk(fd_)) throw HarnessError(path_ + ": cannot be synced to disk: " + system_text(errno));
}

void RunDirectory::remove(const std::string& name) const {
  const auto parts = parts_of(name);
  const Descriptor parent(walk(parts, parts.size() - 1, Missing::is_none));
  if (parent.none() || ::unlinkat(parent.get(), parts.back().c_str(), 0) == 0 || errno == ENOENT) return;
  throw HarnessError(path_of(name) + ": cannot be removed: " + system_text(errno));
}

void RunDirectory::remove_all(const std::string& name) const {
  const auto parts = parts_of(name);
  const Descriptor parent(walk(parts, parts.size() - 1, Missing::is_none));
  if (!parent.none()) remove_tree(parent.get(), parts.back(), path_of(name), kDeepest);
}

std::vector<std::string> RunDirectory::folders_in(const std::string& name) const {
  return entries_in(name, true);
}

std::vector<std::string> RunDirectory::files_in(const std::string& name) const {
  return entries_in(name, false);
}

std::vector<std::string> RunDirectory::entries_in(const std::string& name, bool folders) const {
  const auto parts = parts_of(name);
  const Descriptor folder(walk(parts, parts.size(), Missing::is_none));
  std::vector<std::string> out;
  for (const auto& entry : folder.none() ? std::vector<std::string>{} : names_in(folder.get(), path_of(name))) {
    const auto found = look(folder.get(), entry);
    if (!found) continue;
    if (S_ISDIR(found->st_mode) == folders) out.push_back(entry);
    if (!folders && !S_ISDIR(found->st_mode) && !S_ISREG(found->st_mode)) {
      throw BadInput(path_of(name) + "/" + entry + ": " + kind_of_file(*found) + "; remedy: remove it");
    }
  }
  return out;
}

std::vector<std::string> RunDirectory::remove_all_but_files(const std::string& name) const {
  std::vector<std::string> out;
  const auto parts = parts_of(name);
  const Descriptor folder(walk(parts, parts.size(), Missing::is_none));
  for (const auto& entry : folder.none() ? std::vector<std::string>{} : names_in(folder.get(), path_of(name))) {
    const auto found = look(folder.get(), entry);
    if (!found || S_ISREG(found->st_mode)) continue;
    out.push_back(entry + " " + kind_of_file(*found));
    remove_tree(folder.get(), entry, path_of(name) + "/" + entry, kDeepest);
  }
  return out;
}

// In pieces, since a history may be large.
void RunDirectory::copy_file(const RunDirectory& other, const std::string& name) const {
  const auto parts = parts_of(name);
  const Descriptor from = other.open(name);
  has(name);  // throws if the target must not be replaced
  const Descriptor parent(walk(parts, parts.size() - 1, Missing::is_none));
  if (parent.none()) throw HarnessError(path_of(name) + ": cannot be created: " + system_text(ENOENT));
  Beside beside(parent.get(), parts.back(), path_of(name));
  char piece[65536];
  for (ssize_t n = 1; n != 0;) {
    n = ::read(from.get(), piece, sizeof piece);
    if (n < 0 && errno != EINTR) throw BadInput(other.path_of(name) + ": cannot be read: " + system_text(errno));
    if (n > 0) beside.write({piece, static_cast<std::size_t>(n)});
  }
  beside.place(parts.back());
}

void RunDirectory::copy_folder(const RunDirectory& other, const std::string& name) const {
  if (parts_of(name).size() > static_cast<std::size_t>(kDeepest))
    throw BadInput(other.path_of(name) + ": nested too deeply");
  make_folders(name);
  for (const auto& file : other.files_in(name)) copy_file(other, name + "/" + file);
  for (const auto& folder : other.folders_in(name)) copy_folder(other, name + "/" + folder);
}

}  // namespace holdfast
