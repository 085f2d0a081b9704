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
  std::vector<pid_t> numbers;
  for (const pid_t thread : threads_of(root_)) {
    for (const pid_t child : children_of(root_, thread)) numbers.push_back(child);
  }
  processes_.clear();
  Threads now;
  for (std::size_t i = 0; i < numbers.size(); ++i) {  // it grows during the loop
    read_process(processes_.emplace_back(numbers[i]), now, numbers);
  }
  by_tid_ = std::move(now);
  order_.clear();
  for (const auto& [tid, thread] : by_tid_) order_.push_back(thread.get());
}

// Moves its threads to `now`, and adds its children to `numbers`.
void ThreadTable::read_process(WatchedProcess& process, Threads& now, std::vector<pid_t>& numbers) {
  const pid_t number = process.number();
  for (const pid_t tid : threads_of(number)) {
    const auto known = by_tid_.find(tid);
    const bool is_known = known != by_tid_.end() && known->second && known->second->process() == number;
    auto thread = is_known ? std::move(known->second) : std::make_unique<WatchedThread>(number, tid);
    if (thread->can_be_seen()) {
      process.add(*thread);
      now[tid] = std::move(thread);
    }
    for (const pid_t child : children_of(number, tid)) numbers.push_back(child);
  }
}

}  // namespace holdfast
