#include "cli/progress.hpp"

#include <unistd.h>
#include <cstdio>
#include <exception>
#include <system_error>

#include "cli/output.hpp"
#include "cli/terminal.hpp"
#include "reports/durations.hpp"

namespace holdfast {
namespace {

constexpr auto kRenewed = std::chrono::seconds(1);
constexpr auto kHeartbeat = std::chrono::seconds(15);

// Nothing before the first trial has ended: its length is all that is known of the others.
std::string rest_text(std::size_t done, std::size_t trials, std::int64_t seconds) {
  if (done == 0 || done >= trials) return "";
  const auto left = seconds * static_cast<std::int64_t>(trials - done) / static_cast<std::int64_t>(done);
  return left == 0 ? "" : ", about " + wall_text(static_cast<double>(left)) + " left";
}

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
  const auto seconds =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - begin_).count();
  const TerminalText line = terminal_text("{} of {} trials, {} s{}{}{}", done_, trials_, seconds,
                                          rest_text(done_, trials_, seconds), last_.empty() ? "" : "; last: ", last_);
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
