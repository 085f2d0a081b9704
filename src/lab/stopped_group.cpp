#include "lab/stopped_group.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>

#include "artifact/error.hpp"
#include "artifact/poll_until.hpp"
#include "lab/process_memory.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kStop_ms = 10'000;

struct Stat {
  char state = 'X';
  pid_t group = 0;
};

Stat stat_in(const std::string& folder) {
  std::ifstream in(folder + "/stat");
  std::string text;
  std::getline(in, text);
  Stat out;
  const auto paren = text.rfind(')');  // the name before it may contain anything
  if (paren == std::string::npos) return out;
  std::istringstream words(text.substr(paren + 1));
  pid_t parent = 0;
  words >> out.state >> parent >> out.group;
  return out;
}

std::string process_folder(pid_t pid) {
  return "/proc/" + std::to_string(pid);
}

bool has_ended(char state) {
  return state == 'Z' || state == 'X' || state == 'x';
}

// Calls `each` with every numbered entry of a folder of /proc; false: the folder is gone.
template <typename Each>
bool each_number(const std::string& folder, const Each& each) {
  std::error_code why;
  for (std::filesystem::directory_iterator at(folder, why), end; !why && at != end; at.increment(why)) {
    const std::string name = at->path().filename().string();
    pid_t number = 0;
    const auto read = std::from_chars(name.data(), name.data() + name.size(), number);
    if (read.ec == std::errc() && read.ptr == name.data() + name.size()) each(number);
  }
  if (why && why.value() != ENOENT && why.value() != ESRCH) {
    throw HarnessError(folder + ": " + system_text(why.value()));
  }
  return !why;
}

// Calls `each` with every living thread and its state.
template <typename Each>
void each_thread(pid_t pid, const Each& each) {
  const std::string tasks = process_folder(pid) + "/task/";
  each_number(tasks, [&](pid_t thread) {
    const char state = stat_in(tasks + std::to_string(thread)).state;
    if (!has_ended(state)) each(thread, state);
  });
}

bool is_stopped(char state) {
  return state == 'T' || state == 't';
}

// Returns true if another process had stopped it.
bool was_stopped(pid_t pid) {
  bool some = false;
  bool all = true;
  each_thread(pid, [&](pid_t, char state) {
    some = some || is_stopped(state);
    all = all && (is_stopped(state) || state == 'D');
  });
  return some && all;
}

// The kernel delivers a process-wide signal to one thread, which stops the others; if that thread waits for a child in
// vfork, this never happens. So each running thread is signalled separately. A thread that waits in the kernel (D) is
// signalled before it counts: it cannot return to its program without stopping then.
bool stop_threads(pid_t pid) {
  bool all = true;
  each_thread(pid, [&](pid_t thread, char state) {
    if (is_stopped(state)) return;
    ::syscall(SYS_tgkill, pid, thread, SIGSTOP);
    all = all && state == 'D';
  });
  return all;
}

// Opens the process before checking its group, so that no signal reaches another process with a reused number.
std::optional<Process> hold(pid_t pid, pid_t group) {
  const auto descriptor = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  if (descriptor < 0 && errno == ESRCH) return std::nullopt;
  if (descriptor < 0) throw HarnessError("pidfd_open: " + system_text(errno));
  Process process(pid, descriptor);
  if (stat_in(process_folder(pid)).group != group) return std::nullopt;
  return process;
}

namespace fs = std::filesystem;

// Empty: the process or thread is gone. Other read errors throw.
std::string first_line(const std::string& file) {
  std::ifstream in(file);
  const int why = errno;
  if (!in && why != ENOENT && why != ESRCH) throw HarnessError(file + ": " + system_text(why));
  std::string text;
  std::getline(in, text);
  return text;
}

// Fields after the name, which may contain anything: state, parent, group, ...
std::string after_name(const std::string& stat) {
  const std::string text = first_line(stat);
  const auto paren = text.rfind(')');
  return paren == std::string::npos || paren + 2 >= text.size() ? "" : text.substr(paren + 2);
}

char state_in(const std::string& stat) {
  const std::string text = after_name(stat);
  return text.empty() ? 'X' : text.front();
}

std::string proc_folder(pid_t pid) {
  return "/proc/" + std::to_string(pid);
}

// Zero if the kernel does not provide the number.
std::int64_t ran_of_thread_ns(const std::string& task) {
  const std::string line = first_line(task + "/schedstat");
  std::int64_t ran_ns = 0;
  std::from_chars(line.data(), line.data() + line.size(), ran_ns);
  return ran_ns;
}

}  // namespace

