#include "lab/namespaces.hpp"

#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <functional>
#include <system_error>
#include <utility>
#include <vector>

#include "artifact/error.hpp"
#include "lab/confinement.hpp"
#include "lab/folder_entries.hpp"
#include "lab/process.hpp"

namespace holdfast {
namespace {

namespace fs = std::filesystem;

constexpr uid_t kNobody = 65534;
constexpr gid_t kNogroup = 65534;

bool is_nobodys(const char* path) {
  struct stat found {};
  return ::lstat(path, &found) == 0 && found.st_uid == kNobody;
}

constexpr int kFolder = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
constexpr int kDeepest = 64;  // depth of nested folders; a trial has four

// Allocates no memory, since it also runs when there is none.
void take_back_all_in(int folder, int depth) noexcept {
  for_each_entry(folder, [folder, depth](const char* name) {
    struct stat found {};
    if (::fstatat(folder, name, &found, AT_SYMLINK_NOFOLLOW) != 0) return;
    const int inner = S_ISDIR(found.st_mode) && depth > 0 ? ::openat(folder, name, kFolder) : -1;
    if (inner >= 0) take_back_all_in(inner, depth - 1);
    if (inner >= 0) ::close(inner);
    if (found.st_uid == kNobody) (void)::fchownat(folder, name, ::geteuid(), ::getegid(), AT_SYMLINK_NOFOLLOW);
  });
}

bool nobody_may_enter(const fs::path& folder) {
  struct stat found {};
  if (::stat(folder.c_str(), &found) != 0) return false;
  return (found.st_mode & (found.st_uid == kNobody ? S_IXUSR : S_IXOTH)) != 0;
}

// First folder on the way that user nobody may not enter; empty: none.
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
  require_step(own >= 0, "open the trial's folder");
  require_step(::mount("holdfast", closed.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, "mode=755") == 0, "mount tmpfs");
  std::error_code failed;
  fs::create_directories(folder, failed);
  errno = failed.value();
  require_step(!failed, "create the path to the trial's folder");
  const std::string source = "/proc/self/fd/" + std::to_string(own);
  require_step(::mount(source.c_str(), folder.c_str(), nullptr, MS_BIND, nullptr) == 0, "mount the trial's folder");
  ::close(own);
}

constexpr const char* kStart = "start of the lab's first process";

void write_proc(const char* path, const std::string& text) {
  const int fd = ::open(path, O_WRONLY | O_CLOEXEC);
  require_step(fd >= 0, path);
  const bool written = ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const int why = errno;
  ::close(fd);
  errno = why;
  require_step(written, path);
}

// Ends with its parent. The signal is bound to the parent *at the time of the call*, hence the check afterwards.
// after.
void die_with_parent(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(kExitHarness);
}

// A combined request was refused, and each kind has a limit of its own: trying them one by one finds the cause. This
// process ends anyway.
[[noreturn]] void refuse_kind_of(int wanted, int error) {
  for (const auto& [flag, step] :
       {std::pair{CLONE_NEWUSER, "unshare (user namespace)"}, std::pair{CLONE_NEWNS, "unshare (mnt namespace)"},
        std::pair{CLONE_NEWPID, "unshare (pid namespace)"}, std::pair{CLONE_NEWIPC, "unshare (ipc namespace)"},
        std::pair{CLONE_NEWNET, "unshare (net namespace)"}}) {
    if ((wanted & flag) != 0) require_step(::unshare(flag) == 0, step);
  }
  throw LabRefusal{"unshare", error};
}

void leave_the_world(bool own_network) {
  const uid_t uid = ::getuid();
  const gid_t gid = ::getgid();
  const int wanted = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | (own_network ? CLONE_NEWNET : 0);
  if (::unshare(wanted) != 0) refuse_kind_of(wanted, errno);
  write_proc("/proc/self/setgroups", "deny");
  write_proc("/proc/self/uid_map", "0 " + std::to_string(uid) + " 1");
  write_proc("/proc/self/gid_map", "0 " + std::to_string(gid) + " 1");
}

bool set_attributes(const char* path, unsigned flags, const mount_attr& attributes) {
  return ::syscall(SYS_mount_setattr, AT_FDCWD, path, flags, &attributes, sizeof attributes) == 0;
}

// Folder for sanitizer reports; such a process dies if it cannot write there (tests/sanitizers.sh). Empty: none.
std::string folder_of_reports() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  const char* named = std::getenv("HOLDFAST_REPORTS");
  return named == nullptr ? "" : named;
#else
  return "";
#endif
}

