#include "explore/client_program.hpp"

#include <exception>
#include <utility>

#include "artifact/schedule_word.hpp"

namespace holdfast {
namespace {

// A lock without a release stays silent after its job: its lease, and the whole second that a column without fractions
// may add on either side, as the client processes do.
constexpr std::int64_t kSilenceAfterLease_us = 2 * kSecond_us;

// An error that no lock should have to expect.
bool refusal(int error) {
  return error == kDuplicateKey || error == kLockWaitTimeout || error == kDeadlock || error == kNowaitRefused ||
         error == 0;
}

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

Answer ClientProgram::operation(Op op, bool background, const std::function<Answer()>& work) {
  using Kind = Said::Kind;
  actor_.operation_begins();
  actor_.say({Kind::asked, op, background});
  Answer answer;
  try {
    answer = work();
  } catch (const StatementFailed& failed) {
    if (failed.definite && !refusal(failed.error)) actor_.say({Kind::broke, op, background, {}, failed.what()});
    answer = {failed.definite ? EventType::fail : EventType::info, failed.reason, {}};
  } catch (const std::exception& thrown) {
    actor_.say({Kind::broke, op, background, {}, thrown.what()});
    answer = {EventType::info, Reason::other, {}};
  }
  actor_.remember(static_cast<int>(answer.type));
  actor_.say({Kind::answered, op, background, answer});
  return answer;
}

void ClientProgram::run() {
  lock_ = type_.make();
  round_ = 1;
  abandoned_.clear();
  new_owner();
  actor_.sleep_until(0);
  operation(Op::write, false, [&] {
    lock_->start(actor_, claim_.key);
    return Answer::done();
  });
  for (; round_ <= settings_.rounds; ++round_) {
    begin_round();
    round();
  }
}

void ClientProgram::run_probe() {
  lock_ = type_.make();
  round_ = 0;
  begin_round();
  bool granted = false;
  for (int attempt = 0; attempt < 2 && !granted; ++attempt) {
    begin_attempt(attempt);
    granted = acquire_once();
  }
}

void ClientProgram::begin_round() {
  abandoned_.clear();
  new_owner();
}

// A client keeps one lock, as the client processes do. Where it can keep nothing from one attempt to the next, only the
// store remembers those before, and states can be equal; else all that the client was told since it began matters.
void ClientProgram::begin_attempt(int attempt) {
  if (keeps_nothing_) actor_.forget_all_but(Fingerprint{}.add(round_).add(abandoned_).add(attempt));
}

void ClientProgram::round() {
  if (!acquire()) return;
  actor_.sleep_until(0);  // at work
  if (settings_.reenter) {
    const Answer again = operation(Op::acquire, false, [&] { return lock_->acquire(actor_, claim_); });
    if (again.type == EventType::ok && type_.releases) {
      operation(Op::write, false, [&] { return lock_->release(actor_, claim_); });
      actor_.sleep_until(0);
    }
  }
  const bool held = hold();
  if (held) finish();
  watch({});
  actor_.say({Said::Kind::left});
  if (!type_.releases && (held || type_.tick_ms == 0))
    actor_.sleep_until(granted_us_ + lease_us() + kSilenceAfterLease_us);
}

bool ClientProgram::acquire() {
  for (int attempt = 0; attempt < settings_.attempts; ++attempt) {
    begin_attempt(attempt);
    if (attempt > 0 || round_ > 1) actor_.sleep_until(tick_us());
    if (acquire_once()) return true;
  }
  return false;
}

bool ClientProgram::acquire_once() {
  const Answer answer = operation(Op::acquire, false, [&] { return lock_->acquire(actor_, claim_); });
  if (answer.type == EventType::info) {  // nobody knows whether the old one holds the lock
    abandoned_ += 'x';
    new_owner();
  }
  if (answer.type != EventType::ok) return false;
  // Such as how often it was refused.
  if (keeps_nothing_) actor_.forget_before(Fingerprint{}.add(round_).add(abandoned_));
  granted_us_ = actor_.now_us();
  if (!type_.releases) actor_.remember(granted_us_);  // its silence is counted from there
  watch({claim_, granted_us_ + watchdog_delay_us()});
  return true;
}

bool ClientProgram::hold() {
  if (type_.renews) {
    if (type_.tick_ms > 0) actor_.sleep_until(tick_us());
    const Answer answer = operation(Op::renew, false, [&] { return lock_->renew(actor_, claim_); });
    if (answer.type == EventType::fail && answer.reason == Reason::not_held) return false;
    actor_.sleep_until(0);
  }
  return looks_held();
}

// The client's own look at its deadline. What neither reads a clock nor asks the server is none.
bool ClientProgram::looks_held() {
  using Kind = Said::Kind;
  actor_.operation_begins();
  actor_.look_begins();
  actor_.say({Kind::looks});
  bool held = false;
  try {
    held = lock_->still_held(actor_, claim_);
  } catch (const StatementFailed&) {  // who cannot see that it holds the lock acts as if it did not
  } catch (const std::exception& thrown) {
    actor_.say({Kind::broke, Op::write, false, {}, thrown.what()});
  }
  const bool looked = actor_.look_ends();
  actor_.remember(held ? 1 : 0);
  if (looked) actor_.say({Kind::looked, Op::write, false, held ? Answer::done() : Answer::not_held()});
  return held;
}

void ClientProgram::finish() {
  if (!type_.releases) return;
  watch({});
  operation(Op::release, false, [&] { return lock_->release(actor_, claim_); });
}

void ClientProgram::watch(Watch watch) {
  if (!type_.renews_in_background) return;
  actor_.say({Said::Kind::watches, Op::write, false, {}, {}, std::make_shared<const Watch>(std::move(watch))});
}

// It sleeps for ever where there is nothing to watch; a grant sets its alarm.
void ClientProgram::run_watchdog() {
  std::int64_t next_us = kNever_us;
  lock_ = type_.make();
  while (true) {
    if (keeps_nothing_) actor_.forget_all_but(Fingerprint{});
    actor_.sleep_until(next_us);
    next_us = kNever_us;
    if (!actor_.watch().claim) continue;
    claim_ = *actor_.watch().claim;
    operation(Op::renew, true, [&] { return lock_->background(actor_, claim_); });
    const Watch watched = actor_.watch();  // by now its client may have let go, or hold anew
    if (!watched.claim) continue;
    next_us = actor_.now_us() + watchdog_delay_us();
    watch({watched.claim, next_us});
  }
}

}  // namespace holdfast
