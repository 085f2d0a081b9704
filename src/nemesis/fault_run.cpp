#include "nemesis/fault_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>

#include "artifact/error.hpp"
#include "artifact/poll_until.hpp"
#include "artifact/units.hpp"
#include "nemesis/nemesis.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kShare = 50;           // looks take at most this fraction of the time
constexpr std::int64_t kSlow_ms = 1000;       // interval between slow looks
constexpr std::int64_t kSlowTakes_ms = 1000;  // duration of a slow look whose probe gets no answer
constexpr std::int64_t kAgain_ms = 10;

double seconds(std::int64_t ns) {
  return static_cast<double>(ns) / 1e9;
}

constexpr std::int64_t kLook_ms = 1;
constexpr std::int64_t kOpen_ms = 60'000;  // one turn of a wait without a known end
constexpr std::int64_t kSecret_ms = 2;

}  // namespace

void NemesisRecord::tell(Event event) {
  const std::lock_guard guard(mutex_);
  report_.events.push_back(std::move(event));
}

void NemesisRecord::error(const std::string& fault, const std::string& why) {
  const std::lock_guard guard(mutex_);
  report_.errors.push_back("fault " + fault + ": " + why);
}

void NemesisRecord::unavailable(const std::string& fault, const std::string& why) {
  const std::lock_guard guard(mutex_);
  if (report_.unavailable.empty()) report_.unavailable = "fault " + fault + ": " + why;
}

NemesisReport NemesisRecord::report() const {
  const std::lock_guard guard(mutex_);
  return report_;
}

// A continued client may reach the next fault's injection point while the previous fault's end is still being proved.
void NemesisRecord::claim(const std::string& fault, const Victims& victims) {
  constexpr std::chrono::seconds kEnding{3};
  std::unique_lock guard(mutex_);
  const auto is_free = [&] {
    return std::none_of(victims.begin(), victims.end(), [&](auto victim) {
      return struck_.count({fault, victim}) > 0;
    });
  };
  if (!given_back_.wait_for(guard, kEnding, is_free)) {
    throw HarnessError("another " + fault +
                       " still strikes the same target; remedy: use a later `at`, or a shorter fault before it");
  }
  for (const auto victim : victims) struck_.insert({fault, victim});
}

void NemesisRecord::give_back(const std::string& fault, const Victims& victims) {
  const std::lock_guard guard(mutex_);
  for (const auto victim : victims) struck_.erase({fault, victim});
  given_back_.notify_all();
}

FaultWatch::FaultWatch(World& world, Fault& fault, const Victims& victims)
    : world_(world),
      fault_(fault),
      victims_(victims),
      began_ns_(world.time().now_ns()),
      seen_ns_(began_ns_),
      due_ns_(began_ns_),
      slow_ns_(began_ns_ + kSlow_ms * kMillisecond_ns) {}

void FaultWatch::look(std::int64_t left_ms) {
  const std::int64_t now_ns = world_.time().now_ns();
  if (!broken_.empty() || now_ns < due_ns_) return;
  const bool slowly = now_ns >= slow_ns_ && left_ms > kSlowTakes_ms;
  take(slowly);
  const std::int64_t done_ns = world_.time().now_ns();
  const std::int64_t rest_ns = slowly ? 0 : kShare * (done_ns - now_ns);
  due_ns_ = done_ns + std::max(world_.time().look_every_ms(fault_.look_every_ms()) * kMillisecond_ns, rest_ns);
  if (slowly) slow_ns_ = done_ns + kSlow_ms * kMillisecond_ns;
}

std::int64_t FaultWatch::due_ms() const {
  if (!broken_.empty()) return kSlow_ms;  // no further look
  return std::max<std::int64_t>(1, (due_ns_ - world_.time().now_ns()) / kMillisecond_ns);
}

void FaultWatch::take(bool slowly) {
  try {
    const Look seen = fault_.look(world_, victims_, slowly);
    const std::int64_t now_ns = world_.time().now_ns();
    unclear_ = seen == Look::unclear;
    if (seen == Look::in_force) seen_ns_ = now_ns;
    if (seen != Look::over) return;
    broken_ = fmt::format("it did not last: it was in force for {:.3f} s, but was over {:.3f} s after it began",
                          seconds(seen_ns_ - began_ns_), seconds(now_ns - began_ns_));
  } catch (const std::exception& failed) {
    broken_ = std::string("could not check that it was still in force: ") + text_of(failed);
  }
}

void FaultWatch::last_look() {
  if (!broken_.empty()) return;
  const std::int64_t until_ns = world_.time().now_ns() + kProof_ms * kMillisecond_ns;
  const auto clear = [this] {
    take(false);
    return !unclear_ || !broken_.empty();
  };
  poll_until(clear, kAgain_ms, [&] { return world_.time().now_ns() >= until_ns; });
  if (!unclear_ || !broken_.empty()) return;
  broken_ = fmt::format("could not confirm that it lasted: it was last seen in force {:.3f} s after it began",
                        seconds(seen_ns_ - began_ns_));
}

