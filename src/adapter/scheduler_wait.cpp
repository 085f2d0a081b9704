#include "adapter/scheduler_wait.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <utility>

#include "adapter/running_time.hpp"

namespace holdfast {

std::string first_line(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return line;
}

std::optional<SchedulerCount> scheduler_count(const std::string& schedstat) {
  std::istringstream in(schedstat);
  SchedulerCount count;
  if (in >> count.ran_ns >> count.waited_ns) return count;
  return std::nullopt;
}

// A kernel that can count but has it disabled shows three zeros for every process.
std::string not_counted(const std::string& schedstat) {
  const std::string lost =
      ": a starved machine cannot be detected, so what starvation might explain stays "
      "undecided; remedy: ";
  if (!scheduler_count(schedstat)) {
    return "this kernel does not measure how long a process waits for a processor (no schedstat in /proc)" + lost +
           "use a kernel built with CONFIG_SCHEDSTATS";
  }
  if (schedstat.rfind("0 ", 0) != 0) return "";
  return "this kernel does not measure how long a process waits for a processor (schedstat says 0)" + lost +
         "sysctl -w kernel.task_delayacct=1, as administrator";
}

// This process has slept and run before, so an enabled kernel shows a non-zero count.
std::string not_counted() {
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return not_counted(first_line("/proc/self/schedstat"));
}

std::int64_t ThreadWait::look_ns(std::int64_t now_ns, const SchedulerCount& count, bool is_runnable) {
  const std::int64_t counted_ns = count.waited_ns - before_.waited_ns;
  const bool did_not_run = count == std::exchange(before_, count);
  const auto since_ns = std::exchange(runnable_ns_, is_runnable ? std::optional(now_ns) : std::nullopt);
  if (did_not_run && since_ns) {
    ahead_ns_ += now_ns - *since_ns;
    return now_ns - *since_ns;
  }
  const std::int64_t known_ns = std::min(counted_ns, ahead_ns_);
  ahead_ns_ -= known_ns;
  return counted_ns - known_ns;
}

SchedulerWait::SchedulerWait(pid_t pid, std::int64_t now_ns) : tasks_("/proc/" + std::to_string(pid) + "/task") {
  look_ns(now_ns);
}

// Threads start and end; a new one counts from its start.
std::int64_t SchedulerWait::look_ns(std::int64_t now_ns) {
  std::map<std::string, ThreadWait> threads;
  std::int64_t longest_ns = 0;
  std::error_code gone;
  for (std::filesystem::directory_iterator task(tasks_, gone), end; !gone && task != end; task.increment(gone)) {
    const std::string folder = task->path().string();
    const auto count = scheduler_count(first_line(folder + "/schedstat"));
    if (!count) continue;
    const std::string thread = task->path().filename().string();
    ThreadWait& one = threads[thread] = threads_[thread];
    longest_ns = std::max(longest_ns, one.look_ns(now_ns, *count, state_in(folder + "/stat") == 'R'));
  }
  threads_ = std::move(threads);
  return longest_ns;
}

std::optional<WaitAccount::Told> WaitAccount::add(std::int64_t from_ns, std::int64_t to_ns, std::int64_t waited_ns) {
  if (waited_ns <= 0) return std::nullopt;
  const std::int64_t began_ns = std::min(from_ns, to_ns - waited_ns);
  open_.from_ns = open_.waited_ns == 0 ? began_ns : std::min(open_.from_ns, began_ns);
  open_.to_ns = to_ns;
  open_.waited_ns += waited_ns;
  if (open_.waited_ns < kBound_ns) return std::nullopt;
  const Told told = open_;
  open_ = {};
  return told;
}

bool is_stall(const WaitAccount::Told& told) {
  return told.waited_ns * 10 >= told.to_ns - told.from_ns;
}

}  // namespace holdfast
