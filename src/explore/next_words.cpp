#include "explore/next_words.hpp"

#include <algorithm>

namespace holdfast {
namespace {

constexpr Cost kPreemption{1, 0, 0};
constexpr Cost kTimeJump{0, 1, 0};
constexpr Cost kFault{0, 0, 1};

// Offers the present actor first, so that continuing is the default. Until the first step all clients are alike, so
// only one is offered.
void add_steps(const WorldState& state, std::vector<Option>& out) {
  const auto& actors = state.actors;
  std::size_t present = 0;
  while (actors[present].id != state.current) ++present;
  const bool goes_on = state.runnable(actors[present]);
  const bool free = !goes_on || actors[present].sleeps();
  const bool alike = !state.begun &&
                     std::all_of(actors.begin(), actors.end(), [](const SimulatedActor& a) { return a.ahead_us == 0; });
  if (goes_on) out.push_back({{WordKind::step, state.current, 0}, {}});
  for (std::size_t i = 1; i < actors.size() && !alike; ++i) {
    const SimulatedActor& other = actors[(present + i) % actors.size()];
    if (state.runnable(other)) out.push_back({{WordKind::step, other.id, 0}, free ? Cost{} : kPreemption});
  }
}

// No actor can continue: a deadlock ends with a victim; otherwise time passes until an actor wakes or a wait ends. A
// wait for a session's own lock lasts as long as requested.
void add_what_must_come(const WorldState& state, std::vector<Option>& out) {
  const auto for_row = [&state](std::uint8_t id) { return id >= kInFlightOf || !state.actor(id)->wait->reply.ok(); };
  const bool deadlock = std::count_if(state.parked.begin(), state.parked.end(), for_row) > 1;
  for (const std::uint8_t id : state.parked) {
    if (deadlock && id < kInFlightOf && for_row(id)) out.push_back({{WordKind::victim, id, 0}, {}});
  }
  const std::int64_t wake_us = state.next_wake_us();
  if (out.empty() && wake_us != kNever_us)
    out.push_back({{WordKind::time, 0, wake_us - state.now_us + state.taken_us}, {}});
}

void add_faults_of_steps(const WorldState& state, const MemoizedStore& store, std::vector<Option>& out) {
  const std::size_t steps = out.size();
  for (std::size_t i = 0; i < steps; ++i) {
    const Option step = out[i];
    if (step.word.kind != WordKind::step) continue;
    const SimulatedActor& actor = *std::find_if(state.actors.begin(), state.actors.end(),
                                                [&](const SimulatedActor& a) { return a.id == step.word.actor; });
    const bool sends = !actor.cut && !actor.told() && !actor.parked && (actor.sleeps() || actor.asks());
    if (!sends) continue;
    out.push_back({{WordKind::lost, actor.id, 0}, step.cost + kFault});
    if (!store.holds_session(actor.session)) out.push_back({{WordKind::late, actor.id, 0}, step.cost + kFault});
  }
}

// A crash, or the end of a session, right after a step has all effects of a later one, unless the session holds
// something until then.
void add_faults(const WorldState& state, const MemoizedStore& store, const ClockReads& reads,
                std::vector<Option>& out) {
  add_faults_of_steps(state, store, out);
  for (const auto& actor : state.actors) {
    if (actor.gone() || actor.cut) continue;
    if (!state.begun && !actor.watchdog() && reads.wall_clock && actor.ahead_us == 0) {
      out.push_back({{WordKind::ahead, actor.id, 0}, kFault});
      out.push_back({{WordKind::behind, actor.id, 0}, kFault});
    }
    // Sets the clock back during a hold: its own check may then come too late.
    const bool holds = state.begun && !actor.watchdog() && state.beliefs.naive(actor.client()) && actor.sleeps();
    if (holds && reads.at_look && actor.ahead_us == 0) {
      out.push_back({{WordKind::behind, actor.id, 0}, kFault});
    }
    const bool later = actor.id != state.current && !store.holds_session(actor.session) && !actor.parked;
    if (!state.begun || later) continue;
    if (!actor.watchdog()) out.push_back({{WordKind::crash, actor.id, 0}, kFault});
    out.push_back({{WordKind::cut, actor.id, 0}, kFault});
  }
}

// Times around the next end of a lease, the rest of the lease before it, and whenever an actor wakes.
std::vector<std::int64_t> times(const WorldState& state, const MemoizedStore& store, const ClockReads& reads) {
  std::vector<std::int64_t> all;
  all.reserve(16);
  const std::int64_t now_us = state.now_us;
  const std::int64_t tick_us = store.tick_us();
  // A client that reads its wall clock may truncate the reading.
  const bool whole_seconds = store.tells_whole_seconds() || (reads.wall_clock && tick_us < kMillisecond_us);
  const auto& ends = state.ends;
  for (auto end = std::upper_bound(ends.begin(), ends.end(), now_us - kSecond_us); end != ends.end(); ++end) {
    all.insert(all.end(), {*end - tick_us, *end, *end + tick_us});
    const std::int64_t second_us = *end - *end % kSecond_us;
    if (whole_seconds) all.insert(all.end(), {second_us, second_us + kSecond_us});
    if (*end > now_us) break;
  }
  for (const auto& actor : state.actors) {
    if (actor.gone()) continue;
    if (actor.sleeps() && actor.wake_us != kNever_us) all.push_back(actor.wake_us);
    if (actor.parked) all.push_back(actor.wait_over_us());
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  all.erase(all.begin(), std::upper_bound(all.begin(), all.end(), now_us));
  return all;
}

void add_times(const WorldState& state, const MemoizedStore& store, const ClockReads& reads, std::vector<Option>& out) {
  for (const std::int64_t time_us : times(state, store, reads)) {
    const Word word{WordKind::time, 0, time_us - state.now_us + state.taken_us};
    if (out.front().word != word) out.push_back({word, kTimeJump});
  }
}

}  // namespace

std::vector<Option> next_words(const WorldState& state, const MemoizedStore& store, const ClockReads& reads) {
  std::vector<Option> out;
  out.reserve(16);
  add_steps(state, out);
  for (const auto& statement : state.in_flight) {
    if (state.in_flight_waits()) break;
    out.push_back({{WordKind::arrives, statement.actor, 0}, out.empty() ? Cost{} : out.back().cost});
  }
  if (out.empty()) add_what_must_come(state, out);
  if (out.empty()) return out;
  add_faults(state, store, reads, out);
  if (!state.just_passed) add_times(state, store, reads, out);
  return out;
}

}  // namespace holdfast
