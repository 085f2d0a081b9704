#include "adapter/adapter_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fstream>
#include <sstream>

#include "adapter/adapter_spawn.hpp"
#include "adapter/running_time.hpp"
#include "artifact/error.hpp"
#include "artifact/utf8.hpp"
#include "artifact/visible.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kLookedAt = 8192;  // bytes at the end of a log
constexpr std::int64_t kStopped_ms = 60'000;
constexpr std::size_t kShownLines = 5;
constexpr std::size_t kShownOfEach = 300;

// A write to a pipe that nobody reads must not end us: its signal is held back, and taken away again.
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

// Asks every little while until it is so, or until the process has been able to run for `limit_ms`.
template <typename Done>
bool within_running_time(pid_t pid, std::int64_t limit_ms, const Done& done) {
  RunningTime time;
  while (!done()) {
    time.sample(monotonic_ns(), process_state(pid));
    if (time.ran_ns() >= limit_ms * 1'000'000) return done();
  }
  return true;
}

void close_one(int& fd) {
  if (fd >= 0) ::close(fd);
  fd = -1;
}

}  // namespace

std::string AdapterEnd::text() const {
  if (signal == 0) return "exited with code " + std::to_string(code);
  return "was ended by signal " + std::to_string(signal) + " (" + ::strsignal(signal) + ")";
}

AdapterProcess::AdapterProcess(const AdapterCommand& command) : log_(command.log) {
  struct stat found {};
  if (!log_.empty() && ::stat(log_.c_str(), &found) == 0) log_begin_ = found.st_size;
  const SpawnedAdapter spawned = spawn_adapter(command);
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

std::optional<AdapterEnd> AdapterProcess::wait(std::int64_t limit_ms) const {
  siginfo_t info{};
  const auto ended = [&] {
    info.si_pid = 0;
    return ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0;
  };
  const std::int64_t last_ns = monotonic_ns() + (limit_ms + kStopped_ms) * 1'000'000;
  std::int64_t pause_ns = 100'000;
  within_running_time(pid_, limit_ms, [&] {
    if (ended() || monotonic_ns() >= last_ns) return true;
    const timespec pause{0, pause_ns};
    if (limit_ms > 0) ::nanosleep(&pause, nullptr);
    pause_ns = std::min<std::int64_t>(2 * pause_ns, kSample_ms * 1'000'000);
    return ended();
  });
  if (info.si_pid == 0) return std::nullopt;
  if (info.si_code == CLD_EXITED) return AdapterEnd{info.si_status, 0};
  return AdapterEnd{0, info.si_status};
}

std::string AdapterProcess::last_lines() const {
  std::ifstream in(log_, std::ios::binary | std::ios::ate);
  if (log_.empty() || !in) return "";
  const std::int64_t size = in.tellg();
  const std::int64_t begin = std::max(log_begin_, size - kLookedAt);
  in.seekg(begin);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) lines.push_back(clipped(valid_utf8(line), kShownOfEach));
  }
  std::string out;
  const std::size_t first = lines.size() > kShownLines ? lines.size() - kShownLines : 0;
  for (std::size_t at = first; at < lines.size(); ++at) out += (out.empty() ? "" : " | ") + lines[at];
  return out;
}

}  // namespace holdfast
