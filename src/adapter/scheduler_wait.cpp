#include "adapter/scheduler_wait.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

namespace holdfast {

std::string first_line(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return line;
}

std::optional<std::int64_t> waited_ns(const std::string& schedstat) {
  std::istringstream in(schedstat);
  std::int64_t ran_ns = 0;
  std::int64_t waited_ns = 0;
  if (in >> ran_ns >> waited_ns) return waited_ns;
  return std::nullopt;
}

// A kernel that can count but has it disabled shows three zeros for every process.
std::string not_counted(const std::string& schedstat) {
  const std::string lost =
      ": a starved machine cannot be detected, so what starvation might explain stays "
      "undecided; remedy: ";
  if (!waited_ns(schedstat)) {
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

SchedulerWait::SchedulerWait(pid_t pid) : tasks_("/proc/" + std::to_string(pid) + "/task") {
  look_ns();
}

// Threads start and end; a new one counts from its start.
std::int64_t SchedulerWait::look_ns() {
  std::map<std::string, std::int64_t> now_ns;
  std::int64_t longest_ns = 0;
  std::error_code gone;
  for (std::filesystem::directory_iterator task(tasks_, gone), end; !gone && task != end; task.increment(gone)) {
    const auto total_ns = waited_ns(first_line(task->path().string() + "/schedstat"));
    if (!total_ns) continue;
    const std::string thread = task->path().filename().string();
    const auto before = before_ns_.find(thread);
    longest_ns = std::max(longest_ns, *total_ns - (before == before_ns_.end() ? 0 : before->second));
    now_ns[thread] = *total_ns;
  }
  before_ns_ = std::move(now_ns);
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
