#include "client/worker.hpp"

#include <algorithm>
#include <ctime>

#include "artifact/units.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kNap_ns = 50 * kMillisecond_ns;  // longest sleep before looking whether the trial is over
// A lock without a release stays silent until others must have seen it lapse: its lease, and the whole second that a
// column without fractions may add on either side.
constexpr std::int64_t kSilenceAfterLease_ms = 2000;

}  // namespace

Worker::Worker(Team& team, const Member& self)
    : team_(team),
      self_(self),
      load_(team.plan.load),
      type_(team.type),
      page_(team.page),
      slot_(team.page.clients[self.client]),
      session_(self.session),
      journal_(self.journal),
      lock_(team.lock),
      watchdog_(self.watchdog),
      lease_ms_(lease_ms_of(load_, self.client)),
      keys_(keys_of_client(load_, self.client)),
      random_(self.seed),
      number_(team.numbers) {
  new_identity();
}

void Worker::start() {
  for (const auto key : keys_) {
    if (const Key text = lock_key(key); !text.is_null()) lock_.start(session_, text);
  }
}

void Worker::run() {
  sleep_until(trial_ns() + draw({0, delay_ms()}) * kMillisecond_ns);
  while (!stopping()) round();
}

void Worker::round() {
  std::vector<Grant> held;
  const bool ticks = load_.tick_ms > 0;
  if (gather(held)) ticks ? lead(held) : work(held);
  let_go(held);
  if (ticks) return wait_for_tick();
  if (!held.empty() && !type_.releases && !stopping()) {
    const std::int64_t silence_ms = load_.silence_ms > 0 ? load_.silence_ms : lease_ms_ + kSilenceAfterLease_ms;
    sleep_until(trial_ns() + silence_ms * kMillisecond_ns);
  }
  sleep_until(trial_ns() + draw(load_.pause_ms) * kMillisecond_ns);
}

// Which of its keys is drawn; they are taken in the order of its list, so that clients with one list cannot wait for
// each other in a ring.
std::vector<std::uint32_t> Worker::draw_keys() {
  std::vector<std::size_t> places(keys_.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
  const auto wanted = static_cast<std::size_t>(load_.keys_at_once);
  for (std::size_t i = 0; i < wanted; ++i) {
    std::swap(places[i],
              places[i + static_cast<std::size_t>(draw({0, static_cast<std::int64_t>(keys_.size() - i) - 1}))]);
  }
  places.resize(wanted);
  std::sort(places.begin(), places.end());
  std::vector<std::uint32_t> out;
  out.reserve(places.size());
  for (const auto place : places) out.push_back(keys_[place]);
  return out;
}

// False: the trial ends, or what is held already would grow old before the rest is there.
bool Worker::gather(std::vector<Grant>& held) {
  new_owner();
  std::int64_t until_ns = INT64_MAX;
  for (const auto key : draw_keys()) {
    if (!held.empty()) new_owner();
    Grant grant;
    grant.key = key;
    grant.claim.key = lock_key(key);
    grant.claim.lease_ms = lease_ms_;
    name(grant.claim);
    const bool got = take(grant, until_ns);
    if (!got) waits(false);
    if (!got) return false;
    if (held.empty()) until_ns = trial_ns() + lease_ms_ * kMillisecond_ns / 2;
    held.push_back(std::move(grant));
  }
  return true;
}

bool Worker::take(Grant& grant, std::int64_t until_ns) {
  while (!stopping() && trial_ns() < until_ns) {
    if (acquire(grant)) return true;
    refused(grant);
    name(grant.claim);
  }
  return false;
}

bool Worker::acquire(Grant& grant) {
  about(grant);
  session_.pass(Phase::before_acquire);
  grant.number = ++number_;
  grant.process = process_;
  const Answer answer = operation(Op::acquire, grant, grant.number, [&] { return ask_shown(grant); });
  waits(answer.type == EventType::fail && answer.reason == Reason::busy);
  if (answer.type == EventType::ok) {
    begin_belief(grant);
    page_.keys[grant.key].last_grant_ns.store(trial_ns());
    if (watchdog_ != nullptr) watchdog_->watch({grant.claim, grant.key, grant.process});
    session_.pass(Phase::granted);
    return true;
  }
  page_.keys[grant.key].last_refusal_ns.store(trial_ns());
  if (answer.type == EventType::info) retire(grant);
  return false;
}

// The identity that may or may not hold the lock is not used again, but for one release where the scenario says so.
void Worker::retire(Grant& grant) {
  if (load_.after_info == "clean_up" && type_.releases) {
    operation(Op::release, grant, ++number_, [&] { return lock_.release(session_, grant.claim); });
  }
  new_identity();
  new_owner();
}

// Whoever waits at the server is a waiter as much as one that was refused and asks again.
Answer Worker::ask_shown(Grant& grant) {
  if (!type_.waits) return ask(grant);
  struct Shown {
    Shown(std::atomic<std::int64_t>& on_page, Standing& at_points, std::int64_t poll_ms)
        : since(on_page), standing(at_points) {
      const std::int64_t now_ns = monotonic_ns();
      since.store(now_ns);
      standing.waits_from_ns = now_ns + poll_ms * kMillisecond_ns;
    }
    ~Shown() {
      since.store(0);
      standing.waits_from_ns = 0;
    }
    std::atomic<std::int64_t>& since;
    Standing& standing;
  } const shown(slot_.asking_since_ns.at(self_.thread), session_.standing(), load_.poll_ms);
  return ask(grant);
}

// `after_info: retry`: the same operation goes on until it has a sure answer; its window spans all that was sent.
Answer Worker::ask(Grant& grant) {
  while (true) {
    try {
      const Answer answer = lock_.acquire(session_, grant.claim);
      if (answer.type != EventType::info || load_.after_info != "retry" || stopping()) return answer;
    } catch (const StatementFailed& failed) {
      if (failed.definite || load_.after_info != "retry" || stopping()) throw;
    }
    sleep_until(trial_ns() + load_.poll_ms * kMillisecond_ns);
  }
}

void Worker::refused(const Grant&) {
  session_.pass(Phase::refused);
  const std::int64_t poll_ns = delay_ms() * kMillisecond_ns;
  if (!load_.poll_aligned || load_.tick_ms > 0) return sleep_until(trial_ns() + poll_ns);
  timespec host{};
  ::clock_gettime(CLOCK_REALTIME, &host);
  const std::int64_t since_ns = (host.tv_sec * 1'000'000'000LL + host.tv_nsec) % poll_ns;
  sleep_until(trial_ns() + poll_ns - since_ns);
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
