// The server's side of a connection: replies, and what is done with the one that is watched.
#include <utility>

#include "relay/connection.hpp"
#include "relay/relay_clock.hpp"

namespace holdfast {

bool Connection::is_watched(bool aside) const {
  if (watch_ == Watch::none || watch_ == Watch::stopped_after) return false;
  if (!wire_->replies_known()) return up_written_ >= current_.sent_at;
  return !aside && answered_ + 1 == current_.reply;
}

bool Connection::take_replies() {
  std::size_t at = 0;
  while (at < down_in_.size() && watch_ != Watch::stopped_after && !over_) {
    const std::string_view rest = std::string_view(down_in_).substr(at);
    const Piece piece = wire_->from_server(rest);
    const bool known = wire_->replies_known();
    const std::size_t size = known ? piece.size : rest.size();
    if (!known) note_first_bytes();
    const bool aside = known && (piece.aside || answered_ >= asked_);
    const bool whole = known && piece.whole && !aside;
    const bool watched = is_watched(aside);
    if (whole) note_answered(++answered_);
    at += size;
    deliver(rest.substr(0, size), whole, watched);
  }
  down_in_.erase(0, at);
  return at > 0;
}

void Connection::note_answered(std::uint64_t reply) {
  while (!to_be_answered_.empty() && to_be_answered_.front().reply <= reply) {
    ledger_.change(to_be_answered_.front().record, [](RequestRecord& record) { record.answered_ns = relay_now_ns(); });
    to_be_answered_.pop_front();
  }
}

// Where replies cannot be told apart, the first bytes after a request was sent count for it.
void Connection::note_first_bytes() {
  note_answered(to_be_sent_.empty() ? asked_ : 0);
}

void Connection::deliver(std::string_view bytes, bool whole, bool watched) {
  if (!watched) {
    down_out_ += bytes;
    return;
  }
  const bool known = wire_->replies_known();
  const auto swallow = [&] {
    ledger_.change_outcome(current_.stop, [&](StopOutcome& outcome) { outcome.bytes_swallowed += bytes.size(); });
  };
  switch (watch_) {
    case Watch::stop_after:
      held_ += bytes;
      if (whole || !known || held_.size() > kMostWaiting) stop_with_reply(whole);
      return;
    case Watch::lose:
      swallow();
      if (whole || !known) lose_now();
      return;
    case Watch::first_of_two:
      down_out_ += bytes;
      if (whole) send_copy();
      if (!known) finish("the replies could not be told apart any more");
      return;
    case Watch::second_of_two:
      swallow();
      if (whole) finish();
      if (!known) finish("the replies could not be told apart any more");
      return;
    case Watch::none:
    case Watch::stopped_after:
      return;
  }
}

void Connection::stop_with_reply(bool whole) {
  watch_ = Watch::stopped_after;
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
  up_out_ += std::exchange(current_.copy, std::string());
  current_.sent_at = up_written_ + up_out_.size();
  watch_ = Watch::second_of_two;
}

// The reply is swallowed, and whoever waits for it loses the connection.
void Connection::lose_now() {
  ledger_.change_outcome(current_.stop, [&](StopOutcome& outcome) {
    outcome.bytes_swallowed += held_.size();
    outcome.client_gone = client_gone_ || client_ended_;
    outcome.cut_ns = relay_now_ns();
  });
  write_to(client_, down_out_, down_written_, client_failed_);  // replies to earlier requests
  client_.reset();
  finish();
  end();
}

}  // namespace holdfast
