#include "client/client_stage.hpp"

#include <algorithm>
#include <ctime>
#include <utility>

#include "artifact/units.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kNap_ns = 50 * kMillisecond_ns;  // maximum sleep before checking whether the trial is over
// Extra silence of a lock without release, so that others see it lapse: the lease plus the whole second that a column
// without fractions may add on either side.
constexpr std::int64_t kSilenceAfterLease_ms = 2000;

// check interval for locks that report a lost lock during a sleep
constexpr std::int64_t kLook_ns = 5 * kMillisecond_ns;

Asking asking(Op op) {
  if (op == Op::acquire) return Asking::acquire;
  if (op == Op::renew) return Asking::renew;
  return op == Op::release ? Asking::release : Asking::nothing;
}

// Sleeps until a time of the monotonic clock; a delay between reading the clock and the call does not lengthen the
// sleep.
void nap_until(std::int64_t monotonic_ns) {
  const timespec until{monotonic_ns / kSecond_ns, monotonic_ns % kSecond_ns};
  ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
}

}  // namespace

ClientStage::ClientStage(ClientShared& shared, const Member& self)
    : shared_(shared),
      self_(self),
      load_(shared.plan.load),
      type_(shared.type),
      page_(shared.page),
      slot_(shared.page.clients[self.client]),
      session_(self.session),
      journal_(self.journal),
      watchdog_(self.watchdog),
      lease_ms_(lease_ms_of(load_, self.client)),
      shares_(shares(load_, self.client)),
      look_ns_(type_.manifest != nullptr ? kLook_ns : kNap_ns),
      keys_(keys_of_client(load_, self.client)),
      random_(self.seed),
      names_(load_, self.client, self.thread, shared.identities, random_) {
  session_.stands([this] { stand_if_blocked(); });
}

std::vector<std::string> ClientStage::lock_keys() const {
  std::vector<std::string> out;
  for (const auto key : keys_) {
    if (const Key text = lock_key(key); !text.is_null()) out.push_back(text);
  }
  return out;
}

void ClientStage::wait_for_start() {
  sleep_until(trial_ns() + draw({0, delay_ms()}) * kMillisecond_ns);
}

Key ClientStage::lock_key(std::uint32_t key) const {
  const KeyText text = key_text(load_, key);
  return text ? Key(shared_.key_prefix + *text) : Key::null();
}

