// Which words a LockWorld would take next, and what they cost.
#include <algorithm>

#include "explore/hidden_state.hpp"
#include "explore/lock_world.hpp"

namespace holdfast {
namespace {

constexpr Cost kPreemption{1, 0, 0};
constexpr Cost kTimeJump{0, 1, 0};
constexpr Cost kFault{0, 0, 1};

void prove_same(const Trace& one, const Trace& other) {
  for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i) {
    const TraceStep& a = one[i];
    const TraceStep& b = other[i];
    if (a.client != b.client || a.statement != b.statement || a.said != b.said) {
      throw hidden_in_lock("in the same schedule " + a.client + "'s lock once came to '" + a.statement + a.said +
                           "', and once to '" + b.statement + b.said + "'");
    }
    if (a.answer == b.answer) continue;
    throw hidden_in_store("in the same schedule '" + a.statement + "' was once answered '" + a.answer +
                          "', and once '" + b.answer + "'");
  }
  if (one.size() != other.size()) throw hidden_in_lock("the same schedule took more steps once than it took before");
}

}  // namespace

// A lock that stores nothing under its key, or nothing that can be read, is judged by what it did.
bool LockWorld::content_tells() {
  bool tells = false;
  for (reset();;) {
    const auto content = store_.content(names_.key());
    if (content && !content->empty()) tells = true;
    const auto all = options();
    if (all.empty()) return tells;
    take(all.front().word);
  }
}

std::size_t LockWorld::steps_to_a_grant() {
  store_.forget();
  const std::uint64_t before = grants_;
  std::size_t steps = 0;
  reset();
  for (auto all = options(); grants_ == before && !all.empty(); all = options(), ++steps) take(all.front().word);
  return steps;
}

// The same words on a store of its own beginning: whatever else decides shows.
void LockWorld::prove_determined() {
  Trace first;
  for_people(true);
  for (int time = 0; time < 3; ++time) {
    reset();
    for (auto all = options(); !all.empty(); all = options()) take(all.front().word);
    if (time > 0) prove_same(first, trace_);
    first = trace_;
  }
  reset();  // nothing of it is left
  for_people(false);
}

// Whoever is searched next may begin at a place (go_to) and not with reset(), so nothing may be left of the schedules
// that were run for people.
void LockWorld::learn() {
  learn_of_store();
  reset();
}

// A holder that is left as it is stands in the way of the next schedule if its row has not the schedule's name.
void LockWorld::learn_of_store() {
  store_.trust_content(false);
  store_.renew_tables(false);
  prove_determined();  // makes the tables
  if (beginning_ == Beginning::new_tables || store_.hides_state()) return store_.start_afresh(true);
  const bool emptied = beginning_ == Beginning::emptied;
  const std::size_t steps = emptied ? 0 : steps_to_a_grant();
  store_.renew_tables(emptied || steps_to_a_grant() != steps);
  store_.forget();
  store_.trust_content(content_tells());
}

std::vector<Option> LockWorld::options() {
  std::vector<Option> out;
  out.reserve(16);
  add_steps(out);
  for (const auto& statement : state_.in_flight) {
    if (state_.in_flight_waits()) break;
    out.push_back({{WordKind::arrives, statement.actor, 0}, out.empty() ? Cost{} : out.back().cost});
  }
  if (out.empty()) add_what_must_come(out);
  if (out.empty()) return out;
  add_faults(out);
  if (!state_.just_passed) add_times(out);
  return out;
}

// The present actor first, so that going on is what the search does unasked. Until somebody has taken a step all
// clients are alike, and one of them will do.
void LockWorld::add_steps(std::vector<Option>& out) const {
  const auto& actors = state_.actors;
  std::size_t present = 0;
  while (actors[present].id != state_.current) ++present;
  const bool goes_on = state_.runnable(actors[present]);
  const bool free = !goes_on || actors[present].sleeps();
  const bool alike =
      !state_.begun && std::all_of(actors.begin(), actors.end(), [](const Party& a) { return a.ahead_us == 0; });
  if (goes_on) out.push_back({{WordKind::step, state_.current, 0}, {}});
  for (std::size_t i = 1; i < actors.size() && !alike; ++i) {
    const Party& other = actors[(present + i) % actors.size()];
    if (state_.runnable(other)) out.push_back({{WordKind::step, other.id, 0}, free ? Cost{} : kPreemption});
  }
}

