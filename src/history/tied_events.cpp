#include "history/tied_events.hpp"

#include <utility>

namespace holdfast {

bool TiedEvents::read(Placed& into) {
  if (over_) return false;
  try {
    over_ = !source_.next(into.event);
  } catch (...) {  // what came before it is still to be given out
    failed_ = std::current_exception();
    over_ = true;
  }
  if (over_) return false;
  into.position = source_.position();
  return true;
}

bool TiedEvents::next(Event& event) {
  if (in_order_) return source_.next(event);
  if (given_ == order_.size() && !gather()) return false;
  Placed& next = tied_[order_[given_++]];
  std::swap(event, next.event);
  position_ = next.position;
  return true;
}

// All events of the next moment.
bool TiedEvents::gather() {
  if (tied_.empty()) tied_.resize(1);
  given_ = count_ = 0;
  order_.clear();
  if (!has_ahead_ && !read(ahead_)) {
    if (failed_) std::rethrow_exception(std::exchange(failed_, nullptr));
    return false;
  }
  do {
    if (count_ == tied_.size()) tied_.emplace_back();
    std::swap(tied_[count_++], ahead_);
    has_ahead_ = read(ahead_);
  } while (has_ahead_ && count_ < kMostTied && ahead_.event.time_ns == tied_.front().event.time_ns);
  put_in_order();
  return true;
}

// An answer may free a call of its process: that comes next.
void TiedEvents::put_in_order() {
  if (count_ == 1) return order_.push_back(0);
  placed_.assign(count_, false);
  while (order_.size() < count_) {
    while (place_one(true)) {
    }
    place_one(false);
  }
}

bool TiedEvents::place_one(bool call) {
  for (std::size_t i = 0; i < count_; ++i) {
    const Event& event = tied_[i].event;
    const bool calls = event.actor == Actor::client && event.type == EventType::invoke;
    if (placed_[i] || calls != call || !first_of_its_process(i)) continue;
    placed_[i] = true;
    order_.push_back(i);
    return true;
  }
  return false;
}

bool TiedEvents::first_of_its_process(std::size_t i) const {
  const Event& event = tied_[i].event;
  for (std::size_t before = 0; before < i; ++before) {
    const Event& other = tied_[before].event;
    if (!placed_[before] && other.actor == event.actor && other.process == event.process) return false;
  }
  return true;
}

}  // namespace holdfast
