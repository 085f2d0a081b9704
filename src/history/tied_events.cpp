#include "history/tied_events.hpp"

#include <algorithm>
#include <array>
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

// Calls, then answers that may end what somebody held, and first of all those behind which a call waits; then grants,
// and first of all those that are given back within the moment: they were over before whoever was granted in it and
// holds on.
void TiedEvents::put_in_order() {
  if (count_ == 1) return order_.push_back(0);
  const std::vector<std::size_t> next = next_of_each();
  std::array<std::set<std::size_t>, 5> waiting;
  const auto ready = [&](std::size_t i) {
    const Event& event = tied_[i].event;
    const bool call = event.actor == Actor::client && event.type == EventType::invoke;
    const bool grant = event.actor == Actor::client && event.op == Op::acquire && event.type == EventType::ok;
    const bool first = next[i] < count_ && (!grant || tied_[next[i]].event.op != Op::acquire);
    waiting.at(call ? 0 : (grant ? 3 : 1) + (first ? 0 : 1)).insert(i);
  };
  std::set<std::size_t> firsts;
  for (std::size_t i = 0; i < count_; ++i) firsts.insert(i);
  for (const std::size_t i : next) firsts.erase(i);
  std::for_each(firsts.begin(), firsts.end(), ready);
  while (order_.size() < count_) {
    const auto from = std::find_if(waiting.begin(), waiting.end(), [](const auto& some) { return !some.empty(); });
    order_.push_back(from->extract(from->begin()).value());
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
