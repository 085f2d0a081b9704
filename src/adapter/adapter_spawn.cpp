#include "adapter/adapter_spawn.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

constexpr int kMostDescriptors = 65'536;  // looked at, where the kernel cannot close a range
constexpr int kMadeAbove = 10;            // so that none of ours is in the way of the child's own

// Closed at the end, unless it is taken.
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

int opened_log(const std::string& log) {
  const char* file = log.empty() ? "/dev/null" : log.c_str();
  const int fd = ::open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd < 0) throw HarnessError(std::string(file) + ": " + system_text(errno));
  return OwnedPipe::raised(fd);
}

struct Child {
  char* const* argv;
  char* const* environment;
  const char* folder;  // null: the caller's
  int input;
  int output;
  int log;
  int told;  // of a failure, here
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

// 0: it became the program.
int told_failure(int fd) {
  int why = 0;
  ssize_t size = 0;
  while ((size = ::read(fd, &why, sizeof why)) < 0 && errno == EINTR) {
  }
  return size == sizeof why ? why : 0;
}

}  // namespace

SpawnedAdapter spawn_adapter(const AdapterCommand& command) {
  std::vector<std::string> words = command.words;
  std::vector<std::string> variables;
  for (const auto& [name, value] : command.environment) variables.push_back(name + "=" + value);
  const std::vector<char*> argv = pointers(words);
  const std::vector<char*> environment = pointers(variables);
  OwnedPipe input;
  OwnedPipe output;
  OwnedPipe told;
  const OwnedDescriptor log(opened_log(command.log));
  const char* folder = command.folder.empty() ? nullptr : command.folder.c_str();
  const Child child{argv.data(),        environment.data(), folder,           input.read.get(),
                    output.write.get(), log.get(),          told.write.get(), ::getpid()};
  if (::fcntl(input.write.get(), F_SETFL, O_NONBLOCK) != 0) throw HarnessError("O_NONBLOCK: " + system_text(errno));
  const pid_t pid = ::fork();
  if (pid == 0) become_adapter(child);
  if (pid < 0) throw HarnessError("an adapter cannot be started: " + system_text(errno));
  told.write.close();
  if (const int why = told_failure(told.read.get()); why != 0) {
    ::waitpid(pid, nullptr, 0);
    throw Unavailable(words.front() + " cannot be executed: " + system_text(why) +
                      "; remedy: correct the adapter's command");
  }
  return {pid, input.write.take(), output.read.take()};
}

}  // namespace holdfast
