#include "lab/lab_user.hpp"

#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "artifact/error.hpp"
#include "lab/refusal.hpp"

namespace holdfast {
namespace {

namespace fs = std::filesystem;

constexpr uid_t kNobody = 65534;
constexpr gid_t kNogroup = 65534;

bool is_nobodys(const std::string& path) {
  struct stat found {};
  return ::lstat(path.c_str(), &found) == 0 && found.st_uid == kNobody;
}

bool nobody_may_enter(const fs::path& folder) {
  struct stat found {};
  if (::stat(folder.c_str(), &found) != 0) return false;
  return (found.st_mode & (found.st_uid == kNobody ? S_IXUSR : S_IXOTH)) != 0;
}

// Empty: nobody may go all the way.
fs::path first_closed(const fs::path& folder) {
  fs::path so_far;
  for (const auto& part : folder.parent_path()) {
    so_far /= part;
    if (!nobody_may_enter(so_far)) return so_far;
  }
  return {};
}

void open_the_way(const fs::path& folder) {
  const fs::path closed = first_closed(folder);
  if (closed.empty()) return;
  require_step(::unshare(CLONE_NEWNS) == 0, "unshare");
  require_step(::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0, "mount / private");
  const int own = ::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  require_step(own >= 0, "open the folder of the trial");
  require_step(::mount("holdfast", closed.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, "mode=755") == 0, "mount tmpfs");
  std::error_code failed;
  fs::create_directories(folder, failed);
  errno = failed.value();
  require_step(!failed, "make the way to the folder of the trial");
  const std::string source = "/proc/self/fd/" + std::to_string(own);
  require_step(::mount(source.c_str(), folder.c_str(), nullptr, MS_BIND, nullptr) == 0,
               "mount the folder of the trial");
  ::close(own);
}

}  // namespace

bool hand_over(const std::string& folder) {
  if (::geteuid() != 0 || ::lchown(folder.c_str(), kNobody, kNogroup) != 0) return false;
  std::error_code failed;
  for (fs::directory_iterator file(folder, failed), end; !failed && file != end; file.increment(failed)) {
    if (::lchown(file->path().c_str(), kNobody, kNogroup) != 0) return false;
  }
  if (failed) throw HarnessError(folder + ": cannot be given to nobody: " + system_text(failed.value()));
  return true;
}

void take_back(const std::string& folder) {
  if (::geteuid() != 0 || !is_nobodys(folder)) return;
  std::error_code failed;
  for (fs::recursive_directory_iterator file(folder, failed), end; !failed && file != end; file.increment(failed)) {
    if (is_nobodys(file->path())) (void)::lchown(file->path().c_str(), ::geteuid(), ::getegid());
  }
  (void)::lchown(folder.c_str(), ::geteuid(), ::getegid());
}

void become_owner_of(const std::string& folder) {
  if (::geteuid() != 0 || !is_nobodys(folder)) return;
  open_the_way(fs::canonical(folder));
  require_step(::setgroups(0, nullptr) == 0, "setgroups");
  require_step(::setresgid(kNogroup, kNogroup, kNogroup) == 0, "setresgid");
  require_step(::setresuid(kNobody, kNobody, kNobody) == 0, "setresuid");
  require_step(::prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0, "prctl");  // else /proc/self is root's still
}

}  // namespace holdfast
