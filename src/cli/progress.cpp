#include "cli/progress.hpp"

#include <unistd.h>
#include <cstdio>
#include <exception>
#include <system_error>

#include "cli/output.hpp"
#include "cli/terminal.hpp"
#include "reports/durations.hpp"
#include "reports/progress_text.hpp"

namespace holdfast {
namespace {

constexpr auto kRenewed = std::chrono::seconds(1);
constexpr auto kHeartbeat = std::chrono::seconds(15);

}  // namespace

ProgressLine::ProgressLine(bool quiet)
    : quiet_(quiet), terminal_(::isatty(STDERR_FILENO) != 0), begin_(std::chrono::steady_clock::now()) {}

void ProgressLine::start(std::size_t trials, std::uint64_t seed, int jobs, const std::string& folder) {
  if (quiet_) return;
  trials_ = trials;
  const std::string count =
      trials == 0 ? "trials until caught" : plural(static_cast<std::int64_t>(trials), "trial", "trials");
  tell("seed {} · {}, {} in parallel · {}\n", seed, count, jobs, from_here(folder));
  try {
    thread_ = std::thread([this] { keep_alive(); });
  } catch (const std::system_error&) {
    // No thread is available: the line is updated only when a trial ends.
  }
}

void ProgressLine::keep_alive() {
  std::unique_lock guard(mutex_);
  while (!ended_) {
    const bool late = wake_.wait_for(guard, terminal_ ? kRenewed : kHeartbeat) == std::cv_status::timeout;
    if (late && !ended_) print_safely();
  }
}

// Used in a thread and the destructor: a failed progress line must not end the run.
void ProgressLine::print_safely() noexcept {
  try {
    ended_ ? clear_status() : print();
  } catch (const std::exception&) {
    return;
  }
}

void ProgressLine::show(int done, int trials, const std::string& last) {
  const std::lock_guard guard(mutex_);
  trials_ = static_cast<std::size_t>(trials);
  done_ = static_cast<std::size_t>(done);
  last_ = last;
  if (!quiet_ && terminal_) print();
}

void ProgressLine::print() {
  shown_ = true;
  const TrialProgress progress{done_, trials_, last_};
  const TerminalText line = terminal_text("{}", progress_text(progress, ProgressClock::now() - begin_));
  terminal_ ? show_status(line) : tell("{}\n", line);
}

void ProgressLine::end() {
  {
    const std::lock_guard guard(mutex_);
    if (ended_) return;
    ended_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
  if (shown_ && terminal_) print_safely();
}

}  // namespace holdfast
