#include "lab/workers.hpp"

#include <cerrno>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "lab/confinement.hpp"

namespace holdfast {
namespace {

class Workers {
 public:
  explicit Workers(const std::function<void(int)>& work) : work_(work) {}
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers() { join(); }

  void start(int jobs) {
    threads_.reserve(static_cast<std::size_t>(jobs));
    for (int i = 0; i < jobs; ++i) {
      try {
        threads_.emplace_back([this, i] { guarded(i); });
      } catch (const std::system_error& failed) {
        if (i > 0) return;
        const int why = failed.code().value();
        if (why == EPERM || why == ENOSYS) throw refusal("clone3 (a thread)", why);
        throw;
      }
    }
  }

  void finish() {
    join();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void join() {
    for (auto& thread : threads_) thread.join();
    threads_.clear();
  }

  void guarded(int number) {
    try {
      work_(number);
    } catch (...) {
      const std::lock_guard guard(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  const std::function<void(int)>& work_;
  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::exception_ptr failure_;
};

}  // namespace

void side_by_side(int jobs, const std::function<void(int)>& work) {
  Workers workers(work);
  workers.start(jobs);
  workers.finish();
}

}  // namespace holdfast
