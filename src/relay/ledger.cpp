#include "relay/ledger.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "artifact/capacity.hpp"
#include "artifact/error.hpp"

namespace holdfast {

RelayClient Ledger::add_client() {
  const std::lock_guard guard(mutex_);
  clients_.emplace_back();
  return static_cast<RelayClient>(clients_.size() - 1);
}

void Ledger::begins(RelayClient client, RelayOperation operation) {
  const std::lock_guard guard(mutex_);
  clients_.at(client).open.push_back({operation, 0, 0});
}

void Ledger::ends(RelayClient client, RelayOperation operation) {
  const std::lock_guard guard(mutex_);
  auto& open = clients_.at(client).open;
  const auto is_it = [&](const auto& one) { return operation == RelayOperation::none || one.operation == operation; };
  const auto found = std::find_if(open.rbegin(), open.rend(), is_it);
  if (found == open.rend()) throw HarnessError("the relay saw the end of an operation without its start");
  open.erase(std::next(found).base());
  clients_.at(client).since_an_operation = 0;
}

RequestPointId Ledger::arm(const RequestPoint& at) {
  if (at.background && at.of != RelayOperation::none) {
    throw HarnessError("a background request belongs to no operation: an injection point names one or the other");
  }
  if (at.nth == 0) throw HarnessError("an injection point at request 0: requests are numbered from 1");
  const std::lock_guard guard(mutex_);
  return new_stop({at, true, 0, 0, false, {}});
}

RequestPointId Ledger::new_stop(PointState stop) {
  stops_.push_back(std::move(stop));
  return first_stop_ + static_cast<RequestPointId>(stops_.size() - 1);
}

void Ledger::stop_all(bool wanted, const std::string& lock) {
  const std::lock_guard guard(mutex_);
  stops_all_ = wanted;
  stopped_lock_ = lock;
}

std::uint64_t Ledger::of_other_locks() const {
  const std::lock_guard guard(mutex_);
  return of_other_locks_;
}

bool Ledger::is_stopped_lock(std::string_view bytes) const {
  const std::lock_guard guard(mutex_);
  return stopped_lock_.empty() || bytes.find(stopped_lock_) != std::string_view::npos;
}

void Ledger::forget_before(RequestPointId stop) {
  const std::lock_guard guard(mutex_);
  for (; first_stop_ < stop && !stops_.empty(); ++first_stop_) stops_.pop_front();
}

bool Ledger::disarm(RequestPointId stop) {
  const std::lock_guard guard(mutex_);
  auto& found = stop_of(stop);
  return std::exchange(found.armed, false);
}

std::optional<Reached> Ledger::next_stop(int timeout_ms) {
  std::unique_lock guard(mutex_);
  const auto some = [this] { return !reached_.empty(); };
  // In skipped time a wait of no length lasts until the timekeeper ends it, and the clock may move meanwhile.
  if (timeout_ms == 0 && !some()) return std::nullopt;
  if (!news_.wait_for(guard, std::chrono::milliseconds(timeout_ms), some)) return std::nullopt;
  Reached out = std::move(reached_.front());
  reached_.pop_front();
  return out;
}

void Ledger::decide(RequestPointId stop, const Action& action) {
  const std::lock_guard guard(mutex_);
  PointState& found = stop_of(stop);
  if (!found.outcome.reached)
    throw HarnessError("a client cannot continue from an injection point that it has not reached");
  if (found.decided) throw HarnessError("an injection point at the relay was decided twice");
  const bool of_reply = action.kind == PointAction::go_on || action.kind == PointAction::lose_reply;
  if (!of_reply && found.at.when == When::after) {
    throw HarnessError("a sent request can no longer be held, repeated or lost: use an injection point before it");
  }
  found.decided = true;
  found.outcome.kind = action.kind;
}

std::uint64_t Ledger::connection_of(RequestPointId stop) const {
  const std::lock_guard guard(mutex_);
  return stop_of(stop).connection;
}

void Ledger::too_late(RequestPointId stop, const char* why) {
  const std::lock_guard guard(mutex_);
  if (!is_kept(stop)) return;
  RequestPointOutcome& outcome = stop_of(stop).outcome;
  if (outcome.done || !outcome.impossible.empty()) return;
  outcome.impossible = why;
}

RequestPointOutcome Ledger::outcome(RequestPointId stop) const {
  const std::lock_guard guard(mutex_);
  return stop_of(stop).outcome;
}

RelayedClient Ledger::seen(RelayClient client) const {
  const std::lock_guard guard(mutex_);
  return clients_.at(client).seen;
}

std::vector<RequestRecord> Ledger::records() const {
  const std::lock_guard guard(mutex_);
  return {records_.begin(), records_.end()};
}

std::uint64_t Ledger::records_left_out() const {
  const std::lock_guard guard(mutex_);
  return left_out_;
}

std::optional<std::size_t> Ledger::lock_named(std::string_view bytes) const {
  std::optional<std::size_t> out;
  for (std::size_t n = 0; n < locks_.size(); ++n) {
    const bool better = !out || locks_[n].size() > locks_[*out].size();
    if (better && !locks_[n].empty() && bytes.find(locks_[n]) != std::string_view::npos) out = n;
  }
  return out;
}

std::optional<RequestPointId> Ledger::stop_at(const RequestRecord& request, When when) {
  std::optional<RequestPointId> out;
  for (RequestPointId n = first_stop_; n < first_stop_ + stops_.size(); ++n) {
    PointState& stop = stop_of(n);
    const RequestPoint& at = stop.at;
    const bool of_it = at.background == request.background() && (at.of == RelayOperation::none || at.of == request.of);
    const bool by = at.client == kAnyClient || at.client == static_cast<std::int64_t>(request.client);
    const bool here = stop.armed && at.when == when && of_it && by && (at.request == 0 || at.request == request.number);
    if (!here || (at.only_if && !at.only_if(request.client)) || ++stop.passed < at.nth || out) continue;
    stop.armed = false;
    out = n;
  }
  return out;
}

void Ledger::see_operation(RelayClient number) {
  if (!shown_) return;
  Client& client = clients_.at(number);
  const std::uint64_t shown = shown_(number);
  if (shown == client.shown) return;
  client.shown = shown;
  client.since_an_operation = 0;
  const auto operation = operation_shown(shown);
  if (operation == RelayOperation::none) return client.open.clear();
  // A thread's operation may be shown again after another thread's is over: its count continues.
  const auto known =
      std::find_if(client.open.begin(), client.open.end(), [&](const auto& one) { return one.shown == shown; });
  if (known != client.open.end()) {
    std::rotate(known, std::next(known), client.open.end());
    return;
  }
  if (client.open.size() == static_cast<std::size_t>(kMostThreads)) client.open.erase(client.open.begin());
  client.open.push_back({operation, 0, shown});
}

Ledger::Ruling Ledger::came(RequestRecord request) {
  const std::lock_guard guard(mutex_);
  see_operation(request.client);
  Client& client = clients_.at(request.client);
  // A renewal that the client requested is not background.
  const bool renews = !client.open.empty() && client.open.back().operation == RelayOperation::renew;
  if (!renews && request.counted == (client.open.empty() ? Counted::in_operations : Counted::in_background)) {
    ++client.seen.passed;
    return {kNoRecord, std::move(request), std::nullopt, std::nullopt};
  }
  ++client.seen.counted;
  if (client.open.empty()) {
    ++client.seen.background;
    request.number = ++client.since_an_operation;
  } else {
    request.of = client.open.back().operation;
    request.number = ++client.open.back().requests;
  }
  request.serial = ++came_;
  Ruling out{kNoRecord, request, stop_at(request, When::before), stop_at(request, When::after)};
  const bool another = stops_all_ && request.names_another;
  of_other_locks_ += another ? 1 : 0;
  if (stops_all_ && !another && !out.before)
    out.before = new_stop({{.client = request.client}, false, 0, 0, false, {}});
  if (records_.size() < most_) {
    out.record = records_.size();
    records_.push_back(std::move(request));
  } else {
    ++left_out_;
  }
  return out;
}

void Ledger::change(RecordId record, const std::function<void(RequestRecord&)>& how) {
  const std::lock_guard guard(mutex_);
  if (record < records_.size()) how(records_[record]);
}

void Ledger::count(RelayClient client, const std::function<void(RelayedClient&)>& how) {
  const std::lock_guard guard(mutex_);
  how(clients_.at(client).seen);
}

void Ledger::reached(const Reached& stop) {
  const std::lock_guard guard(mutex_);
  stop_of(stop.stop).outcome.reached = true;
  stop_of(stop.stop).connection = stop.request.connection;
  reached_.push_back(stop);
  news_.notify_all();
}

void Ledger::change_outcome(RequestPointId stop, const std::function<void(RequestPointOutcome&)>& how) {
  const std::lock_guard guard(mutex_);
  if (is_kept(stop)) how(stop_of(stop).outcome);
}

std::string RequestPointOutcome::evidence() const {
  const std::string gone = client_gone ? "; the client had already closed its connection" : "";
  const auto bytes = [](std::size_t n) { return std::to_string(n) + (n == 1 ? " byte" : " bytes"); };
  switch (kind) {
    case PointAction::go_on:
      return "the request continued";
    case PointAction::lose_reply:
      return bytes(bytes_swallowed) + " of the server's reply were swallowed, and the client's connection was reset";
    case PointAction::hold_request:
      return "the request was sent " + std::to_string(held_ns / 1'000'000) + " ms late" + gone;
    case PointAction::duplicate:
      return "the request was sent a second time (" + bytes(bytes_sent) + "), and " +
             (done ? "the server's second reply (" + bytes(bytes_swallowed) + ") was swallowed"
                   : "waits at the server") +
             gone;
    case PointAction::lose_request:
      return "the request (" + bytes(bytes_lost) + ") was never sent, and the client's connection was reset";
  }
  return "";
}

}  // namespace holdfast
