#include "suite/trial_pool.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <utility>

#include "lab/workers.hpp"

namespace holdfast {
namespace {

class Pool {
 public:
  Pool(const TrialWork& work, const std::atomic<bool>& interrupted, TrialEnvironment& environment)
      : work_(work), interrupted_(interrupted), environment_(environment), spoilt_(work.spoilt) {}

  void run(int jobs) {
    next_ = work_.next;
    side_by_side(jobs, [this](int) { worker(); });
    if (interrupted_.load() || work_.over()) return;
    std::erase_if(spoilt_, [this](const PoolJob& job) { return !work_.worth_another(job.number); });
    alone_ = true;
    work_.alone_begins(spoilt_.size());
    next_ = in_order(std::exchange(spoilt_, {}));
    side_by_side(1, [this](int) { worker(); });
  }

 private:
  void worker() {
    std::unique_lock guard(mutex_);
    while (!interrupted_.load() && !failed_ && !work_.over()) {
      const auto job = next_();
      if (job) {
        run_one(*job, guard);
        continue;
      }
      if (running_ == 0 || !work_.brings_more) return;  // waiting threads count against the user's limit
      changed_.wait(guard);
    }
  }

  void run_one(const PoolJob& job, std::unique_lock<std::mutex>& guard) {
    ++running_;
    try {
      guard.unlock();
      StoredResult ended = job.run(alone_);
      guard.lock();
      if (!interrupted_.load()) take(job, std::move(ended));
    } catch (...) {
      if (!guard) guard.lock();
      failed_ = true;
      end_of_one();
      throw;
    }
    end_of_one();
  }

  void take(const PoolJob& job, StoredResult ended) {
    environment_.add(ended);
    if (work_.done(job.number, std::move(ended))) spoilt_.push_back(job);
  }

  void end_of_one() {
    --running_;
    changed_.notify_all();
  }

  const TrialWork& work_;
  const std::atomic<bool>& interrupted_;
  TrialEnvironment& environment_;
  std::function<std::optional<PoolJob>()> next_;
  std::vector<PoolJob> spoilt_;
  bool alone_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;  // a job has ended
  int running_ = 0;
  bool failed_ = false;
};

}  // namespace

void TrialEnvironment::add(const StoredResult& ended) {
  if (!ended.server.empty()) servers.insert(ended.server);
  stalls += ended.stalls;
}

std::function<std::optional<PoolJob>()> in_order(std::vector<PoolJob> jobs) {
  const auto list = std::make_shared<const std::vector<PoolJob>>(std::move(jobs));
  return [list, at = std::size_t{0}]() mutable -> std::optional<PoolJob> {
    if (at == list->size()) return std::nullopt;
    return (*list)[at++];
  };
}

void run_trials(const TrialWork& work, int side_by_side, const std::atomic<bool>& interrupted,
                TrialEnvironment& environment) {
  Pool(work, interrupted, environment).run(side_by_side);
}

}  // namespace holdfast