// Makes everything read-only except the trial's folder: the user may be able to write much more than a server under
// test should. Linux before 5.12 has no call for that.
void write_only_in(const std::string& folder) {
  std::vector<std::string> folders{folder};
  if (const std::string reports = folder_of_reports(); !reports.empty()) folders.push_back(reports);
  for (const auto& one : folders) {
    require_step(::mount(one.c_str(), one.c_str(), nullptr, MS_BIND, nullptr) == 0, "mount the trial's folder");
  }
  mount_attr read_only{};
  read_only.attr_set = MOUNT_ATTR_RDONLY;
  mount_attr writable{};
  writable.attr_clr = MOUNT_ATTR_RDONLY;
  if (!set_attributes("/", AT_RECURSIVE, read_only)) {
    require_step(errno == ENOSYS, "mount / read-only");
    std::fprintf(stderr, "%s\n", kFilesAreWritable);
    return;
  }
  for (const auto& one : folders) {
    require_step(set_attributes(one.c_str(), 0, writable), "mount the trial's folder writable");
  }
}

// Tests calls that a trial needs later, before it begins: anonymous memory files, and signals.
void try_calls() {
  const int memory = ::memfd_create("holdfast", MFD_CLOEXEC);
  require_step(memory >= 0, "memfd_create (shared memory)");
  ::close(memory);
  const auto self = static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0));
  require_step(self >= 0, "pidfd_open (handle of a process)");
  require_step(::syscall(SYS_pidfd_send_signal, self, 0, nullptr, 0) == 0, "pidfd_send_signal (signal to a process)");
  ::close(self);
}

// Puts the home of the lab's programs in its memory, not in the user's home.
void give_home(const std::string& memory) {
  for (const auto& [name, path] : {std::pair{"HOME", memory + "/home"}, std::pair{"TMPDIR", memory + "/tmp"}}) {
    require_step(::mkdir(path.c_str(), 0700) == 0, "mkdir in the lab's memory");
    ::setenv(name, path.c_str(), 1);
  }
}

void mount_world(const std::string& folder) {
  const std::string memory = folder + "/lab";
  require_step(::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0, "mount / private");
  require_step(::mkdir(memory.c_str(), 0755) == 0 || errno == EEXIST, "mkdir lab");
  write_only_in(folder);
  require_step(::mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) == 0, "mount /proc");
  require_step(::mount("holdfast", memory.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, "mode=755") == 0, "mount tmpfs");
  give_home(memory);
  try_calls();
}

// Returns true for a limit reached temporarily because of other processes, not a permanent refusal.
bool of_the_moment(int error) {
  return error == EAGAIN || error == EMFILE || error == ENFILE || error == ENOMEM;
}

// Prints one line with the reason why the lab could not be made.
int reporting(const std::function<int()>& work) {
  try {
    return work();
  } catch (const LabRefusal& refusal) {
    if (of_the_moment(refusal.error)) {
      std::fprintf(stderr, "holdfast: the lab: %s: %s\n", refusal.step.c_str(), system_text(refusal.error).c_str());
      return kExitHarness;
    }
    std::fprintf(stderr, "holdfast: %s\n", refused(refusal.step, refusal.error, look_around()).c_str());
    return kExitUnavailable;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "holdfast: %s\n", text_of(error).c_str());
    return kExitHarness;
  }
}

int exit_code(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : kExitHarness;
}

// Reaps ended processes; returns when `main` has ended or standard input is closed.
int supervise(pid_t main, int signals) {
  while (true) {
    int status = 0;
    for (pid_t ended = 0; (ended = ::waitpid(-1, &status, WNOHANG)) > 0;) {
      if (ended == main) return exit_code(status);
    }
    pollfd waits[] = {{STDIN_FILENO, POLLIN, 0}, {signals, POLLIN, 0}};
    if (::poll(waits, 2, -1) < 0 && errno != EINTR) return kExitHarness;
    if ((waits[0].revents & (POLLHUP | POLLERR)) != 0) return kExitHarness;
    signalfd_siginfo info{};
    if ((waits[1].revents & POLLIN) != 0 && ::read(signals, &info, sizeof info) < 0) return kExitHarness;
  }
}

