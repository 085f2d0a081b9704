#include "client/worker.hpp"
#include "artifact/units.hpp"

#include <algorithm>
#include <ctime>

namespace holdfast {
namespace {

constexpr std::int64_t kNap_ns = 50 * kMillisecond_ns;  // longest sleep before looking whether the trial is over
// A lock without a release stays silent until others must have seen it lapse: its lease, and the whole second that a
// column without fractions may add on either side.
constexpr std::int64_t kSilenceAfterLease_ms = 2000;

}  // namespace

Worker::Worker(const Plan& plan, const ClientPlan& self, const LockType& type, ControlPage& page,
               ClientSession& session, ResourceClient& resource, JournalWriter& journal, Watchdog* watchdog,
               std::atomic<std::uint64_t>& numbers)
    : plan_(plan),
      self_(self),
      type_(type),
      page_(page),
      slot_(page.clients[self.client]),
      session_(session),
      resource_(resource),
      journal_(journal),
      lock_(type.make()),
      random_(self.seed),
      process_(self.client),
      watchdog_(watchdog),
      number_(numbers) {}

void Worker::start() {
  for (std::int64_t key = 0; key < plan_.load.keys; ++key) lock_->start(session_, lock_key(key));
}

void Worker::run() {
  sleep_until(trial_ns() + draw({0, plan_.load.poll_ms}) * kMillisecond_ns);
  while (!stopping()) round();
}

void Worker::round() {
  Grant grant;
  new_owner();
  grant.key = static_cast<std::uint32_t>(draw({0, plan_.load.keys - 1}));
  grant.claim.key = lock_key(grant.key);
  grant.claim.lease_ms = plan_.load.lease_ms;
  name(grant.claim);
  while (!stopping()) {
    if (acquire(grant)) {
      critical_section(grant);
      break;
    }
    refused(grant);
    name(grant.claim);
  }
  sleep_until(trial_ns() + draw(plan_.load.pause_ms) * kMillisecond_ns);
}

bool Worker::acquire(Grant& grant) {
  session_.standing().key = static_cast<std::int32_t>(grant.key);
  session_.pass(Phase::before_acquire);
  grant.number = ++number_;
  const Answer answer = operation(Op::acquire, grant, grant.number, [&] { return ask(grant); });
  waits(answer.type == EventType::fail && answer.reason == Reason::busy);
  if (answer.type == EventType::ok) {
    begin_belief(grant);
    page_.keys[grant.key].last_grant_ns.store(trial_ns());
    if (watchdog_ != nullptr) watchdog_->watch({grant.claim, grant.key, process_});
    session_.pass(Phase::granted);
    return true;
  }
  page_.keys[grant.key].last_refusal_ns.store(trial_ns());
  if (answer.type == EventType::info) retire(grant);
  return false;
}

// The identity that may or may not hold the lock is not used again, but for one release where the scenario says so.
void Worker::retire(Grant& grant) {
  if (plan_.load.after_info == "clean_up" && type_.releases) {
    operation(Op::release, grant, ++number_, [&] { return lock_->release(session_, grant.claim); });
  }
  process_ += static_cast<std::uint32_t>(kClientSlots);
  new_owner();
}

// `after_info: retry`: the same operation goes on until it has a sure answer; its window spans all that was sent.
Answer Worker::ask(Grant& grant) {
  while (true) {
    try {
      const Answer answer = lock_->acquire(session_, grant.claim);
      if (answer.type != EventType::info || plan_.load.after_info != "retry" || stopping()) return answer;
    } catch (const StatementFailed& failed) {
      if (failed.definite || plan_.load.after_info != "retry" || stopping()) throw;
    }
    sleep_until(trial_ns() + plan_.load.poll_ms * kMillisecond_ns);
  }
}

void Worker::refused(const Grant&) {
  session_.pass(Phase::refused);
  const std::int64_t poll_ns = plan_.load.poll_ms * kMillisecond_ns;
  if (!plan_.load.poll_aligned) return sleep_until(trial_ns() + poll_ns);
  timespec host{};
  ::clock_gettime(CLOCK_REALTIME, &host);
  const std::int64_t since_ns = (host.tv_sec * 1'000'000'000LL + host.tv_nsec) % poll_ns;
  sleep_until(trial_ns() + poll_ns - since_ns);
}

void Worker::critical_section(Grant& grant) {
  const auto base = resource_.read(own_key(grant.key), grant.claim.token);
  if (plan_.load.reenter) reenter(grant);
  const bool mine = hold(grant);
  if (mine && base) write(grant, *base);
  if (mine) finish(grant);
  if (watchdog_ != nullptr) watchdog_->leave();
  end_belief(grant);
  if (!type_.releases && !stopping()) {
    const std::int64_t own_ms = plan_.load.silence_ms;
    const std::int64_t silence_ms = own_ms > 0 ? own_ms : plan_.load.lease_ms + kSilenceAfterLease_ms;
    sleep_until(trial_ns() + silence_ms * kMillisecond_ns);
  }
}

// As code does that calls other code which takes the same lock: acquires what it holds, and releases that again. A
// refusal harms nobody here.
void Worker::reenter(Grant& grant) {
  const Answer again = operation(Op::acquire, grant, ++number_, [&] { return lock_->acquire(session_, grant.claim); });
  if (again.type != EventType::ok || !type_.releases) return;
  operation(Op::release, grant, ++number_, [&] { return lock_->release(session_, grant.claim); });
}

// False: the client knows that it is no longer the holder.
bool Worker::hold(Grant& grant) {
  const std::int64_t end_ns = trial_ns() + draw(plan_.load.hold_ms) * kMillisecond_ns;
  const std::int64_t every_ns = plan_.load.lease_ms * kMillisecond_ns / 3;
  std::int64_t renew_ns = trial_ns() + every_ns;
  while (trial_ns() < end_ns && !stopping()) {
    sleep_until(type_.renews ? std::min(end_ns, renew_ns) : end_ns);
    if (!type_.renews || trial_ns() < renew_ns) continue;
    session_.pass(Phase::before_renew);
    const Answer answer = operation(Op::renew, grant, ++number_, [&] { return lock_->renew(session_, grant.claim); });
    if (answer.type == EventType::fail && answer.reason == Reason::not_held) return false;
    renew_ns = trial_ns() + every_ns;  // a fixed delay: schedulers count from the end of a run
  }
  if (lock_->still_held(session_, grant.claim)) return true;
  leave(grant, Reason::deadline);
  return false;
}

void Worker::write(Grant& grant, std::int64_t base) {
  session_.pass(Phase::critical_section);
  const std::uint64_t number = ++number_;
  operation(Op::write, grant, number, [&] {
    const EventType seen =
        resource_.write({own_key(grant.key), self_.client, grant.number, number, base, grant.claim.token});
    return Answer{seen, seen == EventType::ok ? Reason::none : Reason::other, {}};
  });
}

void Worker::finish(Grant& grant) {
  if (!type_.releases) return leave(grant, Reason::none);
  session_.pass(Phase::before_release);
  if (watchdog_ != nullptr) watchdog_->leave();
  operation(Op::release, grant, ++number_, [&] { return lock_->release(session_, grant.claim); });
}

void Worker::sleep_until(std::int64_t time_ns) {
  for (std::int64_t now_ns = trial_ns(); now_ns < time_ns && !stopping(); now_ns = trial_ns()) {
    const std::int64_t nap_ns = std::min(kNap_ns, time_ns - now_ns);
    const timespec wait{nap_ns / 1'000'000'000, nap_ns % 1'000'000'000};
    ::nanosleep(&wait, nullptr);
    session_.now_ns();  // shows the runner what this client's clock says
  }
}

std::int64_t Worker::draw(const Range& range) {
  return std::uniform_int_distribution<std::int64_t>(range.least, range.most)(random_);
}

}  // namespace holdfast