FaultRun::FaultRun(WholeWorld& whole, const FaultSpec& spec, std::size_t number, Sabotage sabotage,
                   NemesisRecord& record)
    : spec_(spec),
      number_(number),
      sabotage_(sabotage),
      record_(record),
      type_(fault_type(spec)),
      whole_(whole),
      world_(whole.only(type_.needs, spec.fault)),
      time_(whole.time()),
      points_(whole.injection_points()),
      stops_somebody_(!spec.at.time_ms),
      fault_(make_fault(spec)) {}

void FaultRun::run_fault(const std::function<void()>& struck) {
  auto victims = wait_moment();
  if (!victims) {
    return nobody_came(number_,
                       "the injection point was never reached; remedy: choose another `at`, or a longer duration_ms");
  }
  victims_ = std::move(*victims);
  std::optional<SoleStrike> claim;
  try {
    if (fault_->lasts()) claim.emplace(record_, spec_.fault, victims_);
    cause_ = fault_->cause(world_, type_.cause);
  } catch (...) {
    let_go();
    throw;
  }
  perform(struck);
}

// An optional fault may not occur, but one that could not have occurred is not a pass.
void FaultRun::nobody_came(std::size_t point, const std::string& otherwise) {
  const bool at_point = stops_somebody_ || point != number_;
  const Absence absence = at_point ? points_.absence(point) : Absence{};
  if (absence.unreadable) return record_.unavailable(spec_.fault, absence.why);
  if (spec_.optional && point == number_) return;
  error(absence.why.empty() ? otherwise : absence.why);
}

// The client stopped at its point continues without further waiting.
void FaultRun::let_go() {
  if (stops_somebody_) points_.release(number_, PointAction::go_on);
}

std::optional<Victims> FaultRun::wait_moment() {
  if (stops_somebody_) {
    const auto arrived = points_.wait_arrival(number_);
    if (!arrived) return std::nullopt;
    try {
      return pick_victims(whole_.candidates(), spec_, arrived);
    } catch (...) {
      let_go();
      throw;
    }
  }
  if (*spec_.at.time_ms > 0 && !wait_load(*spec_.at.time_ms)) return std::nullopt;
  do {
    if (auto victims = pick_victims(whole_.candidates(), spec_, std::nullopt); !victims.empty()) return victims;
  } while (time_.wait_ms(kLook_ms));
  return std::nullopt;
}

// Waits until the load has lasted that long; returns false if the trial closed before.
bool FaultRun::wait_load(std::int64_t ms) {
  while (time_.load_ns() < 0) {
    if (!time_.wait_ms(time_.look_every_ms(kLook_ms))) return false;
  }
  return time_.wait_ms(ms - (time_.now_ns() - time_.load_ns()) / kMillisecond_ns);
}

// Polls until there is an answer. Continues when the trial closes, to prove healing.
std::optional<std::string> FaultRun::prove(std::int64_t patience_ms, const Ask& ask) {
  const std::int64_t until_ns = time_.now_ns() + patience_ms * kMillisecond_ns;
  for (std::int64_t pause_ms = kLook_ms;; pause_ms = std::min(2 * pause_ms, time_.look_every_ms(kLook_ms))) {
    const bool last = time_.now_ns() >= until_ns;
    auto answer = ask();
    if (answer || last) return answer;
    std::this_thread::sleep_for(std::chrono::milliseconds(pause_ms));
  }
}

// Acts and proves. A client stopped at the fault's point continues in any case, also if the fault fails.
std::optional<std::string> FaultRun::strike() {
  const PointAction action = sabotage_.skip_act ? PointAction::go_on : fault_->point_action();
  const auto prove_it = [this] {
    return prove(fault_->patience_ms(), [this] { return fault_->acted(world_, victims_); });
  };
  try {
    if (!sabotage_.skip_act) fault_->act(world_, victims_);
    if (sabotage_.fail_act) throw HarnessError("it failed half-way");
    // Actions performed by the client are visible only after it continues; others are in force before that.
    if (!stops_somebody_ || !fault_->seen_after_release()) {
      auto acted = prove_it();
      if (stops_somebody_) points_.release(number_, action);
      return acted;
    }
    points_.release(number_, action);
  } catch (...) {
    let_go();
    throw;
  }
  return prove_it();
}

