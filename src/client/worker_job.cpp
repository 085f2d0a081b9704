// What a worker does with what it was granted, until it holds nothing any more.
#include <algorithm>

#include "artifact/units.hpp"
#include "client/worker.hpp"

namespace holdfast {

void Worker::work(std::vector<Grant>& held) {
  for (Grant& grant : held) {
    grant.base = self_.resource.read(own_key(grant.key), grant.claim.token);
    if (load_.reenter) reenter(grant);
  }
  if (!hold(held)) return;
  for (Grant& grant : held) {
    if (grant.base) write(grant, *grant.base);
  }
}

// A tick without an answer is no order to step down, and none to work: the job belongs to the ticks that said yes.
void Worker::lead(std::vector<Grant>& held) {
  bool told_so = true;
  while (true) {
    if (told_so) work(held);
    wait_for_tick();
    if (stopping()) return;
    for (Grant& grant : held) {
      told_so = renew(grant).type == EventType::ok;
      if (!grant.mine) return;
    }
  }
}

// The last one first.
void Worker::let_go(std::vector<Grant>& held) {
  std::for_each(held.rbegin(), held.rend(), [this](Grant& grant) {
    if (grant.mine) finish(grant);
    if (watchdog_ != nullptr) watchdog_->leave(grant.key);
    end_belief(grant);
  });
}

// As code does that calls other code which takes the same lock: acquires what it holds, and releases that again. A
// refusal harms nobody here.
void Worker::reenter(Grant& grant) {
  const Answer again = operation(Op::acquire, grant, ++number_, [&] { return lock_.acquire(session_, grant.claim); });
  if (again.type != EventType::ok || !type_.releases) return;
  operation(Op::release, grant, ++number_, [&] { return lock_.release(session_, grant.claim); });
}

// False: the client knows that it is no longer the holder of all that its job needs.
bool Worker::hold(std::vector<Grant>& held) {
  const std::int64_t end_ns = trial_ns() + draw(load_.hold_ms) * kMillisecond_ns;
  const bool renews = type_.renews && load_.tick_ms == 0;
  const std::int64_t every_ns = lease_ms_ * kMillisecond_ns / 3;
  std::int64_t renew_ns = trial_ns() + every_ns;
  while (trial_ns() < end_ns && !stopping()) {
    sleep_until(renews ? std::min(end_ns, renew_ns) : end_ns);
    if (!renews || trial_ns() < renew_ns) continue;
    for (Grant& grant : held) {
      renew(grant);
      if (!grant.mine) return false;
    }
    renew_ns = trial_ns() + every_ns;  // a fixed delay: schedulers count from the end of a run
  }
  for (Grant& grant : held) {
    grant.mine = lock_.still_held(session_, grant.claim);
    if (!grant.mine) leave(grant, Reason::deadline);
  }
  return std::all_of(held.begin(), held.end(), [](const Grant& grant) { return grant.mine; });
}

Answer Worker::renew(Grant& grant) {
  about(grant);
  session_.pass(Phase::before_renew);
  const Answer answer = operation(Op::renew, grant, ++number_, [&] { return lock_.renew(session_, grant.claim); });
  grant.mine = answer.type != EventType::fail || answer.reason != Reason::not_held;
  return answer;
}

void Worker::write(Grant& grant, std::int64_t base) {
  about(grant);
  session_.pass(Phase::critical_section);
  const std::uint64_t number = ++number_;
  operation(Op::write, grant, number, [&] {
    const EventType seen =
        self_.resource.write({own_key(grant.key), self_.client, grant.number, number, base, grant.claim.token});
    return Answer{seen, seen == EventType::ok ? Reason::none : Reason::other, {}};
  });
}

void Worker::finish(Grant& grant) {
  if (!type_.releases) return leave(grant, Reason::none);
  about(grant);
  session_.pass(Phase::before_release);
  if (watchdog_ != nullptr) watchdog_->leave(grant.key);
  operation(Op::release, grant, ++number_, [&] { return lock_.release(session_, grant.claim); });
}

}  // namespace holdfast
