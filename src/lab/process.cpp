#include "lab/process.hpp"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <linux/securebits.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artifact/error.hpp"
#include "artifact/input_file.hpp"
#include "artifact/plain_file.hpp"
#include "lab/confinement.hpp"
#include "lab/folder_entries.hpp"
#include "lab/process_family.hpp"
#include "lab/stopped_group.hpp"

namespace holdfast {
namespace {

// Descriptor for standard input; -1: inherit. Throws HarnessError.
int open_input(const Spawn& spawn) {
  if (spawn.keep_input) return -1;
  if (spawn.input.empty()) return ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int fd = ::memfd_create("input", MFD_CLOEXEC);
  if (fd >= 0 && ::write(fd, spawn.input.data(), spawn.input.size()) == static_cast<ssize_t>(spawn.input.size()) &&
      ::lseek(fd, 0, SEEK_SET) == 0) {
    return fd;
  }
  const std::string why = system_text(errno);
  if (fd >= 0) ::close(fd);
  throw HarnessError("what " + spawn.argv.front() + " must read cannot be passed to it: " + why);
}

// Descriptor for the output; -1: inherit. Output must not be lost or mixed with this program's own, so on failure it
// closes `input` and throws HarnessError.
int open_log(const Spawn& spawn, int input) {
  if (spawn.log.empty()) return -1;
  try {
    return open_plain_file(spawn.log, FileUse::append).take();
  } catch (...) {
    if (input >= 0) ::close(input);
    throw;
  }
}

// Marks all descriptors from `first` on as close-on-exec. Safe between fork and exec. If the call does not exist
// (kernels before 5.11) or is filtered, it marks each descriptor listed in /proc.
bool close_others_at_exec(unsigned first) {
  if (::syscall(SYS_close_range, first, ~0U, CLOSE_RANGE_CLOEXEC) == 0) return true;
  const int list = ::open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (list < 0) return false;
  const bool all = for_each_entry(list, [first](const char* name) {
    unsigned number = 0;
    for (const char* c = name; *c >= '0' && *c <= '9'; ++c) number = number * 10 + (*c - '0');
    if (number >= first) ::fcntl(static_cast<int>(number), F_SETFD, FD_CLOEXEC);
  });
  ::close(list);
  return all;
}

// Locations of programs and libraries, and of writable folders.
constexpr std::array<std::string_view, 5> kForAll{"PATH", "LD_LIBRARY_PATH", "HOME", "TMPDIR", "LANG"};

// For this program's own processes also the variables for tests: preloads and sanitizers.
constexpr std::array<std::string_view, 8> kForItself{
    "LD_PRELOAD", "TZ", "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS", "NO_COLOR", "container"};

bool variable_begins(const std::string& name, std::string_view with) {
  return name.compare(0, with.size(), with) == 0;
}

// Returns true if a variable is passed on; `itself`: to another process of this program.
bool is_handed_on(const std::string& name, bool itself) {
  const auto among = [&](const auto& names) { return std::find(names.begin(), names.end(), name) != names.end(); };
  if (among(kForAll)) return true;
  return itself && (among(kForItself) || variable_begins(name, "HOLDFAST_") || variable_begins(name, "LC_"));
}

// "NAME=value" for each; values in the Spawn override inherited ones. Only variables known to be harmless are
// inherited: a user's MYSQL_TCP_PORT or LD_PRELOAD would change a server under test.
std::vector<std::string> environment_of(const Spawn& spawn, bool itself) {
  std::vector<std::string> out;
  out.reserve(spawn.environment.size());
  for (const auto& [name, value] : spawn.environment) out.push_back(name + "=" + value);
  for (char** entry = environ; *entry != nullptr; ++entry) {  // for duplicate names a shell would use the last one
    const std::string text(*entry);
    const std::string name = text.substr(0, text.find('='));
    if (spawn.environment.count(name) == 0 && is_handed_on(name, itself)) out.push_back(text);
  }
  return out;
}

// Root of a user namespace gets all capabilities at each execve, unless these bits are set. Setting them needs a
// capability; a process without it does not need them.
bool root_is_nobody() {
  for (unsigned long one = 0; ::prctl(PR_CAPBSET_READ, one, 0, 0, 0) >= 0; ++one) {
    if (::prctl(PR_CAPBSET_DROP, one, 0, 0, 0) != 0) return false;
  }
  const unsigned long bits = SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP |
                             SECBIT_NO_SETUID_FIXUP_LOCKED | SECBIT_KEEP_CAPS_LOCKED;
  return ::prctl(PR_SET_SECUREBITS, bits, 0, 0, 0) == 0;
}

// Permanently drops the calling process's privileges: no capabilities, none through execve, no_new_privs; servers and
// clients of the lab need none. Uses only calls that are safe between fork and exec. Returns false and sets errno if
// the kernel refuses.
bool give_up_privileges() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {};
  if (::syscall(SYS_capget, &header, sets) != 0) return false;
  const bool may = (sets[CAP_TO_INDEX(CAP_SETPCAP)].effective & CAP_TO_MASK(CAP_SETPCAP)) != 0;
  if (may && !root_is_nobody()) return false;
  for (auto& set : sets) set = {};
  if (::syscall(SYS_capset, &header, sets) != 0) return false;
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

// For a program that refuses to run as user 0: a user namespace in which the caller has another id. Prepared before the
// fork.
struct OtherUser {
  explicit OtherUser(unsigned user)
      : users(std::to_string(user) + " " + std::to_string(::geteuid()) + " 1"),
        groups(std::to_string(user) + " " + std::to_string(::getegid()) + " 1") {}
  std::string users;
  std::string groups;
};

bool write_text(const char* path, const char* text) {
  const int fd = ::open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const auto length = static_cast<ssize_t>(std::strlen(text));
  const bool written = ::write(fd, text, static_cast<std::size_t>(length)) == length;
  ::close(fd);
  return written;
}

// Between fork and exec: only system calls.
bool become_other_user(const OtherUser& other) {
  return ::unshare(CLONE_NEWUSER) == 0 && write_text("/proc/self/setgroups", "deny") &&
         write_text("/proc/self/uid_map", other.users.c_str()) &&
         write_text("/proc/self/gid_map", other.groups.c_str());
}

constexpr unsigned kFirstOther = STDERR_FILENO + 1;
constexpr int kUnknownCode = 127;
constexpr int kKeptDescriptors = 100;  // the child's own numbers are below; temporary copies are above

// Uses only calls that are safe after a fork in a program with threads.
[[noreturn]] void become(const Spawn& spawn, char* const* argv, char* const* environment, int input, int log,
                         const std::vector<std::pair<int, int>>& descriptors, bool itself, const OtherUser& other) {
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (spawn.new_session) ::setsid();
  bool good = spawn.network < 0 || ::setns(spawn.network, CLONE_NEWNET) == 0;
  if (input >= 0) good = good && ::dup2(input, STDIN_FILENO) >= 0;
  if (log >= 0) good = good && ::dup2(log, STDOUT_FILENO) >= 0 && ::dup2(log, STDERR_FILENO) >= 0;
  good = good && close_others_at_exec(kFirstOther);  // descriptors left open by other code of the caller
  for (const auto& [number, copy] : descriptors) good = good && ::dup2(copy, number) >= 0;
  good = good && (spawn.user == 0 || become_other_user(other));
  good = good && (spawn.privileged || give_up_privileges());
  if (good) ::execve(itself ? "/proc/self/exe" : argv[0], argv, environment);
  const int why = errno;
  const char* text = std::strerror(why);
  if (::write(STDERR_FILENO, text, std::strlen(text)) < 0) ::_exit(126);
  ::_exit(127);
}

bool is_red_hat() {
  std::ifstream in("/etc/os-release");
  for (std::string line; std::getline(in, line);) {
    const bool named = line.rfind("ID=", 0) == 0 || line.rfind("ID_LIKE=", 0) == 0;
    if (named && (line.find("rhel") != std::string::npos || line.find("fedora") != std::string::npos)) return true;
  }
  return false;
}

std::string installation(const Package& package) {
  return is_red_hat() ? "dnf install " + package.red_hat : "apt-get install " + package.debian;
}

// Where handles of processes are refused, nothing is started: a program that is killed at once may have started others,
// and left a folder behind.
void require_handles() {
  const auto self = static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0));
  const int why_not = errno;
  if (self >= 0) {
    ::close(self);
  } else if (why_not == ENOSYS || why_not == EPERM || why_not == EACCES) {
    throw refusal("pidfd_open (handle of a process)", why_not);
  }
}

}  // namespace

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      family_(other.family_),
      exit_(other.exit_),
      cpu_seconds_(other.cpu_seconds_) {}

