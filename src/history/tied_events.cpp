#include "history/tied_events.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace holdfast {
namespace {

constexpr std::size_t kFewTied = 8;

}  // namespace

bool TiedEvents::read(Placed& into) {
  if (over_) return false;
  try {
    over_ = !source_.next(into.event);
  } catch (...) {  // earlier events must be returned first
    failed_ = std::current_exception();
    over_ = true;
  }
  if (over_) return false;
  into.position = source_.position();
  return true;
}

// Collects all events of the next time.
bool TiedEvents::gather() {
  if (tied_.empty()) tied_.push_back(std::make_unique<Placed>());
  if (has_ahead_) {
    std::swap(tied_[0], tied_[count_]);
  } else if (!read(*tied_[0])) {
    count_ = given_ = 0;
    if (failed_) std::rethrow_exception(std::exchange(failed_, nullptr));
    return false;
  }
  given_ = count_ = 0;
  const std::int64_t time_ns = tied_[0]->event.time_ns;
  do {
    ++count_;
    if (count_ == tied_.size()) tied_.push_back(std::make_unique<Placed>());
    has_ahead_ = source_.may_tie() && read(*tied_[count_]);
  } while (has_ahead_ && count_ < kMostTied && tied_[count_]->event.time_ns == time_ns);
  if (count_ > 1) count_ <= kFewTied ? put_few_in_order() : put_in_order();
  return true;
}

// Returns true if no two of a few events have the same key: then their order makes no difference.
bool TiedEvents::keys_differ() const {
  for (std::size_t i = 0; i < count_; ++i) {
    if (tied_[i]->event.actor != Actor::client) return false;
    for (std::size_t k = 0; k < i; ++k) {
      if (tied_[i]->event.key == tied_[k]->event.key) return false;
    }
  }
  return true;
}

// Order: calls, then answers that may end a hold. First come answers followed by another call at that time, and grants
// to processes that request more at that time: these requests may explain the other answers. Then the other grants,
// first those that are released at the same time: they ended before the grants at that time that last.
std::size_t TiedEvents::rank(std::size_t place) const {
  const Event& event = tied_[place]->event;
  const bool of_client = event.actor == Actor::client;
  if (of_client && event.type == EventType::invoke) return 0;
  const bool grant = of_client && event.op == Op::acquire && event.type == EventType::ok;
  const bool first = next_[place] < count_;
  const bool asks_on = first && tied_[next_[place]]->event.op == Op::acquire;
  return (grant && !asks_on ? 3 : 1) + (first ? 0 : 1);
}

std::size_t TiedEvents::Places::take_first(std::size_t of) {
  for (std::size_t word = 0; 64 * word < of; ++word) {
    if (bits_[word] == 0) continue;
    const auto bit = static_cast<std::size_t>(std::countr_zero(bits_[word]));
    bits_[word] &= bits_[word] - 1;
    return 64 * word + bit;
  }
  return kMostTied;
}

// Repeatedly takes the lowest rank among events whose process has no earlier event left.
void TiedEvents::put_in_order() {
  find_successors();
  bool rising = true;
  for (std::size_t i = 0; i < count_; ++i) {
    order_[i] = static_cast<std::uint32_t>(i);
    rank_[i] = static_cast<std::uint8_t>(rank(i));
    rising = rising && (i == 0 || rank_[i - 1] <= rank_[i]);
  }
  if (rising) return;
  std::array<Places, 5> ready{};
  Places waits;
  for (std::size_t i = 0; i < count_; ++i) {
    if (next_[i] < count_) waits.insert(next_[i]);
  }
  for (std::size_t i = 0; i < count_; ++i) {
    if (!waits.has(i)) ready[rank_[i]].insert(i);
  }
  for (std::size_t done = 0; done < count_; ++done) {
    std::size_t place = kMostTied;
    for (std::size_t r = 0; place == kMostTied; ++r) place = ready[r].take_first(count_);
    order_[done] = static_cast<std::uint32_t>(place);
    if (next_[place] < count_) ready[rank_[next_[place]]].insert(next_[place]);
  }
}

// The same for a few events, the usual case, with places as bits of a number.
void TiedEvents::put_few_in_order() {
  std::uint32_t waits = 0;
  std::size_t others = 0;  // events of other processes without another event at this time
  for (std::uint32_t i = 0; i < count_; ++i) {
    order_[i] = i;
    next_[i] = successor_of(i);
    next_[i] < count_ ? waits |= 1U << next_[i] : ++others;
  }
  if (others == 1 || keys_differ()) return;  // one process, whose own order stays
  bool rising = true;
  for (std::size_t i = 0; i < count_; ++i) {
    rank_[i] = static_cast<std::uint8_t>(rank(i));
    rising = rising && (i == 0 || rank_[i - 1] <= rank_[i]);
  }
  if (rising) return;
  std::uint32_t ready = ((1U << count_) - 1) & ~waits;
  for (std::size_t done = 0; done < count_; ++done) {
    auto first = static_cast<std::size_t>(std::countr_zero(ready));
    for (std::uint32_t left = ready & (ready - 1); left != 0; left &= left - 1) {
      const auto place = static_cast<std::size_t>(std::countr_zero(left));
      if (rank_[place] < rank_[first]) first = place;
    }
    order_[done] = static_cast<std::uint32_t>(first);
    ready &= ~(1U << first);
    if (next_[first] < count_) ready |= 1U << next_[first];
  }
}

// The process's next event at this time; kMostTied: none.
std::uint32_t TiedEvents::successor_of(std::size_t place) const {
  const Event& event = tied_[place]->event;
  for (std::size_t next = place + 1; next < count_; ++next) {
    const Event& other = tied_[next]->event;
    if (other.process == event.process && other.actor == event.actor) return static_cast<std::uint32_t>(next);
  }
  return kMostTied;
}

TiedEvents::Last& TiedEvents::last_of(const Event& event) {
  const std::uint32_t process = event.actor == Actor::client ? event.process : static_cast<std::uint32_t>(event.actor);
  const std::uint32_t spread = process * 2654435769U;
  for (std::size_t at = spread % lasts_.size();; at = (at + 1) % lasts_.size()) {
    Last& last = lasts_[at];
    if (last.moment != moment_) {
      last = {moment_, event.actor, event.process, kMostTied};
      return last;
    }
    if (last.actor == event.actor && last.process == event.process) return last;
  }
}

// Finds, for each event at this time, its process's next one.
void TiedEvents::find_successors() {
  ++moment_;
  for (std::size_t i = 0; i < count_; ++i) {
    next_[i] = kMostTied;
    Last& last = last_of(tied_[i]->event);
    if (last.place < kMostTied) next_[last.place] = static_cast<std::uint32_t>(i);
    last.place = static_cast<std::uint32_t>(i);
  }
}

}  // namespace holdfast
