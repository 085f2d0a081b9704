#include "history/tied_events.hpp"

#include <algorithm>
#include <map>
#include <set>
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

// Calls first. An answer may free a call of its process, and so it comes before those that free none: who was granted
// and gave back within a moment held before whom was granted in it and holds on.
void TiedEvents::put_in_order() {
  if (count_ == 1) return order_.push_back(0);
  const std::vector<std::size_t> next = next_of_each();
  std::set<std::size_t> calls, freeing, others;
  const auto ready = [&](std::size_t i) {
    const Event& event = tied_[i].event;
    const bool call = event.actor == Actor::client && event.type == EventType::invoke;
    (call ? calls : next[i] < count_ ? freeing : others).insert(i);
  };
  std::set<std::size_t> firsts;
  for (std::size_t i = 0; i < count_; ++i) firsts.insert(i);
  for (const std::size_t i : next) firsts.erase(i);
  std::for_each(firsts.begin(), firsts.end(), ready);
  while (order_.size() < count_) {
    auto& from = !calls.empty() ? calls : !freeing.empty() ? freeing : others;
    order_.push_back(from.extract(from.begin()).value());
    if (next[order_.back()] < count_) ready(next[order_.back()]);
  }
}

// Of the moment's events, which one its process says next in it; count_: none.
std::vector<std::size_t> TiedEvents::next_of_each() const {
  std::map<std::pair<Actor, std::uint32_t>, std::size_t> last;
  std::vector<std::size_t> next(count_, count_);
  for (std::size_t i = 0; i < count_; ++i) {
    const auto [before, first] = last.try_emplace({tied_[i].event.actor, tied_[i].event.process}, i);
    if (!first) next[std::exchange(before->second, i)] = i;
  }
  return next;
}

}  // namespace holdfast
