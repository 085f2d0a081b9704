#include "virtual_time/thread_table.hpp"

#include <sys/prctl.h>
#include <unistd.h>
#include <cstdlib>

#include <filesystem>
#include <string>
#include <system_error>

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

bool ThreadTable::refresh() {
  for (auto& [tid, thread] : by_tid_) thread->seen = false;
  processes_.clear();
  for (const pid_t thread : threads_of(root_)) {
    for (const pid_t child : children_of(root_, thread)) processes_.push_back(child);
  }
  bool changed = false;
  for (std::size_t i = 0; i < processes_.size(); ++i) changed |= read_process(processes_[i]);  // it grows meanwhile
  for (auto at = by_tid_.begin(); at != by_tid_.end();) {
    changed |= !at->second->seen;
    at = at->second->seen ? std::next(at) : by_tid_.erase(at);
  }
  order_.clear();
  for (const auto& [tid, thread] : by_tid_) order_.push_back(thread.get());
  return changed;
}

bool ThreadTable::read_process(pid_t process) {
  bool changed = false;
  for (const pid_t tid : threads_of(process)) {
    auto& thread = by_tid_[tid];
    if (!thread || thread->process() != process) {
      thread = std::make_unique<WatchedThread>(process, tid);
      changed = true;
    }
    thread->seen = true;
    for (const pid_t child : children_of(process, tid)) processes_.push_back(child);
  }
  return changed;
}

}  // namespace holdfast
