// The client's side of a connection: requests, and what is decided about them.
#include <utility>

#include "relay/connection.hpp"
#include "relay/relay_clock.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostAwaited = 4096;  // records that still get the time of their answer

}  // namespace

void Connection::note_opaque() {
  if (std::exchange(opaque_noted_, true)) return;
  ledger_.count(who_.client, [&](RelayedClient& client) {
    ++client.opaque;
    client.why_opaque = who_.server + ": " + wire_->opaque();
  });
}

bool Connection::take_requests() {
  std::size_t at = 0;
  while (at < up_in_.size() && !send_barred() && up_out_.size() < kMostWaiting) {
    if (request_.empty()) request_.swap(overtaken_);
    const std::string_view rest = std::string_view(up_in_).substr(at);
    const Piece piece = wire_->opaque().empty() ? wire_->from_client(rest) : Piece{};
    const bool says_nothing = piece.size == 0 && client_ended_;
    if (!wire_->opaque().empty() || says_nothing) {
      if (!says_nothing) note_opaque();
      up_out_.append(std::exchange(overtaken_, std::string())).append(request_).append(rest);
      request_.clear();
      at = up_in_.size();
      break;
    }
    if (piece.size == 0) break;
    if (piece.overtakes && overtaken_.empty()) overtaken_.swap(request_);
    (too_long_ ? up_out_ : request_).append(rest.substr(0, piece.size));
    at += piece.size;
    if (request_.size() > kMostOfRequest) {
      too_long_ = true;
      up_out_ += std::exchange(request_, std::string());
    }
    if (piece.whole) take_message(piece);
  }
  if (at == up_in_.size() && up_in_.capacity() > kReadAtOnce) {
    std::string().swap(up_in_);
  } else {
    up_in_.erase(0, at);
  }
  return at > 0;
}

void Connection::take_message(const Piece& piece) {
  if (too_long_) {
    too_long_ = false;
    if (piece.request) ledger_.count(who_.client, [](RelayedClient& client) { ++client.too_long; });
    if (piece.expects_reply) ++asked_;
    return;
  }
  if (piece.request) return take_request(piece);
  up_out_ += request_;
  request_.clear();
  leave_what_ended();  // as by a reset
}

void Connection::take_request(const Piece& piece) {
  const auto lock = ledger_.lock_named(request_);
  const bool counts = wire_->counts(request_, lock.has_value());
  const bool ends = wire_->ends_transaction() && std::exchange(named_, false);
  if (counts && !wire_->ends_transaction()) named_ = true;
  const std::uint64_t reply = piece.expects_reply ? ++asked_ : 0;
  if (!counts && !ends) {
    ledger_.count(who_.client, [](RelayedClient& client) { ++client.passed; });
    up_out_ += request_;
    request_.clear();
    return;
  }
  RequestRecord request;
  request.client = who_.client;
  request.server = who_.server;
  request.connection = who_.number;
  request.lock = lock.value_or(0);
  request.counted = wire_->counted();
  request.bytes = request_.size();
  request.came_ns = relay_now_ns();
  auto ruling = ledger_.came(std::move(request));
  if (watch_ != Watch::none) {  // of another request, beside which this one goes on
    for (const auto stop : {ruling.before, ruling.after}) {
      if (stop) ledger_.too_late(*stop, "another fault was acting on its connection");
    }
    return pass_on(reply, ruling.record);
  }
  current_ = {};
  current_.reply = reply;
  current_.record = ruling.record;
  current_.request = std::move(ruling.request);
  current_.after = ruling.after;
  if (wire_->multiplexed() && reply == 0) give_up_after("this request has no reply");
  if (!ruling.before) return send_request(Deed::pass);
  barrier_ = Barrier::stopped_before;
  current_.stop = *ruling.before;
  current_.stopped_ns = relay_now_ns();
  ledger_.reached({current_.stop, When::before, current_.request, current_.stopped_ns, 0, false});
}

void Connection::pass_on(std::uint64_t reply, RecordId record) {
  up_out_ += request_;
  to_be_sent_.push_back({up_written_ + up_out_.size(), record});
  if (reply != 0 && to_be_answered_.size() < kMostAwaited) to_be_answered_.push_back({reply, record});
  request_.clear();
}

// A stop behind the request, which will not be reached.
void Connection::give_up_after(const char* why) {
  if (current_.after) ledger_.too_late(*std::exchange(current_.after, std::nullopt), why);
}