void require_other_group(pid_t group) {
  if (group > 1 && group != ::getpgrp()) return;
  throw HarnessError("process group " + std::to_string(group) +
                     " cannot be stopped: it is this program's own group, or not a group");
}

std::vector<pid_t> processes_of_group(pid_t group) {
  std::vector<pid_t> out;
  each_number("/proc", [&](pid_t pid) {
    const Stat stat = stat_in(process_folder(pid));
    if (stat.group == group && !has_ended(stat.state)) out.push_back(pid);
  });
  std::sort(out.begin(), out.end());
  return out;
}

std::optional<std::vector<std::uint64_t>> threads_at(pid_t pid) {
  std::vector<std::uint64_t> out;
  bool all = true;
  const std::string tasks = process_folder(pid) + "/task/";
  each_number(tasks, [&](pid_t thread) {
    const std::string file = tasks + std::to_string(thread);
    if (has_ended(stat_in(file).state)) return;
    std::ifstream in(file + "/syscall");
    std::string line;
    if (!std::getline(in, line)) {
      if (errno != EACCES && errno != EPERM) return;  // it has ended
      throw Unavailable(no_access(pid, "task/" + std::to_string(thread) + "/syscall", errno));
    }
    const auto last = line.rfind(' ');  // "NUMBER ARGUMENTS STACK INSTRUCTION", or "running"
    all = all && last != std::string::npos;
    if (last != std::string::npos) out.push_back(std::strtoull(line.c_str() + last, nullptr, 16));
  });
  if (!all) return std::nullopt;
  return out;
}

StoppedGroup::StoppedGroup(pid_t group) : group_(group) {
  require_other_group(group);
  int looks = 0;  // a second pass finds threads created during the first
  const auto still = [this, &looks] {
    bool all = !stop_new();
    for (const pid_t pid : processes_) all = stop_threads(pid) && all;
    looks = all ? looks + 1 : 0;
    return looks == 2;
  };
  try {
    if (poll_until(still, 1, after_ms(kStop_ms))) return;
    throw HarnessError("process group " + std::to_string(group) + " did not stop in " + std::to_string(kStop_ms) +
                       " ms");
  } catch (...) {
    for (const Process& process : stopped_) process.signal(SIGCONT);
    throw;
  }
}

StoppedGroup::~StoppedGroup() {
  for (const Process& process : stopped_) process.signal(SIGCONT);
}

// Returns true if there was a new process. Only a listing without new ones is complete: running processes can fork.
bool StoppedGroup::stop_new() {
  bool some = false;
  for (const pid_t pid : processes_of_group(group_)) {
    if (std::find(processes_.begin(), processes_.end(), pid) != processes_.end()) continue;
    some = true;
    std::optional<Process> process = hold(pid, group_);
    if (!process) continue;
    processes_.push_back(pid);
    if (was_stopped(pid)) continue;
    stopped_.push_back(std::move(*process));
    if (!stopped_.back().signal(SIGSTOP) && errno != ESRCH) throw Unavailable(no_access(pid, "", errno));
  }
  return some;
}

char state_of_process(pid_t pid) {
  return state_in(proc_folder(pid) + "/stat");
}

// Needs each thread's state and processor time; empty if the kernel does not provide the time.
std::optional<std::int64_t> process_stopped_at_ns(pid_t pid) {
  std::int64_t ran_ns = 0;
  bool some = false;
  std::error_code gone;
  const std::string tasks = proc_folder(pid) + "/task";
  for (fs::directory_iterator task(tasks, gone), end; !gone && task != end; task.increment(gone)) {
    if (state_in(task->path().string() + "/stat") != 'T') return std::nullopt;
    ran_ns += ran_of_thread_ns(task->path().string());
    some = true;
  }
  if (gone && gone.value() != ENOENT && gone.value() != ESRCH) {
    throw HarnessError(tasks + ": " + system_text(gone.value()));
  }
  if (gone || !some) return std::nullopt;
  return ran_ns;
}

std::optional<std::int64_t> group_stopped_at_ns(pid_t group) {
  const auto all = processes_of_group(group);
  if (all.empty()) return std::nullopt;
  std::int64_t ran_ns = 0;
  for (const pid_t pid : all) {
    const auto one_ns = process_stopped_at_ns(pid);
    if (!one_ns) return std::nullopt;
    ran_ns += *one_ns;
  }
  return ran_ns;
}

}  // namespace holdfast