// Draws keys and returns them in list order, so that clients with the same list cannot deadlock.
std::vector<std::uint32_t> ClientStage::draw_keys() {
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

Claim ClientStage::claim(std::uint32_t key) {
  Claim out;
  out.key = lock_key(key);
  out.lease_ms = lease_ms_;
  names_.name(out, session_.address());
  return out;
}

// Keys already held must not get old before the remaining ones are acquired.
bool ClientStage::tries(int, const std::vector<Grant>& held) {
  if (!goes_on()) return false;
  return held.empty() || trial_ns() < held.front().granted_ns + shortest_lease_ms_ * kMillisecond_ns / 2;
}

Answer ClientStage::operation(Op op, Depth depth, Grant& grant, const std::function<Answer()>& work) {
  const bool asks = op == Op::acquire && depth == Depth::outer;
  about(grant);
  if (asks) session_.pass(Phase::before_acquire);
  if (op == Op::renew) session_.pass(Phase::before_renew);
  const std::uint64_t number = ++shared_.numbers;
  if (!asks) return journalled(op, grant, number, work);
  grant.number = number;
  grant.process = names_.identity();
  const Answer answer = journalled(op, grant, number, [&] { return shown_as_waiter(work); });
  const bool refused = answer.reason == Reason::busy || answer.reason == Reason::cancelled;
  waits(answer.type == EventType::fail && refused);
  if (answer.type != EventType::ok) page_.keys[grant.key].last_refusal_ns.store(trial_ns());
  return answer;
}

// A client that waits at the server counts as a waiter, as does one that was refused and retries.
Answer ClientStage::shown_as_waiter(const std::function<Answer()>& work) {
  if (!type_.waits) return work();
  struct OpenAcquire {
    OpenAcquire(std::atomic<std::int64_t>& on_page, ClientState& at_points, std::int64_t poll_ms)
        : since(on_page), state(at_points) {
      const std::int64_t now_ns = monotonic_ns();
      since.store(now_ns);
      state.waits_from_ns = now_ns + poll_ms * kMillisecond_ns;
    }
    ~OpenAcquire() {
      since.store(0);
      state.waits_from_ns = 0;
    }
    std::atomic<std::int64_t>& since;
    ClientState& state;
  } const shown(slot_.asking_since_ns.at(self_.thread), session_.state(), load_.poll_ms);
  return work();
}

Answer ClientStage::journalled(Op op, const Grant& grant, std::uint64_t number, const std::function<Answer()>& work) {
  journal_.event(event(EventType::invoke, op, grant, number));
  about(grant);
  session_.state().asking = asking(op);
  // a write is not: requests before and after it form one sequence
  const bool of_the_lock = asking(op) != Asking::nothing;
  auto& shown = slot_.operations.at(self_.thread);
  slot_.operation_keys.at(self_.thread).store(static_cast<std::int32_t>(grant.key));
  if (of_the_lock) shown.store(number << 2U | static_cast<std::uint64_t>(asking(op)));
  const Answer answer = work();
  if (of_the_lock) shown.store(number << 2U);
  session_.state().asking = Asking::nothing;
  Event done = event(answer.type, op, grant, number);
  done.reason = answer.reason;
  if (op == Op::acquire && answer.type == EventType::ok) {
    done.token = answer.token;
    if (type_.lease) done.lease_ns = lease_ms_ * kMillisecond_ns;
  }
  const bool leases = (op == Op::acquire || op == Op::renew) && answer.type == EventType::ok;
  if (const auto lease_ms = self_.driver.answered_lease_ms(); leases && lease_ms) {
    done.lease_ns = *lease_ms * kMillisecond_ns;
    shortest_lease_ms_ = std::min(shortest_lease_ms_, *lease_ms);
  }
  journal_.event(done);
  return answer;
}

Event ClientStage::event(EventType type, Op op, const Grant& grant, std::uint64_t number) const {
  Event out;
  out.time_ns = trial_ns();
  out.type = type;
  out.op = op;
  out.process = grant.process;
  out.key = grant.key;
  out.number = number;
  out.shared = op == Op::acquire && type == EventType::invoke && shares_;
  if (op == Op::write) {
    out.grant = grant.number;
    if (type_.fenced) out.token = grant.claim.token;
  }
  return out;
}

// Drops an identity that may or may not hold the lock.
void ClientStage::retire() {
  names_.new_identity();
  names_.new_owner();
}

void ClientStage::refused(const Grant&) {
  session_.pass(Phase::refused);
  const std::int64_t poll_ns = delay_ms() * kMillisecond_ns;
  if (!load_.poll_aligned || ticks()) return sleep_until(trial_ns() + poll_ns);
  timespec host{};
  ::clock_gettime(CLOCK_REALTIME, &host);
  const std::int64_t since_ns = (host.tv_sec * 1'000'000'000LL + host.tv_nsec) % poll_ns;
  sleep_until(trial_ns() + poll_ns - since_ns);
}

// Belief lasts from the grant until the release was answered, or until the client leaves without one.
void ClientStage::granted(Grant& grant) {
  slot_.holding.fetch_add(1);
  slot_.believes.at(grant.key).fetch_add(1);
  believed_.push_back(grant.key);
  about(grant);
  grant.granted_ns = trial_ns();
  resigns_ns_.reset();
  if (ticks() && type_.releases && load_.lead_ms.most > 0) {
    resigns_ns_ = grant.granted_ns + draw(load_.lead_ms) * kMillisecond_ns;
  }
  page_.keys[grant.key].last_grant_ns.store(grant.granted_ns);
  if (watchdog_ != nullptr) watchdog_->watch({grant.claim, grant.key, grant.process});
  session_.pass(Phase::granted);
}

void ClientStage::begin_job(Grant& grant) {
  grant.base = self_.resource.read(own_key(grant.key), grant.claim.token);
}

void ClientStage::begin_hold() {
  hold_end_ns_ = trial_ns() + draw(load_.hold_ms) * kMillisecond_ns;
  renewal_ns_.reset();
}

// Renews at a third of the lease with a fixed delay: schedulers count from the end of a renewal.
bool ClientStage::next_renewal(const AskLost& ask_lost) {
  const auto lost = [&] { return ask_lost((hold_end_ns_ - trial_ns()) / kMillisecond_ns); };
  const bool renews = type_.renews && !ticks();
  if (!renewal_ns_) renewal_ns_ = trial_ns() + shortest_lease_ms_ * kMillisecond_ns / 3;
  if (trial_ns() >= hold_end_ns_) return false;
  sleep_until(renews ? std::min(hold_end_ns_, *renewal_ns_) : hold_end_ns_, lost);
  if (!renews || lost() || trial_ns() < *renewal_ns_) return false;
  renewal_ns_.reset();
  return true;
}

void ClientStage::end_job(Grant& grant, const std::function<void()>& runs) {
  if (!grant.base) return;
  about(grant);
  session_.pass(Phase::critical_section);
  runs();
  if (shares_) return;  // it has read, and others read beside it
  const std::uint64_t number = ++shared_.numbers;
  journalled(Op::write, grant, number, [&] {
    const EventType seen =
        self_.resource.write({own_key(grant.key), self_.client, grant.number, number, *grant.base, grant.claim.token});
    return Answer{seen, seen == EventType::ok ? Reason::none : Reason::other, {}};
  });
}

bool ClientStage::next_tick(const std::function<bool()>& lost) {
  wait_for_tick(lost);
  return goes_on() && (!resigns_ns_ || trial_ns() < *resigns_ns_);
}

void ClientStage::before_release(Grant& grant) {
  about(grant);
  session_.pass(Phase::before_release);
  if (watchdog_ != nullptr) watchdog_->leave(grant.key);
}

void ClientStage::leave(const Grant& grant, Reason reason) {
  Event left = event(EventType::ok, Op::leave, grant, ++shared_.numbers);
  left.reason = reason;
  journal_.event(left);
}

void ClientStage::let_go(const Grant& grant) {
  if (watchdog_ != nullptr) watchdog_->leave(grant.key);
  std::erase(believed_, grant.key);
  about(grant);
  slot_.believes.at(grant.key).fetch_sub(1);
  slot_.holding.fetch_sub(1);
}

void ClientStage::end_round(const std::vector<Grant>& held) {
  if (ticks()) return wait_for_tick();
  if (!held.empty() && !type_.releases && goes_on()) {
    const std::int64_t silence_ms = load_.silence_ms > 0 ? load_.silence_ms : lease_ms_ + kSilenceAfterLease_ms;
    sleep_until(trial_ns() + silence_ms * kMillisecond_ns);
  }
  sleep_until(trial_ns() + draw(load_.pause_ms) * kMillisecond_ns);
}

// Publishes the key in use and the client's beliefs, for the comparison with armed points.
void ClientStage::about(const Grant& grant) {
  ClientState& state = session_.state();
  state.key = static_cast<std::int32_t>(grant.key);
  state.believes = !believed_.empty();
  state.believes_this = std::find(believed_.begin(), believed_.end(), grant.key) != believed_.end();
}

void ClientStage::waits(bool yes) {
  bool& shown = session_.state().waits;
  if (shown != yes) slot_.waiting.fetch_add(yes ? 1 : -1);
  shown = yes;
}

void ClientStage::sleep_until(std::int64_t time_ns, const std::function<bool()>& woken) {
  for (std::int64_t now_ns = trial_ns(); now_ns < time_ns && goes_on(); now_ns = trial_ns()) {
    if (woken && woken()) return;
    const std::int64_t nap_ns = std::min(woken ? look_ns_ : kNap_ns, time_ns - now_ns);
    nap_until(page_.zero_ns + now_ns + nap_ns);
    session_.now_ns();  // shows the runner this client's clock
    stand_if_blocked();
  }
}

// Blocks the thread until the fault is healed, and while a blocked thread of the lock's own program sleeps.
void ClientStage::stand_if_blocked() {
  BlockedThread& blocked = slot_.blocked;
  const std::int64_t ms = blocked.ms.load();
  if (ms == 0) return;
  blocked.seen_ns.store(0);
  blocked.since_ns.store(monotonic_ns());
  self_.driver.block(ms, [&blocked] { blocked.seen_ns.store(monotonic_ns()); });
  const timespec nap{0, kLook_ns};
  while (blocked.ms.load() != 0) {
    ::nanosleep(&nap, nullptr);
    self_.driver.pulse();
    blocked.seen_ns.store(monotonic_ns());
  }
  blocked.since_ns.store(0);
}

std::int64_t ClientStage::draw(const Range& range) {
  return std::uniform_int_distribution<std::int64_t>(range.least, range.most)(random_);
}

}  // namespace holdfast
