#include "explore/client_program.hpp"

#include "explore/beliefs.hpp"

namespace holdfast {
namespace {

// A lock without a release stays silent after its job: its lease, and the whole second that a column without fractions
// may add on either side, as the client processes do.
constexpr std::int64_t kSilenceAfterLease_us = 2 * kSecond_us;

}  // namespace

void ClientProgram::new_owner() {
  const std::string name = actor_name(actor_.id);
  claim_ = Claim{};
  claim_.key = names_.key();
  claim_.owner = names_.owner(name, std::to_string(round_) + abandoned_);
  claim_.lease_ms = settings_.lease_ms;
  claim_.server_id = settings_.server_id == "one" ? "server:" : name + ":";
  claim_.value = settings_.value == "with_own_id" ? claim_.server_id + claim_.owner : claim_.owner;
}

Answer ClientProgram::operation(Op op, Player& actor, bool background, const std::function<Answer()>& work) {
  actor.operation_begins();
  witnesses_.asked(actor, op, background);
  Answer answer;
  try {
    answer = work();
  } catch (const StatementFailed& failed) {
    const bool refused = failed.error == kDuplicateKey || failed.error == kLockWaitTimeout ||
                         failed.error == kDeadlock || failed.error == kNowaitRefused || failed.error == 0;
    if (failed.definite && !refused) witnesses_.broke(actor, failed.what());
    answer = {failed.definite ? EventType::fail : EventType::info, failed.reason, {}};
  } catch (const std::exception& thrown) {
    witnesses_.broke(actor, thrown.what());
    answer = {EventType::info, Reason::other, {}};
  }
  actor.history.add(static_cast<int>(answer.type));
  witnesses_.answered(actor, op, background, answer);
  return answer;
}

void ClientProgram::run() {
  lock_ = type_.make();
  watch_ = {};
  round_ = 1;
  abandoned_.clear();
  new_owner();
  actor_.sleep_until(0);
  operation(Op::write, actor_, false, [&] {
    lock_->start(actor_, claim_.key);
    return Answer::done();
  });
  for (; round_ <= settings_.rounds; ++round_) {
    begin_round();
    round();
  }
}

// A round has a lock of its own, so that nothing but the store remembers the one before: states can then be equal.
void ClientProgram::begin_round() {
  lock_ = type_.make();
  abandoned_.clear();
  new_owner();
  actor_.history = Fingerprint{}.add(round_);
}

void ClientProgram::round() {
  if (!acquire()) return;
  actor_.sleep_until(0);  // at work
  if (settings_.reenter) {
    const Answer again = operation(Op::acquire, actor_, false, [&] { return lock_->acquire(actor_, claim_); });
    if (again.type == EventType::ok && type_.releases) {
      operation(Op::write, actor_, false, [&] { return lock_->release(actor_, claim_); });
      actor_.sleep_until(0);
    }
  }
  if (hold()) finish();
  unwatch();
  witnesses_.left(actor_);
  if (!type_.releases) actor_.sleep_until(granted_us_ + lease_us() + kSilenceAfterLease_us);
}

bool ClientProgram::acquire() {
  for (int attempt = 0; attempt < settings_.attempts; ++attempt) {
    if (attempt > 0 || round_ > 1) actor_.sleep_until(0);
    if (acquire_once()) return true;
  }
  return false;
}

bool ClientProgram::acquire_once() {
  if (!lock_) {
    lock_ = type_.make();
    new_owner();
  }
  const Answer answer = operation(Op::acquire, actor_, false, [&] { return lock_->acquire(actor_, claim_); });
  if (answer.type == EventType::info) {  // nobody knows whether the old one holds the lock
    abandoned_ += 'x';
    new_owner();
  }
  if (answer.type != EventType::ok) return false;
  granted_us_ = actor_.clock.now_us;
  if (!type_.releases) actor_.history.add(granted_us_);  // its silence is counted from there
  watch_ = {claim_, granted_us_ + lease_us() / 3};
  if (watchdog_ != nullptr && watchdog_->waits == Waits::turn) watchdog_->wake_us = watch_.next_us;
  return true;
}

bool ClientProgram::hold() {
  if (type_.renews) {
    const Answer answer = operation(Op::renew, actor_, false, [&] { return lock_->renew(actor_, claim_); });
    if (answer.type == EventType::fail && answer.reason == Reason::not_held) return false;
    actor_.sleep_until(0);
  }
  actor_.operation_begins();
  return lock_->still_held(actor_, claim_);
}

void ClientProgram::finish() {
  if (!type_.releases) return;
  unwatch();
  operation(Op::release, actor_, false, [&] { return lock_->release(actor_, claim_); });
}

void ClientProgram::unwatch() {
  watch_.claim.reset();
  if (watchdog_ != nullptr && watchdog_->waits == Waits::turn) watchdog_->wake_us = kNever_us;
}

// It sleeps for ever where there is nothing to watch; a grant sets its alarm.
void ClientProgram::run_watchdog() {
  watchdog_lock_ = type_.make();
  while (true) {
    watchdog_->history = Fingerprint{};
    watchdog_->sleep_until(watch_.claim ? watch_.next_us : kNever_us);
    if (!watch_.claim) continue;
    Claim claim = *watch_.claim;
    operation(Op::renew, *watchdog_, true, [&] { return watchdog_lock_->background(*watchdog_, claim); });
    watch_.next_us = watchdog_->clock.now_us + lease_us() / 3;
  }
}

}  // namespace holdfast
