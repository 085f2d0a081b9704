// The owner that document 003 keeps in its thread's local storage: made when it is first asked for, and forgotten after
// each release, whatever became of it. A thread has one for all its keys. Here a thread is known by its session.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "store/session.hpp"

namespace holdfast {

class ThreadOwner {
 public:
  // `unique`: a text that no other thread has; what is made of it is another one after each `forget`.
  std::string of(const Session& thread, const std::string& unique) {
    const std::lock_guard guard(mutex_);
    Kept& kept = kept_[&thread];
    if (kept.owner.empty()) kept.owner = unique + (++kept.made > 1 ? "." + std::to_string(kept.made) : "");
    return kept.owner;
  }
  void forget(const Session& thread) {
    const std::lock_guard guard(mutex_);
    kept_[&thread].owner.clear();
  }

 private:
  struct Kept {
    std::string owner;
    int made = 0;
  };
  std::mutex mutex_;
  std::map<const Session*, Kept> kept_;
};

}  // namespace holdfast
