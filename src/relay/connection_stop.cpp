// Actions of a connection at an injection point, on the request before it and the reply that is watched.
#include <utility>

#include "relay/connection.hpp"
#include "relay/relay_clock.hpp"

namespace holdfast {

// After the barrier, if there is an action on its reply.
void Connection::send_request(PointAction action) {
  if (current_.answered_unsent) {
    constexpr const char* kWhy = "the server ended the call before its request was sent";
    give_up_after(kWhy);
    if (action != PointAction::go_on) ledger_.too_late(current_.stop, kWhy);
    action = PointAction::go_on;
  }
  if (action == PointAction::lose_reply || action == PointAction::duplicate) {
    give_up_after("another fault took the reply to the same request");
  }
  if (action == PointAction::duplicate) current_.copy = request_;
  pass_on(current_.reply, current_.record, current_.request.serial);
  current_.sent_at = server_.written + server_.out.size();
  barrier_ = Barrier::watching;
  if (action == PointAction::lose_reply) {
    watch_ = Watch::lose;
  } else if (action == PointAction::duplicate) {
    watch_ = Watch::first_of_two;
  } else if (current_.after) {
    watch_ = Watch::stop_after;
  } else if (action == PointAction::go_on) {
    barrier_ = Barrier::none;
  }
  if (wire_->multiplexed() && watch_ != Watch::none) barrier_ = Barrier::none;
}

// Bytes accepted by the kernel.
void Connection::note_sent() {
  const std::int64_t now = relay_now_ns();
  while (!to_be_sent_.empty() && to_be_sent_.front().at <= server_.written) {
    ledger_.change(to_be_sent_.front().record, [&](RequestRecord& record) { record.sent_ns = now; });
    to_be_sent_.pop_front();
  }
  const bool none = barrier_ != Barrier::watching && watch_ == Watch::none;
  if (none || server_.written < current_.sent_at) return;
  const bool held = watch_ == Watch::none || watch_ == Watch::stop_after;
  if (watch_ == Watch::stopped_after || watch_ == Watch::first_of_two) return;
  ledger_.change_outcome(current_.stop, [&](RequestPointOutcome& outcome) {
    if (outcome.sent_ns != 0 || outcome.kind == PointAction::go_on) return;
    outcome.sent_ns = now;
    outcome.bytes_sent = current_.request.bytes;
    if (outcome.kind != PointAction::hold_request || !held) return;
    outcome.held_ns = now - current_.stopped_ns;
    outcome.client_gone = client_gone_ || client_.ended;
    outcome.done = true;
  });
  if (watch_ == Watch::none) barrier_ = Barrier::none;
}

void Connection::deliver(std::string_view bytes, bool whole, bool watched) {
  if (!watched) {
    client_.out += bytes;
    return;
  }
  const bool known = wire_->replies_known();
  const bool enough = whole || !known || wire_->multiplexed();
  const auto swallow = [&] {
    ledger_.change_outcome(current_.stop,
                           [&](RequestPointOutcome& outcome) { outcome.bytes_swallowed += bytes.size(); });
  };
  switch (watch_) {
    case Watch::stop_after:
      held_ += bytes;
      if (enough || held_.size() > kMostWaiting) stop_with_reply(whole);
      return;
    case Watch::lose:
      swallow();
      if (enough) lose_now();
      return;
    case Watch::first_of_two:
      client_.out += bytes;
      if (whole) send_copy();
      if (!known) finish("the replies could no longer be told apart");
      return;
    case Watch::second_of_two:
      swallow();
      if (whole) finish();
      if (!known) finish("the replies could no longer be told apart");
      return;
    case Watch::none:
    case Watch::stopped_after:
      return;
  }
}

void Connection::stop_with_reply(bool whole) {
  watch_ = Watch::stopped_after;
  barrier_ = Barrier::watching;
  current_.stop = *std::exchange(current_.after, std::nullopt);
  current_.stopped_ns = relay_now_ns();
  current_.request.sent_ns = current_.request.answered_ns = current_.stopped_ns;
  ledger_.change(current_.record, [&](RequestRecord& record) {
    current_.request.sent_ns = record.sent_ns;
    current_.request.answered_ns = record.answered_ns;
  });
  ledger_.reached({current_.stop, When::after, current_.request, current_.stopped_ns, held_.size(), whole});
}

void Connection::send_copy() {
  wire_->sent_again();
  current_.reply = ++asked_;
  server_.out += std::exchange(current_.copy, std::string());
  current_.sent_at = server_.written + server_.out.size();
  watch_ = Watch::second_of_two;
}

// Drops the reply and resets the waiting client's connection.
void Connection::lose_now() {
  ledger_.change_outcome(current_.stop, [&](RequestPointOutcome& outcome) {
    outcome.bytes_swallowed += held_.size();
    outcome.client_gone = client_gone_ || client_.ended;
    outcome.cut_ns = relay_now_ns();
  });
  client_.write();  // replies to earlier requests
  client_.socket.reset();
  finish();
  end();
}

// A concurrent request can end without an answer, or unnoticed; then no action on it is possible.
void Connection::leave_what_ended() {
  const bool awaited = watch_ == Watch::stop_after || watch_ == Watch::lose;
  if (!awaited || !wire_->multiplexed()) return;
  const char* why = nullptr;
  if (!wire_->awaits(current_.reply)) why = "the request ended without an answer";
  if (!wire_->replies_known()) why = "the replies could no longer be told apart";
  if (why == nullptr) return;
  give_up_after(why);
  finish(why);
}

// Cancels a point after the request, which cannot be reached any more.
void Connection::give_up_after(const char* why) {
  if (current_.after) ledger_.too_late(*std::exchange(current_.after, std::nullopt), why);
}

void Connection::go_on(RequestPointId stop, const Action& action) {
  const bool before = barrier_ == Barrier::stopped_before && current_.stop == stop;
  const bool after = watch_ == Watch::stopped_after && current_.stop == stop;
  if (!before && !after) return;
  const bool deaf = !wire_->repeatable() || current_.reply == 0;
  const bool nothing_to_lose = action.kind == PointAction::lose_reply && current_.reply == 0;
  PointAction done = action.kind;
  const char* impossible = nullptr;
  if (done == PointAction::duplicate && deaf)
    impossible = "this request cannot be repeated: its replies cannot be told apart";
  if (nothing_to_lose) impossible = "this request has no reply";
  if (impossible != nullptr) done = PointAction::go_on;
  ledger_.change(current_.record, [&](RequestRecord& record) { record.done = done; });
  ledger_.change_outcome(stop, [&](RequestPointOutcome& outcome) {
    outcome.kind = action.kind;
    outcome.sent_ns = current_.request.sent_ns;
    outcome.done = done == PointAction::go_on && impossible == nullptr;
    outcome.by_nature = impossible != nullptr;
    if (outcome.by_nature) outcome.impossible = impossible;
  });
  if (before) {
    if (done == PointAction::lose_request) return lose_request();
    if (done != PointAction::hold_request) return send_request(done);
    barrier_ = Barrier::held;
    return;
  }
  if (done == PointAction::lose_reply) return lose_now();
  client_.out += std::exchange(held_, std::string());
  watch_ = Watch::none;
  barrier_ = Barrier::none;
}

// Earlier data of the client is sent if possible; later data is not.
void Connection::lose_request() {
  give_up_after("the request was lost");
  ledger_.change_outcome(current_.stop, [&](RequestPointOutcome& outcome) {
    outcome.bytes_lost = request_.size();
    outcome.client_gone = client_gone_ || client_.ended;
    outcome.cut_ns = relay_now_ns();
  });
  request_.clear();
  if (connected_ && server_.write()) note_sent();
  finish();
  end();
}

void Connection::hang_up(RequestPointId stop) {
  if (current_.stop != stop || barrier_ != Barrier::held) return;
  client_.socket.reset();
  client_.in.clear();
  client_gone_ = client_.ended = true;
}

void Connection::release(RequestPointId stop) {
  if (current_.stop != stop) return;
  if (barrier_ == Barrier::held) return send_request(PointAction::hold_request);
  if (watch_ != Watch::first_of_two) return;
  current_.copy.clear();
  finish("its first reply had not arrived");
}

// The action is done, or has become impossible.
void Connection::finish(const char* impossible) {
  ledger_.change_outcome(current_.stop, [&](RequestPointOutcome& outcome) {
    if (outcome.done || !outcome.impossible.empty()) return;
    outcome.done = impossible == nullptr;
    if (impossible != nullptr) outcome.impossible = impossible;
  });
  barrier_ = Barrier::none;
  watch_ = Watch::none;
}

}  // namespace holdfast