Process& Process::operator=(Process&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(family_, other.family_);
  std::swap(exit_, other.exit_);
  std::swap(cpu_seconds_, other.cpu_seconds_);
  return *this;
}

Process::~Process() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool Process::signal(int number) const {
  const auto to_it = [this](int one) { return ::syscall(SYS_pidfd_send_signal, descriptor_, one, nullptr, 0) == 0; };
  const bool to_all = family_ && (number == SIGSTOP || number == SIGCONT || number == SIGKILL);
  return to_all ? signal_family(to_it, pid_, number) : to_it(number);
}

char Process::state() const {
  return family_ ? family_state(pid_) : state_of_process(pid_);
}

std::optional<std::int64_t> Process::stopped_at_ns() const {
  return family_ ? family_stopped_at_ns(pid_) : process_stopped_at_ns(pid_);
}

std::optional<int> Process::wait(int timeout_ms) {
  if (exit_) return exit_;
  pollfd ended{descriptor_, POLLIN, 0};
  while (::poll(&ended, 1, timeout_ms) < 0 && errno == EINTR) {
  }
  siginfo_t info{};
  rusage used{};
  // The C library's waitid hides the kernel's last argument, the child's resource usage.
  if (::syscall(SYS_waitid, P_PIDFD, descriptor_, &info, WEXITED | WNOHANG, &used) != 0) {
    if (ended.revents != 0) exit_ = kUnknownCode;  // it has ended, and its exit code is unavailable
  } else if (info.si_pid != 0) {
    const auto seconds = [](const timeval& t) {
      return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
    };
    cpu_seconds_ = seconds(used.ru_utime) + seconds(used.ru_stime);
    exit_ = info.si_code == CLD_EXITED ? info.si_status : 128 + info.si_status;
  }
  return exit_;
}

