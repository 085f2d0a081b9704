#include "checker/plain_rule.hpp"

#include <algorithm>

namespace holdfast {
namespace {

bool later_deadline(const PlainOperation& a, const PlainOperation& b) {
  return a.answered_ns > b.answered_ns;
}

using Kind = PlainOperation::Kind;

constexpr std::size_t kMostRecent = 40;  // operations in which a witness is looked for

}  // namespace

void PlainSchedule::enter(const PlainOperation& operation) {
  Heap& heap = pending_.at(operation.kind == PlainOperation::Kind::acquire);
  heap.push_back(operation);
  std::push_heap(heap.begin(), heap.end(), later_deadline);
}

void PlainSchedule::place(const PlainOperation& operation) {
  const bool acquire = operation.kind == PlainOperation::Kind::acquire;
  if (held_ != acquire) was_until_ns_.at(held_) = now_ns_;
  held_ = acquire;
  placed_.push_back(operation);
}

// Places the pending operation of a kind with the earliest deadline; false if there is none.
bool PlainSchedule::place_pending(bool acquire) {
  Heap& heap = pending_.at(acquire);
  if (heap.empty()) return false;
  std::pop_heap(heap.begin(), heap.end(), later_deadline);
  place(heap.back());
  heap.pop_back();
  return true;
}

bool PlainSchedule::settle(const PlainOperation& operation) {
  now_ns_ = operation.answered_ns;
  placed_.clear();
  if (operation.looks()) return look(operation);
  const bool acquire = operation.kind == PlainOperation::Kind::acquire;
  const Heap& own = pending_.at(acquire);
  // Any operation with the same deadline will do; it is no longer pending when another moment needed it before.
  if (own.empty() || own.front().answered_ns > operation.answered_ns) return true;
  const bool possible = held_ != acquire || place_pending(!acquire);
  place_pending(acquire);
  return possible;
}

bool PlainSchedule::look(const PlainOperation& operation) {
  const bool wanted = operation.kind == PlainOperation::Kind::busy;
  return held_ == wanted || was_until_ns_.at(wanted) >= operation.invoked_ns || place_pending(wanted);
}

std::optional<PlainOperation> impossible(std::vector<PlainOperation> operations) {
  std::stable_sort(operations.begin(), operations.end(),
                   [](const auto& a, const auto& b) { return a.invoked_ns < b.invoked_ns; });
  std::vector<PlainOperation> answered;
  for (const PlainOperation& o : operations) {
    if (o.answered_ns != kNever) answered.push_back(o);
  }
  std::stable_sort(answered.begin(), answered.end(),
                   [](const auto& a, const auto& b) { return a.answered_ns < b.answered_ns; });
  PlainSchedule schedule;
  std::size_t entered = 0;
  for (const PlainOperation& o : answered) {
    for (; entered < operations.size() && operations[entered].invoked_ns <= o.answered_ns; ++entered) {
      if (!operations[entered].looks()) schedule.enter(operations[entered]);
    }
    if (!schedule.settle(o)) return o;
  }
  return std::nullopt;
}

void PlainRule::event(const Event& event) {
  if (event.actor != Actor::client || (event.op != Op::acquire && event.op != Op::release)) return;
  event.type == EventType::invoke ? invoked(event) : answered(event);
  advance(keys_[event.key], event.key, event.time_ns);
}

void PlainRule::invoked(const Event& event) {
  if (event.key >= keys_.size()) keys_.resize(event.key + 1);
  if (event.process >= open_.size()) open_.resize(event.process + 1);
  Key& key = keys_[event.key];
  open_[event.process] = {event.key, key.first + key.entries.size()};
  const Kind kind = event.op == Op::acquire ? Kind::acquire : Kind::release;
  key.entries.push_back(
      {{kind, event.process, event.client, event.time_ns, kNever, event.index, event.index}, State::open});
}

void PlainRule::answered(const Event& event) {
  const Open& open = open_[event.process];
  Key& key = keys_[open.key];
  Entry& entry = key.entries[open.number - key.first];
  entry.state = event.type == EventType::fail ? State::void_ : State::counts;
  if (event.type == EventType::info) return;
  PlainOperation& operation = entry.operation;
  operation.answered_ns = event.time_ns;
  operation.index = event.index;
  PlainOperation waits = operation;
  if (event.type == EventType::fail) {
    const bool busy = event.reason == Reason::busy && event.op == Op::acquire && judge_ == Judge::busy_too;
    const bool not_held = event.reason == Reason::not_held && event.op == Op::release;
    if (!busy && !not_held) return;
    waits.kind = busy ? Kind::busy : Kind::not_held;
  }
  key.waits.push_back(waits);
}

// Equal times are concurrent: an answer is judged once time has gone on, when all that was invoked by then is known.
void PlainRule::advance(Key& key, std::uint32_t number, std::int64_t now_ns) {
  while (!key.waits.empty() && key.waits.front().answered_ns < now_ns) {
    const PlainOperation operation = key.waits.front();
    const auto at = [&](std::uint64_t n) -> Entry& { return key.entries[n - key.first]; };
    const std::uint64_t end = key.first + key.entries.size();
    key.resolved = std::max(key.resolved, key.first);
    while (key.resolved < end && at(key.resolved).state != State::open) ++key.resolved;
    if (key.resolved < end && at(key.resolved).operation.invoked_ns <= operation.answered_ns) return;
    while (!key.entries.empty() && key.entries.front().operation.invoked_ns <= operation.answered_ns) {
      if (key.entries.front().state == State::counts) key.schedule.enter(key.entries.front().operation);
      key.entries.pop_front();
      ++key.first;
    }
    key.waits.pop_front();
    settle(key, number, operation);
  }
}

void PlainRule::settle(Key& key, std::uint32_t number, const PlainOperation& operation) {
  if (!key.schedule.settle(operation)) {
    // If several have this deadline, the operation may have been placed before, and this is the one left over.
    const PlainOperation impossible = operation.looks() ? operation : key.schedule.placed().back();
    PlainFault fault{number, impossible, smallest(key, impossible)};
    if (!key.faulty) fault.explained_to = key.explained_to;
    key.faulty = true;
    report_(fault);
    return;
  }
  key.explained_to = operation.index;
  for (const PlainOperation& placed : key.schedule.placed()) key.recent.push_back(placed);
  if (operation.looks() && !key.schedule.placed().empty()) key.recent.push_back(operation);
  const bool clean = !key.schedule.held() && key.schedule.pending() == 0;
  while (!key.recent.empty() && (clean || key.recent.size() > kMostRecent)) key.recent.pop_front();
}

// The operations that were placed lately show the fault; each hold (an acquire and the release that was placed after
// it) that is over before the others begin is left out as long as the rest stays impossible.
std::vector<PlainOperation> PlainRule::smallest(const Key& key, const PlainOperation& operation) {
  std::vector<PlainOperation> kept(key.recent.begin(), key.recent.end());
  kept.push_back(operation);
  if (!impossible(kept)) return kept;
  for (std::size_t i = 0; i + 2 < kept.size();) {
    const auto from = kept.begin() + static_cast<std::ptrdiff_t>(i);
    std::vector<PlainOperation> rest(kept.begin(), from);
    rest.insert(rest.end(), from + 2, kept.end());
    const bool hold = from->kind == Kind::acquire && from[1].kind == Kind::release;
    const bool over = hold && std::all_of(from + 2, kept.end(),
                                          [&](const PlainOperation& o) { return from[1].answered_ns < o.invoked_ns; });
    if (over && impossible(rest)) {
      kept = std::move(rest);
      i = 0;  // one that had to stay for its sake may go now
    } else {
      ++i;
    }
  }
  return kept;
}

void PlainRule::finish() {
  for (std::uint32_t number = 0; number < keys_.size(); ++number) {
    Key& key = keys_[number];
    for (Entry& entry : key.entries) {
      if (entry.state == State::open) entry.state = State::counts;
    }
    advance(key, number, kNever);
  }
}

}  // namespace holdfast
