#include "adapter/adapter_process.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>

#include "adapter/running_time.hpp"
#include "artifact/error.hpp"
#include "artifact/input_file.hpp"
#include "artifact/plain_file.hpp"
#include "artifact/visible.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kForever_ms = 1'000'000'000;

// Blocks SIGPIPE and removes it afterwards: writing to a pipe without a reader must not end this process.
class NoPipeSignal {
 public:
  NoPipeSignal() {
    ::sigemptyset(&pipe_);
    ::sigaddset(&pipe_, SIGPIPE);
    sigset_t pending{};
    ::sigpending(&pending);
    was_pending_ = ::sigismember(&pending, SIGPIPE) == 1;
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoPipeSignal() {
    const timespec at_once{};
    while (!was_pending_ && ::sigtimedwait(&pipe_, nullptr, &at_once) < 0 && errno == EINTR) {
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoPipeSignal(const NoPipeSignal&) = delete;
  NoPipeSignal& operator=(const NoPipeSignal&) = delete;

 private:
  sigset_t pipe_{};
  sigset_t before_{};
  bool was_pending_ = false;
};

// Polls until the condition is true, the process has been able to run for `limit_ms`, or has been stopped for
// `stopped_ms` without a break, or the wait has lasted longer than a slow machine explains. `starved` reports that it
// hardly ran.
template <typename Done>
bool within_running_time(pid_t pid, std::int64_t limit_ms, const Done& done, std::int64_t stopped_ms = kForever_ms,
                         bool* starved = nullptr) {
  FairTime time(pid);
  const std::int64_t last_ns = monotonic_ns() + (kLongestStretch * limit_ms + stopped_ms) * 1'000'000;
  while (!done()) {
    const std::int64_t now_ns = monotonic_ns();
    time.sample(now_ns);
    const bool is_stopped = time.stopped_ns() >= stopped_ms * 1'000'000;
    if (!is_stopped && now_ns < last_ns && time.ran_ns() < limit_ms * 1'000'000) continue;
    if (starved != nullptr) *starved = time.starved();
    return done();
  }
  return true;
}

// Reopens a foreign pipe as non-blocking and checks its type: it may come from a lab, and this process may be root.
Descriptor opened_log(const AdapterCommand& command) {
  if (!command.log.empty()) return open_plain_file(command.log, FileUse::append);
  if (command.log_pipe < 0) return Descriptor();
  const std::string path = "/proc/self/fd/" + std::to_string(command.log_pipe);
  struct stat found {};
  const bool good = ::fstat(command.log_pipe, &found) == 0 && (S_ISREG(found.st_mode) || S_ISFIFO(found.st_mode));
  Descriptor out(good ? ::open(path.c_str(), O_WRONLY | O_APPEND | O_NONBLOCK | O_CLOEXEC) : -1);
  if (out.none()) throw HarnessError("no file for a program's standard error: " + system_text(errno));
  return out;
}

void close_one(int& fd) {
  if (fd >= 0) ::close(fd);
  fd = -1;
}

constexpr std::size_t kReadOfFirst = 4096;
constexpr std::size_t kShownOfFirst = 200;
constexpr int kMostDescriptors = 65'536;  // upper limit if the kernel cannot close a range
constexpr int kMadeAbove = 10;            // leaves the child's own descriptor numbers free

// Closed at the end, unless released.
class OwnedDescriptor {
 public:
  explicit OwnedDescriptor(int fd = -1) : fd_(fd) {}
  ~OwnedDescriptor() { close(); }
  OwnedDescriptor(const OwnedDescriptor&) = delete;
  OwnedDescriptor& operator=(const OwnedDescriptor&) = delete;
  void put(int fd) {
    close();
    fd_ = fd;
  }
  int get() const { return fd_; }
  int take() {
    const int fd = fd_;
    fd_ = -1;
    return fd;
  }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

 private:
  int fd_;
};

struct OwnedPipe {
  OwnedPipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw HarnessError("a pipe for an adapter: " + system_text(errno));
    read.put(raised(ends[0]));
    write.put(raised(ends[1]));
    if (read.get() < 0 || write.get() < 0) throw HarnessError("a pipe for an adapter: " + system_text(errno));
  }
  static int raised(int fd) {
    const int copy = ::fcntl(fd, F_DUPFD_CLOEXEC, kMadeAbove);
    const int why = errno;
    ::close(fd);
    errno = why;
    return copy;
  }
  OwnedDescriptor read;
  OwnedDescriptor write;
};

struct Child {
  char* const* argv;
  char* const* environment;
  const char* folder;  // null: the caller's
  int input;
  int output;
  int log;
  int told;  // receives a failure before exec
  pid_t parent;
};

void close_others() {
  if (::syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC) == 0) return;
  for (int fd = 3; fd < kMostDescriptors; ++fd) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
}

// Between fork and exec.
[[noreturn]] void become_adapter(const Child& child) {
  struct sigaction usual {};
  usual.sa_handler = SIG_DFL;
  ::sigaction(SIGPIPE, &usual, nullptr);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::setsid();
  bool good = ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && ::getppid() == child.parent;
  good = good && ::dup2(child.input, STDIN_FILENO) >= 0 && ::dup2(child.output, STDOUT_FILENO) >= 0 &&
         ::dup2(child.log, STDERR_FILENO) >= 0;
  good = good && (child.folder == nullptr || ::chdir(child.folder) == 0);
  if (good) {
    close_others();
    ::execve(child.argv[0], child.argv, child.environment);
  }
  const int why = errno;
  if (::write(child.told, &why, sizeof why) < 0) ::_exit(126);
  ::_exit(127);
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  out.reserve(texts.size() + 1);
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

// Explains why the system refused a program: for a script with a missing interpreter the system says "No such file".
std::string refused_text(const std::string& program, int why) {
  const std::string text = program + " cannot be executed: " + system_text(why);
  if (why == ENOEXEC) return text + ", and its first line names no interpreter (#!)";
  const InputFile file(program);
  if (why != ENOENT || !file.is_there()) return text;
  const std::string start = file.start(kReadOfFirst);
  const std::string first = start.substr(0, start.find('\n'));
  if (first.rfind("#!", 0) != 0) return text;
  return text + ": its first line names the interpreter " + clipped(valid_utf8(first.substr(2)), kShownOfFirst);
}

// 0: the program was executed.
int told_failure(int fd) {
  int why = 0;
  ssize_t size = 0;
  while ((size = ::read(fd, &why, sizeof why)) < 0 && errno == EINTR) {
  }
  return size == sizeof why ? why : 0;
}

}  // namespace

std::string AdapterEnd::text() const {
  if (signal == 0) return "exited with code " + std::to_string(code);
  return "was ended by signal " + std::to_string(signal) + " (" + ::strsignal(signal) + ")";
}

AdapterProcess::AdapterProcess(const AdapterCommand& command)
    : log_(std::make_unique<BoundedLog>(opened_log(command))) {
  const SpawnedAdapter spawned = spawn_adapter(command, log_->child_end());
  log_->child_has_its_end();
  pid_ = spawned.pid;
  input_ = spawned.input;
  output_ = spawned.output;
}

AdapterProcess::~AdapterProcess() {
  kill_group();
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  close_one(input_);
  close_one(output_);
}

AdapterProcess::Written AdapterProcess::write(std::string_view text, std::int64_t limit_ms) const {
  const NoPipeSignal held;
  bool closed = input_ < 0;
  const bool written = within_running_time(pid_, limit_ms, [&] {
    while (!closed && !text.empty()) {
      const ssize_t size = ::write(input_, text.data(), text.size());
      if (size >= 0) {
        text.remove_prefix(static_cast<std::size_t>(size));
      } else if (errno == EAGAIN) {
        pollfd room{input_, POLLOUT, 0};
        if (::poll(&room, 1, static_cast<int>(kSample_ms)) <= 0) return false;
      } else {
        closed = errno != EINTR;
      }
    }
    return true;
  });
  return closed ? Written::closed : written ? Written::all : Written::too_slow;
}

void AdapterProcess::close_input() {
  close_one(input_);
}

bool AdapterProcess::signal_group(int number) const {
  return ::kill(-pid_, number) == 0;
}

void AdapterProcess::kill_group() const {
  signal_group(SIGKILL);
}

std::optional<AdapterEnd> AdapterProcess::wait(std::int64_t limit_ms, std::int64_t stopped_ms, bool* starved) const {
  siginfo_t info{};
  const auto ended = [&] {
    info.si_pid = 0;
    return ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0;
  };
  std::int64_t pause_ns = 100'000;
  const auto looked = [&] {
    if (ended()) return true;
    const timespec pause{0, pause_ns};
    if (limit_ms > 0) ::nanosleep(&pause, nullptr);
    pause_ns = std::min<std::int64_t>(2 * pause_ns, kSample_ms * 1'000'000);
    return ended();
  };
  within_running_time(pid_, limit_ms, looked, stopped_ms, starved);
  if (info.si_pid == 0) return std::nullopt;
  if (info.si_code == CLD_EXITED) return AdapterEnd{info.si_status, 0};
  return AdapterEnd{0, info.si_status};
}

SpawnedAdapter spawn_adapter(const AdapterCommand& command, int standard_error) {
  std::vector<std::string> words = command.words;
  std::vector<std::string> variables;
  for (const auto& [name, value] : command.environment) variables.push_back(name + "=" + value);
  const std::vector<char*> argv = pointers(words);
  const std::vector<char*> environment = pointers(variables);
  OwnedPipe input;
  OwnedPipe output;
  OwnedPipe told;
  const char* folder = command.folder.empty() ? nullptr : command.folder.c_str();
  const Child child{argv.data(),        environment.data(), folder,           input.read.get(),
                    output.write.get(), standard_error,     told.write.get(), ::getpid()};
  if (::fcntl(input.write.get(), F_SETFL, O_NONBLOCK) != 0) throw HarnessError("O_NONBLOCK: " + system_text(errno));
  const pid_t pid = ::fork();
  if (pid == 0) become_adapter(child);
  if (pid < 0) throw HarnessError("an adapter cannot be started: " + system_text(errno));
  told.write.close();
  if (const int why = told_failure(told.read.get()); why != 0) {
    ::waitpid(pid, nullptr, 0);
    throw Unavailable(refused_text(words.front(), why) + "; remedy: " +
                      (command.install.empty() ? "" : command.install + " (the install command of lock.json), or ") +
                      "correct the adapter's command");
  }
  return {pid, input.write.take(), output.read.take()};
}

}  // namespace holdfast