Process spawn_process(const Spawn& spawn) {
  require_handles();
  std::vector<char*> argv;
  for (const auto& word : spawn.argv) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  // Executes the running program, not its file, which may be replaced during a run.
  const bool itself = spawn.argv.front() == own_program();
  std::vector<std::string> variables = environment_of(spawn, itself);
  std::vector<char*> environment;
  environment.reserve(variables.size() + 1);
  for (auto& variable : variables) environment.push_back(variable.data());
  environment.push_back(nullptr);
  const int input = open_input(spawn);
  const int log = open_log(spawn, input);
  std::vector<std::pair<int, int>> copies;
  int failed = 0;
  for (const auto& [number, descriptor] : spawn.descriptors) {
    copies.emplace_back(number, ::fcntl(descriptor, F_DUPFD_CLOEXEC, kKeptDescriptors));
    if (copies.back().second < 0) failed = errno == EINVAL ? EMFILE : errno;  // the number is beyond the limit
  }
  const OtherUser other(spawn.user);
  const pid_t pid = failed == 0 ? ::fork() : -1;
  if (pid == 0) become(spawn, argv.data(), environment.data(), input, log, copies, itself, other);
  const int why = failed == 0 ? errno : failed;
  for (const auto& [number, copy] : copies) ::close(copy);
  if (input >= 0) ::close(input);
  if (log >= 0) ::close(log);
  if (pid < 0 && (why == EPERM || why == ENOSYS)) throw refusal("fork (a process)", why);
  if (pid < 0) throw HarnessError("a process cannot be started: " + system_text(why));
  const auto descriptor = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  if (descriptor < 0) {
    const std::string why_not = system_text(errno);
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    throw HarnessError("pidfd_open: " + why_not);
  }
  return {pid, descriptor, spawn.family};
}

void run_program(const Spawn& spawn) {
  Spawn logged = spawn;
  Process process = spawn_process(logged);
  const int code = process.wait(-1).value_or(-1);
  if (code == 0) return;
  std::string said;
  if (!spawn.log.empty()) {
    std::istringstream in(InputFile::stored(spawn.log).tail(kEndOfLog));
    for (std::string line; std::getline(in, line);) said = line.empty() ? said : line;
  }
  throw HarnessError(spawn.argv[0] + " failed with code " + std::to_string(code) + (said.empty() ? "" : ": " + said));
}

void allow_open_files(std::size_t files) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) throw HarnessError("getrlimit: " + system_text(errno));
  if (limit.rlim_cur >= files) return;
  if (limit.rlim_max < files) {
    throw Unavailable("a trial of this size needs " + std::to_string(files) + " open files, but this machine allows " +
                      std::to_string(limit.rlim_max) + "; remedy: ulimit -Hn " + std::to_string(files) +
                      ", or fewer clients");
  }
  limit.rlim_cur = files;
  if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) throw HarnessError("setrlimit: " + system_text(errno));
}

void allow_more_open_files(std::size_t files) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) throw HarnessError("getrlimit: " + system_text(errno));
  allow_open_files(std::min<std::size_t>(files, limit.rlim_max));
}

std::string own_program() {
  char path[PATH_MAX];
  const ssize_t n = ::readlink("/proc/self/exe", path, sizeof path);
  if (n <= 0) throw HarnessError("/proc/self/exe cannot be read");
  std::string file(path, static_cast<std::size_t>(n));
  static const std::string kDeleted = " (deleted)";  // appended by the kernel if the file was replaced
  if (file.size() > kDeleted.size() && file.compare(file.size() - kDeleted.size(), kDeleted.size(), kDeleted) == 0) {
    file.resize(file.size() - kDeleted.size());
  }
  return file;
}

std::string find_program(const std::string& name, const Package& package) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(std::string(path != nullptr ? path : "") +
                             ":/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin:/usr/libexec");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string file = folder + "/" + name;
    if (!folder.empty() && ::access(file.c_str(), X_OK) == 0) return file;
  }
  throw Unavailable(name + " is not installed; remedy: " + installation(package));
}

}  // namespace holdfast
