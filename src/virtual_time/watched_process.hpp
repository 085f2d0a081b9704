// One process of a lab in virtual time: its threads, and a quick check whether one of them may have run.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

#include "virtual_time/watched_thread.hpp"

namespace holdfast {

class WatchedProcess {
 public:
  explicit WatchedProcess(pid_t number) : number_(number) {}

  pid_t number() const { return number_; }
  void add(WatchedThread& thread) {
    threads_.push_back(&thread);
    at_rest_ns_ = -1;
  }
  void remove(WatchedThread& thread);
  const std::vector<WatchedThread*>& threads() const { return threads_; }

  // Returns false if none of its threads seems to have run since note_all_wait(). This is a hint: if a hypervisor took
  // time away, the kernel may count none for a thread that ran. Costs one system call for any number of threads.
  bool may_have_run();
  void note_all_wait() { at_rest_ns_ = seen_ns_; }  // time of the last call of may_have_run()

 private:
  pid_t number_;
  std::vector<WatchedThread*> threads_;
  std::int64_t seen_ns_ = -1;     // the processor time of all its threads; -1: not known
  std::int64_t at_rest_ns_ = -1;  // the same, when all of them waited
};

}  // namespace holdfast
