#include "relay/connection.hpp"

#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <utility>

#include "relay/relay_clock.hpp"

namespace holdfast {
namespace {

constexpr int kRounds = 8;  // before others get their turn
constexpr const char* kGoneUnanswered = "the server closed the connection before it answered";
constexpr std::size_t kMostAwaited = 4096;  // records still waiting for the time of their answer

}  // namespace

Connection::Connection(Ledger& ledger, Who who, std::unique_ptr<Wire> wire, Socket client, Socket server)
    : ledger_(ledger),
      who_(std::move(who)),
      wire_(std::move(wire)),
      client_{.socket = std::move(client), .readable = true},
      server_{.socket = std::move(server)} {}

Connection::~Connection() {
  if (!over_) end();
}

void Connection::server_event(std::uint32_t events) {
  if (!connected_) {
    int error = 0;
    socklen_t size = sizeof error;
    ::getsockopt(server_.socket.descriptor(), SOL_SOCKET, SO_ERROR, &error, &size);
    connected_ = error == 0 && (events & EPOLLOUT) != 0;
    server_.failed = error != 0;
  }
  server_.event(events);
}

bool Connection::pump() {
  for (int round = 0; round < kRounds && !over_; ++round) {
    bool moved = client_.read();
    moved = take_requests() || moved;
    if (connected_ && server_.write()) {
      moved = true;
      note_sent();
    }
    const bool room = client_.out.size() < kMostWaiting && connected_;
    if (room && server_.read()) {
      moved = true;
    }
    moved = take_replies() || moved;
    if (client_gone_) client_.out.clear();
    if (client_.write()) moved = true;
    close_what_ended();
    if (!moved) return false;
  }
  return !over_;
}

void Connection::note_opaque() {
  if (std::exchange(opaque_noted_, true)) return;
  ledger_.count(who_.client, [&](RelayedClient& client) {
    ++client.opaque;
    client.why_opaque = who_.server + ": " + wire_->opaque();
  });
}

bool Connection::take_requests() {
  std::size_t at = 0;
  while (at < client_.in.size() && !send_barred() && server_.out.size() < kMostWaiting) {
    if (request_.empty()) request_.swap(overtaken_);
    const std::string_view rest = std::string_view(client_.in).substr(at);
    const Piece piece = wire_->opaque().empty() ? wire_->from_client(rest) : Piece{};
    const bool says_nothing = piece.size == 0 && client_.ended;
    if (!wire_->opaque().empty() || says_nothing) {
      if (!says_nothing) note_opaque();
      server_.out.append(std::exchange(overtaken_, std::string())).append(request_).append(rest);
      request_.clear();
      at = client_.in.size();
      break;
    }
    if (piece.size == 0) break;
    if (piece.overtakes && overtaken_.empty()) overtaken_.swap(request_);
    (too_long_ ? server_.out : request_).append(rest.substr(0, piece.size));
    at += piece.size;
    if (request_.size() > kMostOfRequest) {
      too_long_ = true;
      server_.out += std::exchange(request_, std::string());
    }
    if (piece.whole) take_message(piece);
  }
  if (at == client_.in.size() && client_.in.capacity() > kReadAtOnce) {
    std::string().swap(client_.in);
  } else {
    client_.in.erase(0, at);
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
  server_.out += request_;
  request_.clear();
  leave_what_ended();  // like a reset
}

void Connection::take_request(const Piece& piece) {
  const auto lock = ledger_.lock_named(request_);
  const bool counts = wire_->counts(request_, lock.has_value());
  const bool ends = wire_->ends_transaction() && std::exchange(named_, false);
  if (counts && !wire_->ends_transaction()) named_ = true;
  const std::uint64_t reply = piece.expects_reply ? ++asked_ : 0;
  if (!counts && !ends) {
    ledger_.count(who_.client, [](RelayedClient& client) { ++client.passed; });
    server_.out += request_;
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
  request.names_another =
      lock && !ledger_.is_stopped_lock(request_) && !ledger_.is_stopped_lock(wire_->prepared(request_));
  request.came_ns = relay_now_ns();
  auto ruling = ledger_.came(std::move(request));
  if (ledger_.hears()) ledger_.hear({ruling.request.serial, false, request_, wire_->prepared(request_)});
  if (watch_ != Watch::none) {  // of another request, with which this one is concurrent
    for (const auto stop : {ruling.before, ruling.after}) {
      if (stop) ledger_.too_late(*stop, "another fault was acting on its connection");
    }
    return pass_on(reply, ruling.record, ruling.request.serial);
  }
  current_ = {};
  current_.reply = reply;
  current_.record = ruling.record;
  current_.request = std::move(ruling.request);
  current_.after = ruling.after;
  if (wire_->multiplexed() && reply == 0) give_up_after("this request has no reply");
  if (!ruling.before) return send_request(PointAction::go_on);
  barrier_ = Barrier::stopped_before;
  current_.stop = *ruling.before;
  current_.stopped_ns = relay_now_ns();
  ledger_.reached({current_.stop, When::before, current_.request, current_.stopped_ns, 0, false});
}

void Connection::pass_on(std::uint64_t reply, RecordId record, std::uint64_t serial) {
  server_.out += request_;
  to_be_sent_.push_back({server_.written + server_.out.size(), record});
  if (reply != 0 && to_be_answered_.size() < kMostAwaited) to_be_answered_.push_back({reply, record, serial});
  request_.clear();
}

bool Connection::take_replies() {
  std::size_t at = 0;
  while (at < server_.in.size() && watch_ != Watch::stopped_after && !over_) {
    const std::string_view rest = std::string_view(server_.in).substr(at);
    Piece piece = wire_->from_server(rest);
    const bool known = wire_->replies_known();
    if (known && piece.size == 0 && !server_.ended) break;
    const std::size_t size = known && piece.size > 0 ? piece.size : rest.size();
    if (!known) note_first_bytes();
    if (!known) leave_what_ended();
    piece.aside = known && (piece.aside || answered_ >= asked_);
    const bool whole = known && piece.whole && !piece.aside;
    const bool watched = is_watched(piece);
    const bool unsent = barrier_ == Barrier::stopped_before || barrier_ == Barrier::held;
    if (unsent && piece.answers == current_.reply && current_.reply != 0) current_.answered_unsent = true;
    if (known && !piece.aside) {
      hear_reply(rest.substr(0, size), whole, piece.answers != 0 ? piece.answers : answered_ + 1);
    }
    if (whole) ++answered_;
    if (whole && piece.answers != 0) note_answered_alone(piece.answers);
    if (whole && piece.answers == 0) note_answered(answered_);
    at += size;
    deliver(rest.substr(0, size), whole, watched);
    leave_what_ended();
  }
  server_.in.erase(0, at);
  return at > 0;
}

// If a reply's pieces are mixed with those of others, only the last piece is recorded.
void Connection::hear_reply(std::string_view bytes, bool whole, std::uint64_t reply) {
  if (!ledger_.hears()) return;
  if (heard_reply_.size() < kMostOfRequest) heard_reply_ += bytes;
  if (!whole) return;
  const auto is_it = [&](const Open& one) { return one.reply == reply; };
  const auto found = std::find_if(to_be_answered_.begin(), to_be_answered_.end(), is_it);
  if (found != to_be_answered_.end()) ledger_.hear({found->serial, true, heard_reply_});
  heard_reply_.clear();
}

bool Connection::is_watched(const Piece& piece) const {
  if (watch_ == Watch::none || watch_ == Watch::stopped_after) return false;
  if (!wire_->replies_known()) return server_.written >= current_.sent_at;
  return !piece.aside && (piece.answers != 0 ? piece.answers : answered_ + 1) == current_.reply;
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

// If replies cannot be told apart, the first bytes after a request was sent count for it.
void Connection::note_first_bytes() {
  note_answered(to_be_sent_.empty() ? asked_ : 0);
}

void Connection::end() {
  over_ = true;
  const bool undone = barrier_ != Barrier::none || watch_ != Watch::none;
  give_up_after(kGoneUnanswered);
  if (undone) finish("the connection to the server closed before this was done");
  client_.socket.reset();
  server_.socket.close();
}

bool Connection::at_rest() const {
  return client_.in.empty() && server_.out.empty() && barrier_ == Barrier::none && server_.in.empty();
}

// Its requests still arrive, as if they had been in flight when it ended.
void Connection::client_is_gone() {
  client_gone_ = client_.ended = true;
  client_.socket.close();
  client_.out.clear();
  const bool nothing_open = at_rest() && (!wire_->replies_known() || answered_ >= asked_);
  if (!nothing_open && connected_) return;
  if (barrier_ == Barrier::none) end();
}

void Connection::server_is_gone() {
  if (watch_ == Watch::stopped_after) return;                    // its reply has come before
  if (connected_ && server_.readable && !server_.ended) return;  // there may be more to read
  if (server_.in.empty() && (client_.out.empty() || client_gone_)) end();
}

void Connection::close_what_ended() {
  if (over_) return;
  const bool more = client_.readable && !client_.ended;  // sent before it ended
  if ((client_.failed && !more) || client_gone_) client_is_gone();
  if (over_) return;
  if (server_.ended && server_.in.empty() && watch_ == Watch::stop_after) {  // the rest of a reply is passed on
    give_up_after(kGoneUnanswered);
    client_.out += std::exchange(held_, std::string());
    finish();
  }
  if (server_.failed) return server_is_gone();
  if (client_.ended && at_rest() && connected_ && !server_.told) {
    if (request_.empty()) request_.swap(overtaken_);
    if (!request_.empty()) {  // half a request: handling it is up to the server
      server_.out += std::exchange(request_, std::string());
      server_.write();
      return;
    }
    server_.told = true;
    ::shutdown(server_.socket.descriptor(), SHUT_WR);
  }
  if (server_.ended && server_.in.empty() && client_.out.empty() && watch_ != Watch::stopped_after && !client_.told) {
    client_.told = true;
    if (client_.socket.open()) ::shutdown(client_.socket.descriptor(), SHUT_WR);
  }
  const bool nobody_listens = server_.ended && client_gone_;
  if ((client_.told && server_.told) || nobody_listens) {
    client_.socket.close();
    end();
  }
}

}  // namespace holdfast