// Readable whenever a child has ended, from here on.
int ends_of_children() {
  sigset_t children;
  sigemptyset(&children);
  sigaddset(&children, SIGCHLD);
  ::sigprocmask(SIG_BLOCK, &children, nullptr);
  const int signals = ::signalfd(-1, &children, SFD_CLOEXEC);
  if (signals < 0) throw HarnessError("signalfd: " + system_text(errno));
  return signals;
}

// Pid 1 of the lab. It listens before it starts the first child, so that no end is missed.
int first_process(const std::string& folder, const std::vector<std::string>& argv) {
  mount_world(folder);
  const int signals = ends_of_children();
  Spawn spawn;
  spawn.argv = argv;
  spawn.privileged = true;
  const Process main = spawn_process(spawn);
  return supervise(main.pid(), signals);
}

// The child requests a signal at its parent's death, reports that, and waits for the parent's answer: a parent that
// died before the request cannot answer. (Pid 1 cannot check its parent's number, which is outside.)
[[noreturn]] void child_side(int line, const std::string& folder, const std::vector<std::string>& argv) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::exit(reporting([&] {  // not _exit: a leak check runs at exit
    char byte = 'r';
    require_step(::write(line, &byte, 1) == 1, kStart);
    if (::read(line, &byte, 1) != 1) ::_exit(kExitHarness);  // the parent is dead, or reports its own error
    ::close(line);
    return first_process(folder, argv);
  }));
}

int parent_side(int line, pid_t child) {
  char byte = 0;
  const ssize_t got = ::read(line, &byte, 1);  // 0: the child has ended and printed the reason
  const bool told = got == 1 && (::write(line, &byte, 1) == 1 || errno == EPIPE);  // or it was killed meanwhile
  require_step(got == 0 || told, kStart);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return exit_code(status);
}

// If the caller is root and the folder belongs to nobody, the caller becomes nobody permanently, in a mount namespace
// in which the folder is reachable: the first folder on the way that only root may enter is covered by an empty one
// that contains only this path. Throws LabRefusal.
void become_owner_of(const std::string& folder) {
  if (::geteuid() != 0 || !is_nobodys(folder.c_str())) return;
  open_the_way(fs::canonical(folder));
  require_step(::setgroups(0, nullptr) == 0, "setgroups");
  require_step(::setresgid(kNogroup, kNogroup, kNogroup) == 0, "setresgid");
  require_step(::setresuid(kNobody, kNobody, kNobody) == 0, "setresuid");
  require_step(::prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0, "prctl");  // otherwise /proc/self still belongs to root
}

}  // namespace

bool hand_over(const std::string& folder) {
  if (::geteuid() != 0 || ::lchown(folder.c_str(), kNobody, kNogroup) != 0) return false;
  std::error_code failed;
  for (fs::directory_iterator file(folder, failed), end; !failed && file != end; file.increment(failed)) {
    if (::lchown(file->path().c_str(), kNobody, kNogroup) != 0) return false;
  }
  if (failed) throw HarnessError(folder + ": cannot be given to the user nobody: " + system_text(failed.value()));
  return true;
}

void take_back(const std::string& folder) noexcept {
  if (::geteuid() != 0 || !is_nobodys(folder.c_str())) return;
  const int own = ::open(folder.c_str(), kFolder);
  if (own >= 0) take_back_all_in(own, kDeepest);
  if (own >= 0) ::close(own);
  (void)::lchown(folder.c_str(), ::geteuid(), ::getegid());
}

// Only this process ends without a leak check (_exit): the checker needs a thread, which the kernel does not create for
// a process whose next children belong to a pid namespace, particularly one whose pid 1 is dead.
void run_in_lab(const std::string& folder, const std::vector<std::string>& argv, bool own_network) {
  ::_exit(reporting([&] {
    die_with_parent(::getppid());
    become_owner_of(folder);
    leave_the_world(own_network);
    int line[2];
    require_step(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, line) == 0, "socketpair");
    const pid_t child = ::fork();
    require_step(child >= 0, "fork");
    if (child == 0) {
      ::close(line[0]);
      child_side(line[1], folder, argv);
    }
    ::close(line[1]);
    return parent_side(line[0], child);
  }));
}

}  // namespace holdfast
