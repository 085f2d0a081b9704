#include "virtual_time/thread_table.hpp"

#include <sys/prctl.h>
#include <unistd.h>
#include <cstdlib>

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "virtual_time/process_files.hpp"

namespace holdfast {
namespace {

std::vector<pid_t> threads_of(pid_t process) {
  std::vector<pid_t> out;
  std::error_code ended;
  const std::filesystem::directory_iterator tasks("/proc/" + std::to_string(process) + "/task", ended);
  if (ended) return out;
  for (auto at = begin(tasks); at != end(tasks); at.increment(ended)) {
    if (ended) break;
    out.push_back(std::atoi(at->path().filename().c_str()));
  }
  return out;
}

}  // namespace

ThreadTable::ThreadTable() : root_(::getpid()) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

void ThreadTable::refresh() {
  processes_.clear();
  for (const pid_t thread : threads_of(root_)) {
    for (const pid_t child : children_of(root_, thread)) processes_.push_back(child);
  }
  Threads now;
  for (std::size_t i = 0; i < processes_.size(); ++i) read_process(processes_[i], now);  // it grows meanwhile
  by_tid_ = std::move(now);
  order_.clear();
  for (const auto& [tid, thread] : by_tid_) order_.push_back(thread.get());
}

// Moves its threads to `now`.
void ThreadTable::read_process(pid_t process, Threads& now) {
  for (const pid_t tid : threads_of(process)) {
    const auto known = by_tid_.find(tid);
    const bool is_known = known != by_tid_.end() && known->second && known->second->process() == process;
    auto& thread = now[tid];
    if (thread == nullptr) thread = is_known ? std::move(known->second) : std::make_unique<WatchedThread>(process, tid);
    if (!thread->can_be_seen()) now.erase(tid);
    for (const pid_t child : children_of(process, tid)) processes_.push_back(child);
  }
}

}  // namespace holdfast
