#include "checker/plain_schedule.hpp"

#include <algorithm>

namespace holdfast {
namespace {

bool later_deadline(const PlainOperation& a, const PlainOperation& b) {
  return a.answered_ns > b.answered_ns;
}

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

// The pending operation of a kind with the earliest deadline; false when there is none.
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
  // Of those with one deadline any will do; it is no longer pending when another moment needed it before.
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

}  // namespace holdfast
