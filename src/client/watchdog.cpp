#include "client/watchdog.hpp"

#include <chrono>
#include <utility>

namespace holdfast {

Watchdog::Watchdog(const LockType& type, std::unique_ptr<ClientSession> session, std::unique_ptr<JournalWriter> journal,
                   const ControlPage& page, std::atomic<std::uint64_t>& numbers)
    : journal_(std::move(journal)),
      session_(std::move(session)),
      lock_(type.make()),
      page_(page),
      numbers_(numbers),
      thread_([this] { loop(); }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard guard(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Watchdog::watch(const Watched& watched) {
  const std::lock_guard guard(mutex_);
  watched_ = watched;
  ++turn_;
  changed_.notify_all();
}

void Watchdog::leave() {
  const std::lock_guard guard(mutex_);
  watched_.reset();
  ++turn_;
  changed_.notify_all();
}

void Watchdog::loop() {
  std::unique_lock guard(mutex_);
  while (!ending_) {
    changed_.wait(guard, [this] { return ending_ || watched_; });
    if (!watched_) continue;
    const std::uint64_t turn = turn_;
    const auto third = std::chrono::milliseconds(watched_->claim.lease_ms) / 3;
    if (changed_.wait_for(guard, third, [&] { return ending_ || turn_ != turn; })) continue;
    const Watched due = *watched_;
    guard.unlock();
    renew(due);
    guard.lock();
  }
}

void Watchdog::renew(Watched watched) {
  Event event;
  event.op = Op::renew;
  event.process = watched.process;
  event.key = watched.key;
  event.number = ++numbers_;
  session_->standing() = {Asking::renew, static_cast<std::int32_t>(watched.key), true, true, false};
  session_->pass(Phase::before_renew);
  event.type = EventType::invoke;
  tell(event);
  Answer answer;
  try {
    answer = lock_->background(*session_, watched.claim);
  } catch (const StatementFailed& failed) {
    answer = {failed.definite ? EventType::fail : EventType::info, failed.reason, {}};
  }
  event.type = answer.type;
  event.reason = answer.reason;
  tell(event);
}

void Watchdog::tell(Event event) {
  event.background = true;
  event.time_ns = monotonic_ns() - page_.zero_ns;
  journal_->event(event);
}

}  // namespace holdfast
