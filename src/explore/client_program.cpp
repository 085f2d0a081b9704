#include "explore/client_program.hpp"

#include <exception>
#include <utility>

#include "artifact/schedule_word.hpp"

namespace holdfast {
namespace {

// A lock without a release stays silent after its job, as in the client processes: its lease, and the whole second that
// a column without fractions may add on either side.
constexpr std::int64_t kSilenceAfterLease_us = 2 * kSecond_us;

}  // namespace

void ClientProgram::begin() {
  driver_.emplace(type_.make(), actor_);
  round_ = 0;
  abandoned_.clear();
}

LoadRules ClientProgram::rules() const {
  return {.releases = type_.releases, .ticks = ticks(), .reenter = settings_.reenter};
}

void ClientProgram::run() {
  begin();
  actor_.sleep_until(0);
  said(Op::write, false, [&] { return driver_->start(names_.key()); });
  LoadLoop(rules(), *driver_, *this).run();
}

void ClientProgram::run_probe() {
  begin();
  probes_ = true;
  std::vector<Grant> held;
  LoadLoop(rules(), *driver_, *this).gather(held);
}

// Sleeps while there is nothing to watch; a grant sets its alarm.
void ClientProgram::run_watchdog() {
  std::int64_t next_us = kNever_us;
  begin();
  while (true) {
    if (keeps_nothing_) actor_.forget_all_but(Fingerprint{});
    actor_.sleep_until(next_us);
    next_us = kNever_us;
    if (!actor_.watch().claim) continue;
    Claim claim = *actor_.watch().claim;
    said(Op::renew, true, [&] { return driver_->background(claim); });
    const Watch watched = actor_.watch();  // meanwhile its client may have released, or hold again
    if (!watched.claim) continue;
    next_us = actor_.now_us() + watchdog_delay_us();
    watch({watched.claim, next_us});
  }
}

bool ClientProgram::begin_round() {
  if (round_ == settings_.rounds) return false;
  ++round_;
  abandoned_.clear();
  ticked_ = false;
  return true;
}

Claim ClientProgram::claim(std::uint32_t) {
  const std::string name = actor_name(actor_.id);
  Claim out;
  out.key = names_.key();
  out.owner = names_.owner(name, std::to_string(round_) + abandoned_);
  out.lease_ms = settings_.lease_ms;
  out.server_id = settings_.server_id == "one" ? "server:" : name + ":";
  out.value = settings_.value == "with_own_id" ? out.server_id + out.owner : out.owner;
  return out;
}

// A client holds one lock, as the client processes do. If it keeps nothing between attempts, only the store remembers
// earlier ones, and states can be equal; otherwise everything that the client has received since its start matters.
bool ClientProgram::tries(int attempt, const std::vector<Grant>&) {
  if (attempt == (probes_ ? 2 : settings_.attempts)) return false;
  if (keeps_nothing_) actor_.forget_all_but(Fingerprint{}.add(round_).add(abandoned_).add(attempt));
  if (!probes_ && (attempt > 0 || round_ > 1)) actor_.sleep_until(tick_us());
  return true;
}

// The inner release of a reentrant job does not end the belief: the client still holds the lock.
Answer ClientProgram::operation(Op op, Depth depth, Grant&, const std::function<Answer()>& work) {
  const bool inner_release = op == Op::release && depth == Depth::inner;
  const Answer answer = said(inner_release ? Op::write : op, false, work);
  if (inner_release) actor_.sleep_until(0);
  return answer;
}

Answer ClientProgram::said(Op op, bool background, const std::function<Answer()>& work) {
  using Kind = ClientAnnouncement::Kind;
  actor_.operation_begins();
  actor_.say({Kind::asked, op, background});
  Answer answer;
  try {
    answer = work();
    if (driver_->unexpected()) actor_.say({Kind::broke, op, background, {}, driver_->why()});
  } catch (const std::exception& thrown) {
    actor_.say({Kind::broke, op, background, {}, thrown.what()});
    answer = {EventType::info, Reason::other, {}};
  }
  actor_.remember(static_cast<int>(answer.type));
  actor_.say({Kind::answered, op, background, answer});
  return answer;
}

void ClientProgram::granted(Grant& grant) {
  // For example how often it was refused.
  if (keeps_nothing_) actor_.forget_before(Fingerprint{}.add(round_).add(abandoned_));
  granted_us_ = actor_.now_us();
  if (!type_.releases) actor_.remember(granted_us_);  // its silence is counted from there
  watch({grant.claim, granted_us_ + watchdog_delay_us()});
}

// Renews once: further renewals show nothing new.
bool ClientProgram::next_renewal(const AskLost&) {
  if (!type_.renews || ticks()) return false;
  if (std::exchange(renewed_, true)) {
    actor_.sleep_until(0);
    return false;
  }
  return true;
}

// A check that neither reads a clock nor asks the server does not count.
bool ClientProgram::look(const Grant&, const std::function<bool()>& still_held) {
  using Kind = ClientAnnouncement::Kind;
  actor_.operation_begins();
  actor_.look_begins();
  actor_.say({Kind::looks});
  bool held = false;
  try {
    held = still_held();
  } catch (const std::exception& thrown) {
    actor_.say({Kind::broke, Op::write, false, {}, thrown.what()});
  }
  const bool looked = actor_.look_ends();
  actor_.remember(held ? 1 : 0);
  if (looked) actor_.say({Kind::looked, Op::write, false, held ? Answer::done() : Answer::not_held()});
  return held;
}

bool ClientProgram::next_tick(const std::function<bool()>&) {
  if (std::exchange(ticked_, true)) return false;
  actor_.sleep_until(tick_us());
  return true;
}

void ClientProgram::let_go(const Grant&) {
  watch({});
  actor_.say({ClientAnnouncement::Kind::left});
}

void ClientProgram::end_round(const std::vector<Grant>& held) {
  if (held.empty() || type_.releases || (ticks() && !held.front().mine)) return;
  actor_.sleep_until(granted_us_ + lease_us() + kSilenceAfterLease_us);
}

void ClientProgram::watch(Watch watch) {
  if (!type_.renews_in_background) return;
  actor_.say(
      {ClientAnnouncement::Kind::watches, Op::write, false, {}, {}, std::make_shared<const Watch>(std::move(watch))});
}

}  // namespace holdfast
