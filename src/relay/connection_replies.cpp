// The server's side of a connection: replies, and what is done with the one that is watched.
#include <algorithm>
#include <utility>

#include "relay/connection.hpp"
#include "relay/relay_clock.hpp"

namespace holdfast {

bool Connection::is_watched(const Piece& piece) const {
  if (watch_ == Watch::none || watch_ == Watch::stopped_after) return false;
  if (!wire_->replies_known()) return up_written_ >= current_.sent_at;
  return !piece.aside && (piece.answers != 0 ? piece.answers : answered_ + 1) == current_.reply;
}

bool Connection::take_replies() {
  std::size_t at = 0;
  while (at < down_in_.size() && watch_ != Watch::stopped_after && !over_) {
    const std::string_view rest = std::string_view(down_in_).substr(at);
    Piece piece = wire_->from_server(rest);
    const bool known = wire_->replies_known();
    if (known && piece.size == 0 && !server_ended_) break;
    const std::size_t size = known && piece.size > 0 ? piece.size : rest.size();
    if (!known) note_first_bytes();
    if (!known) leave_what_ended();
    piece.aside = known && (piece.aside || answered_ >= asked_);
    const bool whole = known && piece.whole && !piece.aside;
    const bool watched = is_watched(piece);
    const bool unsent = barrier_ == Barrier::stopped_before || barrier_ == Barrier::held;
    if (unsent && piece.answers == current_.reply && current_.reply != 0) current_.answered_unsent = true;
    if (whole) ++answered_;
    if (whole && piece.answers != 0) note_answered_alone(piece.answers);
    if (whole && piece.answers == 0) note_answered(answered_);
    at += size;
    deliver(rest.substr(0, size), whole, watched);
    leave_what_ended();
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

void Connection::note_answered_alone(std::uint64_t reply) {
  const auto is_it = [&](const Open& one) { return one.reply == reply; };
  const auto found = std::find_if(to_be_answered_.begin(), to_be_answered_.end(), is_it);
  if (found == to_be_answered_.end()) return;
  ledger_.change(found->record, [](RequestRecord& record) { record.answered_ns = relay_now_ns(); });
  to_be_answered_.erase(found);
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
  const bool enough = whole || !known || wire_->multiplexed();
  const auto swallow = [&] {
    ledger_.change_outcome(current_.stop, [&](StopOutcome& outcome) { outcome.bytes_swallowed += bytes.size(); });
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

// Beside others a request can end without an answer, or without anybody's knowing: nothing can be done with it then.
void Connection::leave_what_ended() {
  const bool awaited = watch_ == Watch::stop_after || watch_ == Watch::lose;
  if (!awaited || !wire_->multiplexed()) return;
  const char* why = nullptr;
  if (!wire_->awaits(current_.reply)) why = "the request ended without an answer";
  if (!wire_->replies_known()) why = "the replies could not be told apart any more";
  if (why == nullptr) return;
  give_up_after(why);
  finish(why);
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
