#include "relay/connection.hpp"

#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <array>
#include <cerrno>
#include <utility>

namespace holdfast {
namespace {

constexpr std::uint32_t kEnd = EPOLLRDHUP | EPOLLHUP | EPOLLERR;
constexpr std::uint32_t kToRead = EPOLLIN | kEnd;
constexpr int kRounds = 8;  // until others have their turn
constexpr const char* kGoneUnanswered = "the server was gone before it had answered";

bool try_again(int error) {
  return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

}  // namespace

Connection::Connection(Ledger& ledger, Who who, std::unique_ptr<Wire> wire, Socket client, Socket server)
    : ledger_(ledger),
      who_(std::move(who)),
      wire_(std::move(wire)),
      client_(std::move(client)),
      server_(std::move(server)) {}

Connection::~Connection() {
  if (!over_) end();
}

// Bytes in, bytes out.

void Connection::client_event(std::uint32_t events) {
  client_readable_ = client_readable_ || (events & kToRead) != 0;
  client_ends_ = client_ends_ || (events & kEnd) != 0;
  if ((events & EPOLLERR) != 0) client_failed_ = true;
}

void Connection::server_event(std::uint32_t events) {
  server_readable_ = server_readable_ || (events & kToRead) != 0;
  server_ends_ = server_ends_ || (events & kEnd) != 0;
  if (!connected_) {
    int error = 0;
    socklen_t size = sizeof error;
    ::getsockopt(server_.descriptor(), SOL_SOCKET, SO_ERROR, &error, &size);
    connected_ = error == 0 && (events & EPOLLOUT) != 0;
    server_failed_ = error != 0;
  }
  if ((events & EPOLLERR) != 0) server_failed_ = true;
}

// Fewer bytes than there was room for were all that there were, unless the end is behind them: of what comes from now
// on, an event tells.
bool Connection::read_from(const Socket& from, std::string& in, bool& readable, bool ends, bool& ended, bool& failed) {
  if (!readable || ended || !from.open() || in.size() >= kMostWaiting) return false;
  static thread_local std::array<char, kReadAtOnce> room;
  const ssize_t n = ::recv(from.descriptor(), room.data(), room.size(), 0);
  if (n > 0) {
    readable = ends || static_cast<std::size_t>(n) == room.size();
    in.append(room.data(), static_cast<std::size_t>(n));
    return true;
  }
  readable = false;
  if (n == 0) ended = true;
  if (n < 0 && !try_again(errno)) failed = ended = true;
  return n == 0;
}

bool Connection::write_to(const Socket& to, std::string& out, std::uint64_t& written, bool& failed) {
  if (out.empty() || !to.open()) return false;
  const ssize_t n = ::send(to.descriptor(), out.data(), out.size(), MSG_NOSIGNAL);
  if (n < 0) {
    if (!try_again(errno)) failed = true;
    return false;
  }
  written += static_cast<std::uint64_t>(n);
  if (static_cast<std::size_t>(n) == out.size() && out.capacity() > kReadAtOnce) {
    std::string().swap(out);  // thousands of connections: what was large once is given back
  } else {
    out.erase(0, static_cast<std::size_t>(n));
  }
  return n > 0;
}

bool Connection::pump() {
  for (int round = 0; round < kRounds && !over_; ++round) {
    bool moved = read_from(client_, up_in_, client_readable_, client_ends_, client_ended_, client_failed_);
    moved = take_requests() || moved;
    if (connected_ && write_to(server_, up_out_, up_written_, server_failed_)) {
      moved = true;
      note_sent();
    }
    const bool room = down_out_.size() < kMostWaiting && connected_;
    if (room && read_from(server_, down_in_, server_readable_, server_ends_, server_ended_, server_failed_)) {
      moved = true;
    }
    moved = take_replies() || moved;
    if (client_gone_) down_out_.clear();
    if (write_to(client_, down_out_, down_written_, client_failed_)) moved = true;
    close_what_ended();
    if (!moved) return false;
  }
  return !over_;
}

// Ends.

void Connection::end() {
  over_ = true;
  const bool undone = barrier_ != Barrier::none || watch_ != Watch::none;
  give_up_after(kGoneUnanswered);
  if (undone) finish("the connection to the server was gone before it was done");
  client_.reset();
  server_.close();
}

bool Connection::at_rest() const {
  return up_in_.empty() && up_out_.empty() && barrier_ == Barrier::none && down_in_.empty();
}

// Its requests still arrive: in the world they were under way when it went.
void Connection::client_is_gone() {
  client_gone_ = client_ended_ = true;
  client_.close();
  down_out_.clear();
  const bool nothing_open = at_rest() && (!wire_->replies_known() || answered_ >= asked_);
  if (!nothing_open && connected_) return;
  if (barrier_ == Barrier::none) end();
}

void Connection::server_is_gone() {
  if (watch_ == Watch::stopped_after) return;                    // its reply has come before
  if (connected_ && server_readable_ && !server_ended_) return;  // there may be more to read
  if (down_in_.empty() && (down_out_.empty() || client_gone_)) end();
}

void Connection::close_what_ended() {
  if (over_) return;
  const bool more = client_readable_ && !client_ended_;  // that it sent before it went
  if ((client_failed_ && !more) || client_gone_) client_is_gone();
  if (over_) return;
  if (server_ended_ && down_in_.empty() && watch_ == Watch::stop_after) {  // what came of a reply is passed on
    give_up_after(kGoneUnanswered);
    down_out_ += std::exchange(held_, std::string());
    finish();
  }
  if (server_failed_) return server_is_gone();
  if (client_ended_ && at_rest() && connected_ && !told_server_) {
    if (request_.empty()) request_.swap(overtaken_);
    if (!request_.empty()) {  // half a request: the server may make of it what it likes
      up_out_ += std::exchange(request_, std::string());
      write_to(server_, up_out_, up_written_, server_failed_);
      return;
    }
    told_server_ = true;
    ::shutdown(server_.descriptor(), SHUT_WR);
  }
  if (server_ended_ && down_in_.empty() && down_out_.empty() && watch_ != Watch::stopped_after && !told_client_) {
    told_client_ = true;
    if (client_.open()) ::shutdown(client_.descriptor(), SHUT_WR);
  }
  const bool nobody_listens = server_ended_ && client_gone_;
  if ((told_client_ && told_server_) || nobody_listens) {
    client_.close();
    end();
  }
}

}  // namespace holdfast
