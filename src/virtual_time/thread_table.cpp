#include "virtual_time/thread_table.hpp"

#include <sys/prctl.h>
#include <unistd.h>
#include <algorithm>
#include <charconv>
#include <cstdlib>

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "virtual_time/process_files.hpp"

namespace holdfast {
namespace {

constexpr pid_t kMostNumbers = 64;  // reading all threads is cheaper than reading more new numbers than this
constexpr std::size_t kMostLate = 1024;

std::vector<pid_t> threads_of(pid_t process) {
  std::vector<pid_t> out;
  std::error_code ended;
  const std::filesystem::directory_iterator tasks("/proc/" + std::to_string(process) + "/task", ended);
  if (ended) {
    refuse_full_table(ended.value());
    return out;
  }
  for (auto at = begin(tasks); at != end(tasks); at.increment(ended)) {
    if (ended) break;
    out.push_back(std::atoi(at->path().filename().c_str()));
  }
  return out;
}

pid_t number_after(const std::string& status, std::string_view name) {
  const std::string_view field = field_after(status, name);
  pid_t out = 0;
  std::from_chars(field.data(), field.data() + field.size(), out);
  return out;
}

}  // namespace

ThreadTable::ThreadTable() : root_(::getpid()) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

bool ThreadTable::follow(pid_t last) {
  const bool removed = remove_ended();
  if (last == last_) return removed;
  const pid_t first = last < last_ ? 1 : last_ + 1;  // the numbers begin again after the highest
  all_late_ = all_late_ || last < last_ || late_.size() + static_cast<std::size_t>(last - first) > kMostLate;
  last_ = last;
  std::vector<pid_t> numbers;
  for (pid_t number = first; !all_late_ && number <= last; ++number) numbers.push_back(number);
  if (numbers.size() <= kMostNumbers && !all_late_) return read_numbers(std::move(numbers)) || removed;
  late_.insert(late_.end(), numbers.begin(), numbers.end());
  return read_all() || removed;
}

bool ThreadTable::read_late() {
  return all_late_ ? read_all() : read_numbers(std::exchange(late_, {}));
}

bool ThreadTable::settle() {
  if (!all_late_ && late_.empty()) return false;
  if (!read_late()) {
    late_.clear();
    all_late_ = false;
  }
  return true;
}

bool ThreadTable::remove_ended() {
  if (ended_.empty()) return false;
  for (const pid_t tid : std::exchange(ended_, {})) {
    const auto thread = by_tid_.find(tid);
    if (thread == by_tid_.end()) continue;
    if (WatchedProcess* const process = process_with(thread->second->process())) process->remove(*thread->second);
    by_tid_.erase(thread);
    if (!all_late_) late_.push_back(tid);  // its number may be in use again
  }
  const auto has_ended = [](const WatchedProcess& process) { return process.threads().empty(); };
  processes_.erase(std::remove_if(processes_.begin(), processes_.end(), has_ended), processes_.end());
  set_order();
  return true;
}

bool ThreadTable::read_numbers(std::vector<pid_t> numbers) {
  bool any = false;
  for (bool goes_on = true; goes_on;) {  // a thread's process may have a later number
    goes_on = false;
    for (const pid_t number : std::exchange(numbers, {})) {
      const Found found = read_number(number);
      if (found == Found::nothing) numbers.push_back(number);
      if (found == Found::added) goes_on = true;
    }
    any = any || goes_on;
  }
  late_.insert(late_.end(), numbers.begin(), numbers.end());
  if (any) set_order();
  return any;
}

ThreadTable::Found ThreadTable::read_number(pid_t number) {
  const std::string status = read_proc("/proc/" + std::to_string(number) + "/status");
  const pid_t owner = number_after(status, "\nTgid:");
  if (owner == root_) return Found::is_not_ours;
  WatchedProcess* process = process_with(owner);
  const pid_t parent = owner == number ? number_after(status, "\nPPid:") : 0;
  const bool is_new = process == nullptr && parent != 0 && (parent == root_ || process_with(parent) != nullptr);
  if (process == nullptr && !is_new) return Found::nothing;
  auto thread = std::make_unique<WatchedThread>(owner, number);
  if (!thread->can_be_seen()) return Found::nothing;
  if (is_new) process = &processes_.emplace_back(owner);
  auto& known = by_tid_[number];
  if (known) {  // it ended, and its number is used again
    if (WatchedProcess* const before = process_with(known->process())) before->remove(*known);
  }
  known = std::move(thread);
  process->add(*known);
  return Found::added;
}

WatchedProcess* ThreadTable::process_with(pid_t number) {
  const auto found = std::find_if(processes_.begin(), processes_.end(),
                                  [&](const WatchedProcess& process) { return process.number() == number; });
  return found == processes_.end() ? nullptr : &*found;
}

bool ThreadTable::read_all() {
  std::vector<pid_t> numbers;
  for (const pid_t thread : threads_of(root_)) {
    for (const pid_t child : children_of(root_, thread)) numbers.push_back(child);
  }
  const std::size_t before = by_tid_.size();
  int added = 0;
  for (const auto& [tid, thread] : by_tid_) late_.push_back(tid);  // /proc may miss one while others end
  processes_.clear();
  Threads now;
  for (std::size_t i = 0; i < numbers.size(); ++i) {    // it grows during the loop
    if (process_with(numbers[i]) != nullptr) continue;  // a child that changes its parent may be listed twice
    added += read_process(processes_.emplace_back(numbers[i]), now, numbers);
  }
  by_tid_ = std::move(now);
  std::erase_if(late_, [this](pid_t number) { return all_late_ || by_tid_.count(number) > 0; });
  set_order();
  return added > 0 || by_tid_.size() != before;
}

std::vector<pid_t> ThreadTable::take_ended_processes() {
  std::set<pid_t> now;
  for (const WatchedProcess& process : processes_) now.insert(process.number());
  std::vector<pid_t> ended;
  for (const pid_t number : numbers_) {
    if (now.count(number) > 0) continue;
    if (process_of(number) == 0) {
      ended.push_back(number);
    } else {
      now.insert(number);  // /proc missed it
    }
  }
  numbers_ = std::move(now);
  return ended;
}

void ThreadTable::set_order() {
  order_.clear();
  for (const auto& [tid, thread] : by_tid_) order_.push_back(thread.get());
}

// Moves its threads to `now`, and adds its children to `numbers`. Returns how many threads were not known.
int ThreadTable::read_process(WatchedProcess& process, Threads& now, std::vector<pid_t>& numbers) {
  const pid_t number = process.number();
  int added = 0;
  for (const pid_t tid : threads_of(number)) {
    const auto known = by_tid_.find(tid);
    const bool is_known = known != by_tid_.end() && known->second && known->second->process() == number;
    auto thread = is_known ? std::move(known->second) : std::make_unique<WatchedThread>(number, tid);
    if (thread->can_be_seen()) {
      process.add(*thread);
      now[tid] = std::move(thread);
      added += is_known ? 0 : 1;
    }
    for (const pid_t child : children_of(number, tid)) numbers.push_back(child);
  }
  return added;
}

}  // namespace holdfast
