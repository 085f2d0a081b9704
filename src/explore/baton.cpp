#include "explore/baton.hpp"

#include <cerrno>
#include <utility>

namespace holdfast {
namespace {

void wait_for(sem_t& semaphore) {
  while (::sem_wait(&semaphore) != 0 && errno == EINTR) {
  }
}

}  // namespace

Baton::Baton() {
  ::sem_init(&to_program_, 0, 0);
  ::sem_init(&to_controller_, 0, 0);
  thread_ = std::thread([this] { loop(); });
}

Baton::~Baton() {
  abandon();
  closing_ = true;
  ::sem_post(&to_program_);
  thread_.join();
  ::sem_destroy(&to_program_);
  ::sem_destroy(&to_controller_);
}

void Baton::begin(std::function<void()> program) {
  abandon();
  program_ = std::move(program);
  under_way_ = true;
}

void Baton::hand_over() {
  if (!under_way_) return;
  ::sem_post(&to_program_);
  wait_for(to_controller_);
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

// One that has not had its first baton has nothing to unwind, but its thread must hear of it all the same.
void Baton::abandon() {
  if (!under_way_) return;
  abandoned_ = true;
  while (under_way_) {
    ::sem_post(&to_program_);
    wait_for(to_controller_);
  }
  abandoned_ = false;
  thrown_ = nullptr;
}

void Baton::give_back() {
  ::sem_post(&to_controller_);
  wait_for(to_program_);
  if (abandoned_) throw Abandoned{};
}

void Baton::loop() {
  for (wait_for(to_program_); !closing_; wait_for(to_program_)) {
    try {
      if (!abandoned_) program_();
    } catch (const Abandoned&) {
      thrown_ = nullptr;
    } catch (...) {
      thrown_ = std::current_exception();
    }
    under_way_ = false;
    ::sem_post(&to_controller_);
  }
}

}  // namespace holdfast