// Nobody can go on: a deadlock ends with a victim, else time passes until somebody wakes, or a wait is over. Who waits
// for a session's own lock waits for as long as it asked to.
void LockWorld::add_what_must_come(std::vector<Option>& out) const {
  const auto for_row = [this](std::uint8_t id) { return id >= kInFlightOf || !state_.actor(id)->wait->reply.ok(); };
  const bool deadlock = std::count_if(state_.parked.begin(), state_.parked.end(), for_row) > 1;
  for (const std::uint8_t id : state_.parked) {
    if (deadlock && id < kInFlightOf && for_row(id)) out.push_back({{WordKind::victim, id, 0}, {}});
  }
  const std::int64_t wake_us = state_.next_wake_us();
  if (out.empty() && wake_us != kNever_us)
    out.push_back({{WordKind::time, 0, wake_us - state_.now_us + state_.taken_us}, {}});
}

// A crash, or the end of a session, right after a step does all that a later one does, unless the session holds
// something until then.
void LockWorld::add_faults(std::vector<Option>& out) const {
  add_faults_of_steps(out);
  for (const auto& actor : state_.actors) {
    if (actor.gone() || actor.cut) continue;
    if (!state_.begun && !actor.watchdog() && reads_wall_clock_ && actor.ahead_us == 0) {
      out.push_back({{WordKind::ahead, actor.id, 0}, kFault});
      out.push_back({{WordKind::behind, actor.id, 0}, kFault});
    }
    // Set back while it holds: its own look may then come too late.
    const bool holds = state_.begun && !actor.watchdog() && state_.beliefs.naive(actor.client()) && actor.sleeps();
    if (holds && look_reads_wall_clock_ && actor.ahead_us == 0) {
      out.push_back({{WordKind::behind, actor.id, 0}, kFault});
    }
    const bool later = actor.id != state_.current && !store_.holds_session(actor.session) && !actor.parked;
    if (!state_.begun || later) continue;
    if (!actor.watchdog()) out.push_back({{WordKind::crash, actor.id, 0}, kFault});
    out.push_back({{WordKind::cut, actor.id, 0}, kFault});
  }
}

void LockWorld::add_faults_of_steps(std::vector<Option>& out) const {
  const std::size_t steps = out.size();
  for (std::size_t i = 0; i < steps; ++i) {
    const Option step = out[i];
    if (step.word.kind != WordKind::step) continue;
    const Party& actor = *std::find_if(state_.actors.begin(), state_.actors.end(),
                                       [&](const Party& a) { return a.id == step.word.actor; });
    const bool sends = !actor.cut && !actor.told() && !actor.parked && (actor.sleeps() || actor.asks());
    if (!sends) continue;
    out.push_back({{WordKind::lost, actor.id, 0}, step.cost + kFault});
    if (!store_.holds_session(actor.session)) out.push_back({{WordKind::late, actor.id, 0}, step.cost + kFault});
  }
}

void LockWorld::add_times(std::vector<Option>& out) const {
  for (const std::int64_t time_us : times()) {
    const Word word{WordKind::time, 0, time_us - state_.now_us + state_.taken_us};
    if (out.front().word != word) out.push_back({word, kTimeJump});
  }
}

// Around the next end of a lease, what is left of the one before, and whenever somebody wakes.
std::vector<std::int64_t> LockWorld::times() const {
  std::vector<std::int64_t> all;
  all.reserve(16);
  const std::int64_t now_us = state_.now_us;
  const std::int64_t tick_us = store_.tick_us();
  // A client that reads its wall clock may cut what it reads.
  const bool whole_seconds = store_.tells_whole_seconds() || (reads_wall_clock_ && tick_us < kMillisecond_us);
  const auto& ends = state_.ends;
  for (auto end = std::upper_bound(ends.begin(), ends.end(), now_us - kSecond_us); end != ends.end(); ++end) {
    all.insert(all.end(), {*end - tick_us, *end, *end + tick_us});
    const std::int64_t second_us = *end - *end % kSecond_us;
    if (whole_seconds) all.insert(all.end(), {second_us, second_us + kSecond_us});
    if (*end > now_us) break;
  }
  for (const auto& actor : state_.actors) {
    if (actor.gone()) continue;
    if (actor.sleeps() && actor.wake_us != kNever_us) all.push_back(actor.wake_us);
    if (actor.parked) all.push_back(actor.wait_over_us());
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  all.erase(all.begin(), std::upper_bound(all.begin(), all.end(), now_us));
  return all;
}

}  // namespace holdfast
