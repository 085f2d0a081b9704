#include "client/watchdog.hpp"

#include <chrono>
#include <utility>

namespace holdfast {

Watchdog::Watchdog(const LockType& type, std::unique_ptr<ClientSession> session, std::unique_ptr<JournalWriter> journal,
                   const ControlPage& page, std::atomic<std::uint64_t>& numbers)
    : type_(type),
      journal_(std::move(journal)),
      session_(std::move(session)),
      lock_(driver_type(type.driver).begin(type, {})),
      driver_(lock_->driver(*session_, 0)),
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
  add(watched);
  changed_.notify_all();
}

void Watchdog::leave(std::uint32_t key) {
  const std::lock_guard guard(mutex_);
  std::erase_if(watched_, [key](const Due& due) { return due.watched.key == key; });
  changed_.notify_all();
}

// All leases of a client are equal, so the newest entry is due last.
void Watchdog::add(const Watched& watched) {
  const std::chrono::milliseconds delay(watchdog_delay_ms(type_, watched.claim.lease_ms));
  watched_.push_back({watched, std::chrono::steady_clock::now() + delay});
}

void Watchdog::loop() {
  std::unique_lock guard(mutex_);
  while (!ending_) {
    changed_.wait(guard, [this] { return ending_ || !watched_.empty(); });
    if (watched_.empty()) continue;
    if (const auto at = watched_.front().at; std::chrono::steady_clock::now() < at) {
      changed_.wait_until(guard, at);
      continue;
    }
    const Watched due = watched_.front().watched;
    guard.unlock();
    renew(due);
    guard.lock();
    postpone(due);
  }
}

// Schedules the next renewal from the end of this one, if the key is still watched and this is not a later grant.
void Watchdog::postpone(const Watched& renewed) {
  const auto same = [&](const Due& due) {
    return due.watched.key == renewed.key && due.watched.claim.owner == renewed.claim.owner;
  };
  if (std::erase_if(watched_, same) > 0) add(renewed);
}

void Watchdog::renew(Watched watched) {
  Event event;
  event.op = Op::renew;
  event.process = watched.process;
  event.key = watched.key;
  event.number = ++numbers_;
  session_->state() = {Asking::renew, static_cast<std::int32_t>(watched.key), true, true, false};
  session_->pass(Phase::before_renew);
  event.type = EventType::invoke;
  tell(event);
  const Answer answer = driver_->background(watched.claim);
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
