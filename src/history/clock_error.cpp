#include "history/clock_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "artifact/error.hpp"

namespace holdfast {

ClockError::ClockError(HistorySource& source, std::int64_t most_ns) : source_(source), most_ns_(most_ns) {
  if (!source.header().foreign) {
    throw BadInput(source.path() + ": is the history of a run, whose times are of one clock; remedy: no --clock-error");
  }
  source_.while_waiting([this](std::int64_t until_ns) { return pass_time(until_ns); });
}

// Ends the source's wait if events are now known, or if the reader of this history does not want to wait.
bool ClockError::pass_time(std::int64_t until_ns) {
  known_ns_ = std::max(known_ns_, until_ns);
  ends_ = queue_.empty() || !is_known(queue_.begin()->first);
  ends_ = ends_ && while_waiting_ && while_waiting_(until_ns - 1);
  waits_ = ends_ || (!queue_.empty() && is_known(queue_.begin()->first));
  return waits_;
}

bool ClockError::next(Event& event) {
  while (queue_.empty() || !is_known(queue_.begin()->first)) {
    if (over_ || ends_) return false;
    if (source_.next(event)) {
      if (!source_.timed()) throw BadInput(source_.place() + ": time: is missing; --clock-error needs it");
      known_ns_ = std::max(known_ns_, event.time_ns);
      take(event);
    } else if (!std::exchange(waits_, false)) {
      over_ = true;
    }
  }
  auto first = queue_.extract(queue_.begin());
  std::swap(event, first.mapped().event);
  position_ = first.mapped().position;
  last_ns_ = event.time_ns = first.key();
  event.index = events_++;
  return true;
}

bool ClockError::may_tie() const {
  return !queue_.empty() && queue_.begin()->first == last_ns_;
}

ClockError::Process& ClockError::process_of(const Event& event) {
  if (event.process >= processes_.size()) processes_.resize(event.process + 1);
  return processes_[event.process];
}

void ClockError::put(Event& event, Process& process, std::int64_t time_ns) {
  process.last_ns = std::max(process.last_ns, time_ns);
  Placed placed;
  std::swap(placed.event, event);
  placed.position = source_.position();
  queue_.emplace(process.last_ns, std::move(placed));
}

void ClockError::take(Event& event) {
  if (event.actor != Actor::client) {
    Process unordered;
    return put(event, unordered, event.time_ns);
  }
  Process& process = process_of(event);
  if (event.op == Op::renew || event.op == Op::write) {
    if (event.type == EventType::invoke) ++left_out_;
    return;
  }
  if (event.op == Op::leave) {
    if (let_go(event, process)) put(event, process, event.time_ns);
    return;
  }
  event.type == EventType::invoke ? called(event, process) : answered(event, process);
}

void ClockError::called(Event& event, Process& process) {
  process.left_out = event.op == Op::release && !let_go(event, process);
  if (process.left_out) return;
  process.delayed_ns = std::max<std::int64_t>(0, process.last_ns - event.time_ns);
  shorten_lease(event, process.delayed_ns);
  put(event, process, event.time_ns);
}

// A lease counts from its request, which may have been moved.
void ClockError::shorten_lease(Event& event, std::int64_t by_ns) {
  if (event.lease_ns.value_or(0) > 0) event.lease_ns = std::max<std::int64_t>(1, *event.lease_ns - by_ns);
}

bool ClockError::forget_grant(Process& process, std::uint32_t key) {
  const auto held = process.held.find(key);
  if (held == process.held.end()) return false;
  if (--held->second == 0) process.held.erase(held);
  return true;
}

// Ends a hold at the earliest time. Later events of its process, which are all in the queue, come first; grants among
// them are not certain to be before it. Returns false if nothing is certain of the hold.
bool ClockError::let_go(const Event& event, Process& process) {
  const std::int64_t time_ns = event.time_ns;
  std::vector<std::multimap<std::int64_t, Placed>::node_type> moved;
  for (auto at = queue_.upper_bound(time_ns); at != queue_.end();) {
    const auto next = std::next(at);
    const Event& queued = at->second.event;
    if (queued.actor == Actor::client && queued.process == event.process) moved.push_back(queue_.extract(at));
    at = next;
  }
  for (auto& node : moved) {
    Event& queued = node.mapped().event;
    if (queued.op == Op::acquire && queued.type == EventType::ok) {
      forget_grant(process, queued.key);
      queued.type = EventType::fail;
      queued.reason = Reason::other;
      queued.token.reset();
      queued.lease_ns.reset();
      ++short_;
    }
    node.key() = time_ns;
    queue_.insert(std::move(node));
  }
  if (!moved.empty()) process.last_ns = time_ns;
  return forget_grant(process, event.key);
}

void ClockError::answered(Event& event, Process& process) {
  if (std::exchange(process.left_out, false)) return;
  const std::int64_t time_ns = event.time_ns;
  if (event.op == Op::acquire && event.type != EventType::ok) {
    event.type = EventType::fail;
    event.reason = Reason::other;
    ++left_out_;
    return put(event, process, time_ns);
  }
  if (event.op == Op::acquire) ++process.held[event.key];
  shorten_lease(event, process.delayed_ns);
  if (event.op == Op::release && event.type == EventType::info) event.type = EventType::ok;
  const bool in_vain = event.op == Op::release && event.type == EventType::fail && event.reason != Reason::not_held;
  if (in_vain) ++process.held[event.key];
  put(event, process, time_ns + most_ns_);
}

std::vector<std::string> ClockError::warnings(bool whole) const {
  std::vector<std::string> out = source_.warnings(whole);
  if (left_out_ + short_ == 0) return out;
  out.push_back(fmt::format(
      "with --clock-error, only holds longer than {} ms are judged; left out: {} of shorter ones, and {} refusals, "
      "renewals and operations of unknown outcome",
      static_cast<double>(most_ns_) / 1e6, short_, left_out_));
  return out;
}

}  // namespace holdfast