// Behind the barrier, if what becomes of its reply matters.
void Connection::send_request(Deed deed) {
  if (current_.answered_unsent) {
    constexpr const char* kWhy = "the server ended the call before its request was sent";
    give_up_after(kWhy);
    if (deed != Deed::pass) ledger_.too_late(current_.stop, kWhy);
    deed = Deed::pass;
  }
  if (deed == Deed::lose_reply || deed == Deed::duplicate) {
    give_up_after("another fault took the reply to the same request");
  }
  if (deed == Deed::duplicate) current_.copy = request_;
  pass_on(current_.reply, current_.record);
  current_.sent_at = up_written_ + up_out_.size();
  barrier_ = Barrier::watching;
  if (deed == Deed::lose_reply) {
    watch_ = Watch::lose;
  } else if (deed == Deed::duplicate) {
    watch_ = Watch::first_of_two;
  } else if (current_.after) {
    watch_ = Watch::stop_after;
  } else if (deed == Deed::pass) {
    barrier_ = Barrier::none;
  }
  if (wire_->multiplexed() && watch_ != Watch::none) barrier_ = Barrier::none;
}

// What the kernel has taken.
void Connection::note_sent() {
  const std::int64_t now = relay_now_ns();
  while (!to_be_sent_.empty() && to_be_sent_.front().at <= up_written_) {
    ledger_.change(to_be_sent_.front().record, [&](RequestRecord& record) { record.sent_ns = now; });
    to_be_sent_.pop_front();
  }
  const bool none = barrier_ != Barrier::watching && watch_ == Watch::none;
  if (none || up_written_ < current_.sent_at) return;
  const bool held = watch_ == Watch::none || watch_ == Watch::stop_after;
  if (watch_ == Watch::stopped_after || watch_ == Watch::first_of_two) return;
  ledger_.change_outcome(current_.stop, [&](StopOutcome& outcome) {
    if (outcome.sent_ns != 0 || outcome.deed == Deed::pass) return;
    outcome.sent_ns = now;
    outcome.bytes_sent = current_.request.bytes;
    if (outcome.deed != Deed::hold_request || !held) return;
    outcome.held_ns = now - current_.stopped_ns;
    outcome.client_gone = client_gone_ || client_ended_;
    outcome.done = true;
  });
  if (watch_ == Watch::none) barrier_ = Barrier::none;
}

// What is decided.

void Connection::go_on(StopId stop, const Action& action) {
  const bool before = barrier_ == Barrier::stopped_before && current_.stop == stop;
  const bool after = watch_ == Watch::stopped_after && current_.stop == stop;
  if (!before && !after) return;
  const bool deaf = !wire_->repeatable() || current_.reply == 0;
  const bool nothing_to_lose = action.deed == Deed::lose_reply && current_.reply == 0;
  Deed deed = action.deed;
  const char* impossible = nullptr;
  if (deed == Deed::duplicate && deaf) impossible = "this request cannot be repeated: its replies cannot be told apart";
  if (nothing_to_lose) impossible = "this request has no reply";
  if (impossible != nullptr) deed = Deed::pass;
  ledger_.change(current_.record, [&](RequestRecord& record) { record.done = deed; });
  ledger_.change_outcome(stop, [&](StopOutcome& outcome) {
    outcome.deed = action.deed;
    outcome.sent_ns = current_.request.sent_ns;
    outcome.done = deed == Deed::pass && impossible == nullptr;
    outcome.by_nature = impossible != nullptr;
    if (outcome.by_nature) outcome.impossible = impossible;
  });
  if (before) {
    if (deed == Deed::lose_request) return lose_request();
    if (deed != Deed::hold_request) return send_request(deed);
    barrier_ = Barrier::held;
    return;
  }
  if (deed == Deed::lose_reply) return lose_now();
  down_out_ += std::exchange(held_, std::string());
  watch_ = Watch::none;
  barrier_ = Barrier::none;
}

// What the client sent before it is sent, if it still can be; nothing that came after it.
void Connection::lose_request() {
  give_up_after("the request was lost");
  ledger_.change_outcome(current_.stop, [&](StopOutcome& outcome) {
    outcome.bytes_lost = request_.size();
    outcome.client_gone = client_gone_ || client_ended_;
    outcome.cut_ns = relay_now_ns();
  });
  request_.clear();
  if (connected_ && write_to(server_, up_out_, up_written_, server_failed_)) note_sent();
  finish();
  end();
}

void Connection::release(StopId stop) {
  if (current_.stop != stop) return;
  if (barrier_ == Barrier::held) return send_request(Deed::hold_request);
  if (watch_ != Watch::first_of_two) return;
  current_.copy.clear();
  finish("its first reply had not come");
}

// What was being done is done, or can not be done any more.
void Connection::finish(const char* impossible) {
  ledger_.change_outcome(current_.stop, [&](StopOutcome& outcome) {
    if (outcome.done || !outcome.impossible.empty()) return;
    outcome.done = impossible == nullptr;
    if (impossible != nullptr) outcome.impossible = impossible;
  });
  barrier_ = Barrier::none;
  watch_ = Watch::none;
}

}  // namespace holdfast
