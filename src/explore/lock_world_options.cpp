// Which words a LockWorld would take next, and what they cost.
#include <algorithm>

#include "explore/lock_world.hpp"

namespace holdfast {
namespace {

constexpr Cost kPreemption{1, 0, 0};
constexpr Cost kTimeJump{0, 1, 0};
constexpr Cost kFault{0, 0, 1};

}  // namespace

bool LockWorld::runnable(const Player& actor) const {
  if (actor.gone()) return false;
  if (actor.answer || actor.failure) return true;
  if (actor.waits == Waits::turn) return actor.wake_us <= clock_.now_us;
  return !actor.parked || clock_.now_us >= actor.parked_at_us + kLockWait_us;
}

bool LockWorld::anyone_holds_session() const {
  return std::any_of(actors_.begin(), actors_.end(),
                     [this](const auto& actor) { return store_.holds_session(actor->session); });
}

// A lock that stores nothing under its key, or nothing that can be read, is judged by what it did.
void LockWorld::learn() {
  bool tells = false;
  store_.trust_content(false);
  for_people(true);
  reset();  // makes the tables
  for_people(false);
  for (reset();;) {
    const auto content = store_.content(names_.key());
    if (content && !content->empty()) tells = true;
    const auto all = options();
    if (all.empty()) break;
    take(all.front().word);
  }
  store_.trust_content(tells);
}

std::vector<Option> LockWorld::options() {
  std::vector<Option> out;
  add_steps(out);
  for (const auto& letter : letters_) {
    out.push_back({{WordKind::arrives, letter.actor, 0}, out.empty() ? Cost{} : out.back().cost});
  }
  if (out.empty()) add_what_must_come(out);
  if (out.empty()) return out;
  add_faults(out);
  if (!just_passed_) add_times(out);
  return out;
}

// The present actor first, so that going on is what the search does unasked. Until somebody has taken a step all
// clients are alike, and one of them will do.
void LockWorld::add_steps(std::vector<Option>& out) const {
  const auto present =
      std::find_if(actors_.begin(), actors_.end(), [this](const auto& a) { return a->id == current_; });
  const bool goes_on = runnable(**present);
  const bool free = !goes_on || (*present)->waits == Waits::turn;
  const bool alike =
      !begun_ && std::all_of(actors_.begin(), actors_.end(), [](const auto& a) { return a->ahead_us == 0; });
  if (goes_on) out.push_back({{WordKind::step, current_, 0}, {}});
  for (std::size_t i = 1; i < actors_.size() && !alike; ++i) {
    const auto& other = *actors_[(static_cast<std::size_t>(present - actors_.begin()) + i) % actors_.size()];
    if (runnable(other)) out.push_back({{WordKind::step, other.id, 0}, free ? Cost{} : kPreemption});
  }
}

// Nobody can go on: a deadlock ends with a victim, else time passes until somebody wakes.
void LockWorld::add_what_must_come(std::vector<Option>& out) const {
  const bool deadlock = parked_.size() > 1;
  for (const std::uint8_t id : parked_) {
    if (deadlock) out.push_back({{WordKind::victim, id, 0}, {}});
  }
  const std::int64_t wake_us = next_wake();
  if (out.empty() && wake_us != kNever_us) out.push_back({{WordKind::time, 0, wake_us - clock_.now_us}, {}});
}

std::int64_t LockWorld::next_wake() const {
  std::int64_t wake_us = kNever_us;
  for (const auto& actor : actors_) {
    if (actor->gone()) continue;
    if (actor->waits == Waits::turn && actor->wake_us > clock_.now_us) wake_us = std::min(wake_us, actor->wake_us);
    if (actor->parked) wake_us = std::min(wake_us, actor->parked_at_us + kLockWait_us);
  }
  return wake_us;
}

// A crash, or the end of a session, right after a step does all that a later one does, unless the session holds
// something until then.
void LockWorld::add_faults(std::vector<Option>& out) const {
  const std::vector<Option> steps = out;
  for (const auto& step : steps) {
    const Word& word = step.word;
    if (word.kind != WordKind::step) continue;
    const auto& actor =
        **std::find_if(actors_.begin(), actors_.end(), [&](const auto& a) { return a->id == word.actor; });
    const bool sends = !actor.cut && !actor.answer && !actor.failure && !actor.parked &&
                       (actor.waits == Waits::turn || actor.waits == Waits::statement);
    if (!sends) continue;
    out.push_back({{WordKind::lost, actor.id, 0}, step.cost + kFault});
    if (!store_.holds_session(actor.session)) out.push_back({{WordKind::late, actor.id, 0}, step.cost + kFault});
  }
  for (const auto& actor : actors_) {
    if (actor->gone() || actor->cut) continue;
    const bool client = actor->id % 2 == 0;
    if (!begun_ && client && reads_wall_clock_ && actor->ahead_us == 0) {
      out.push_back({{WordKind::ahead, actor->id, 0}, kFault});
      out.push_back({{WordKind::behind, actor->id, 0}, kFault});
    }
    if (!begun_ || (actor->id != current_ && !store_.holds_session(actor->session) && !actor->parked)) continue;
    if (client) out.push_back({{WordKind::crash, actor->id, 0}, kFault});
    out.push_back({{WordKind::cut, actor->id, 0}, kFault});
  }
}

void LockWorld::add_times(std::vector<Option>& out) const {
  for (const std::int64_t time_us : times()) {
    const Word word{WordKind::time, 0, time_us - clock_.now_us};
    if (out.front().word != word) out.push_back({word, kTimeJump});
  }
}

// Around the next end of a lease, what is left of the one before, and whenever somebody wakes.
std::set<std::int64_t> LockWorld::times() const {
  std::set<std::int64_t> all;
  const std::int64_t now_us = clock_.now_us;
  const std::int64_t tick_us = store_.tick_us();
  for (auto end = ends_.upper_bound(now_us - kSecond_us); end != ends_.end(); ++end) {
    all.insert({*end - tick_us, *end, *end + tick_us});
    const std::int64_t second_us = *end - *end % kSecond_us;
    if (tick_us < kMillisecond_us) all.insert({second_us, second_us + kSecond_us});
    if (*end > now_us) break;
  }
  for (const auto& actor : actors_) {
    if (actor->gone()) continue;
    if (actor->waits == Waits::turn && actor->wake_us != kNever_us) all.insert(actor->wake_us);
    if (actor->parked) all.insert(actor->parked_at_us + kLockWait_us);
  }
  all.erase(all.begin(), all.upper_bound(now_us));
  return all;
}

}  // namespace holdfast