// `begin` is recorded with the time before the action, `end` with the time after the heal was seen: a violation that
// the fault made possible is always in between.
void FaultRun::perform(const std::function<void()>& struck) {
  const std::int64_t begin_ns = time_.now_ns();
  std::optional<std::string> acted;
  std::string why = "no evidence that it took effect";
  bool possible = true;
  bool away = false;
  try {
    acted = strike();
    away = !acted && fault_->gives_up(world_, victims_);
  } catch (const Unavailable& cannot) {
    possible = false;
    why = text_of(cannot);
  } catch (const std::exception& failed) {  // part of it may be in force: it is healed like a whole one
    why = text_of(failed);
  }
  struck();
  if (acted) {
    tell(FaultStep::begin, begin_ns, *acted);
  } else if (away && spec_.optional) {
    // Treated as a fault whose point was never reached.
  } else if (possible) {
    error(away ? why + ": its request had no answer in time, and was sent only once; remedy: choose another `at`"
               : why);
  } else {
    record_.unavailable(spec_.fault, why);
  }
  const std::int64_t over_ns = wait_and_heal(acted.has_value());
  const auto healed =
      prove(acted ? fault_->recovery_ms() : kProof_ms, [this] { return fault_->healed(world_, victims_); });
  if (!acted) return;
  const std::int64_t lasted_ns = (fault_->lasts_until_healed() ? time_.now_ns() : over_ns) - begin_ns;
  const std::string lasted =
      fault_->lasts() ? fmt::format("{} for {:.3f} s", *acted, static_cast<double>(lasted_ns) / 1e9) : *acted;
  tell(FaultStep::end, time_.now_ns(), healed ? lasted + "; " + *healed : lasted);
  if (!healed) error("no evidence that it healed");
}

// Waits that long; returns false if the trial closes first. Checks meanwhile that the fault is in force.
bool FaultRun::pass_time(FaultWatch& watch, std::int64_t ms) {
  const std::int64_t until_ns = time_.now_ns() + ms * kMillisecond_ns;
  for (std::int64_t left_ns = ms * kMillisecond_ns; left_ns > 0; left_ns = until_ns - time_.now_ns()) {
    const std::int64_t left_ms = left_ns / kMillisecond_ns;
    watch.look(left_ms);
    if (!time_.wait_ms(std::clamp<std::int64_t>(watch.due_ms(), 1, std::max<std::int64_t>(left_ms, 1)))) return false;
  }
  return true;
}

// Returns true if a client is at the point that ends the fault.
bool FaultRun::wait_for_end(FaultWatch& watch) {
  const std::size_t point = end_point(number_);
  points_.arm(*spec_.until, "", point);
  while (!time_.closing() && !points_.arrived(point, watch.due_ms())) watch.look(kOpen_ms);
  const bool came = points_.wait_arrival(point).has_value();
  if (!came)
    nobody_came(point,
                "no client reached the point that ends it; remedy: choose another `until`, or a longer duration_ms");
  return came;
}

// The same value as above.
bool FaultRun::wait_out(FaultWatch& watch) {
  try {
    if (fault_->carry_on(world_)) return false;
  } catch (const std::exception& failed) {  // it is healed anyway
    error(text_of(failed));
    return false;
  }
  if (spec_.until) return wait_for_end(watch);
  if (spec_.for_ms > 0) pass_time(watch, spec_.for_ms);
  while (spec_.for_ms == 0 && pass_time(watch, kOpen_ms)) {
  }
  return false;
}

// Returns the time at which healing began. The client at the point that ends the fault continues after the healing,
// also if that failed.
std::int64_t FaultRun::wait_and_heal(bool in_force) {
  FaultWatch watch(world_, *fault_, victims_);
  const bool lasts = in_force && fault_->lasts();
  if (lasts && sabotage_.undo_early) {
    time_.wait_ms(kSecret_ms);
    fault_->heal(world_, victims_);
  }
  const bool somebody_stands = lasts && wait_out(watch);
  if (lasts) watch.last_look();
  if (!watch.broken().empty()) error(watch.broken());
  const std::int64_t over_ns = time_.now_ns();
  const auto go_on = [&] {
    if (somebody_stands) points_.release(end_point(number_), PointAction::go_on);
  };
  try {
    if (!sabotage_.skip_heal) fault_->heal(world_, victims_);
  } catch (...) {
    go_on();
    throw;
  }
  go_on();
  return over_ns;
}

// A fault of a server has no particular client as its victim.
void FaultRun::tell(FaultStep step, std::int64_t time_ns, const std::string& detail) {
  Event event;
  event.actor = Actor::nemesis;
  event.type = EventType::info;
  event.time_ns = time_ns;
  event.fault = spec_.fault;
  event.step = step;
  event.cause = cause_;
  if (!type_.strikes_servers()) event.clients = victims_;
  event.stops = type_.stops;
  if (step == FaultStep::begin) event.aim = aim_of(spec_);
  event.detail = detail;
  record_.tell(std::move(event));
}

}  // namespace holdfast
