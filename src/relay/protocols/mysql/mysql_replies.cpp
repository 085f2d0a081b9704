#include "relay/protocols/mysql/mysql_replies.hpp"

namespace holdfast {
namespace {

constexpr unsigned kOk = 0x00;
constexpr unsigned kFile = 0xFB;
constexpr unsigned kEof = 0xFE;
constexpr unsigned kErr = 0xFF;
constexpr std::size_t kEofLength = 9;  // shorter packets are EOF; longer ones may be rows that begin with its byte
constexpr std::size_t kMostOfPacket = 0xFFFFFF;
constexpr unsigned kMoreResults = 0x08;
constexpr unsigned kCursor = 0x40;
constexpr std::uint32_t kProgress = 0xFFFF;  // MariaDB's report on a long statement, in the form of an error

// From an OK packet, whichever byte it begins with.
unsigned status_of_ok(const MySqlPackets& packet) {
  std::size_t at = 1;
  packet.packed(at);
  packet.packed(at);
  return packet.number(at, 2);
}

}  // namespace

bool MySqlReplies::result_ends(unsigned status) {
  state_ = State::first;
  return (status & kMoreResults) == 0;
}

bool MySqlReplies::begins_rows(const MySqlPackets& packet) {
  std::size_t at = 0;
  left_ = packet.packed(at);
  const bool skipped = agreed_.may_skip_columns && at < packet.kept() && packet.byte(at) == 0;
  if (skipped) left_ = 0;
  state_ = left_ > 0 ? State::columns : agreed_.no_eof ? State::rows : State::columns_end;
  return false;
}

bool MySqlReplies::begins_parts(const MySqlPackets& packet) {
  prepared_ = true;
  statement_ = packet.number(1, 4);
  const bool skipped = agreed_.may_skip_columns && packet.kept() > 12 && packet.byte(12) == 0;
  left_ = 0;
  for (const std::uint32_t parts : {packet.number(5, 2), packet.number(7, 2)}) {
    if (parts > 0 && !skipped) left_ += parts + (agreed_.no_eof ? 0 : 1);
  }
  state_ = left_ > 0 ? State::prepared_parts : State::first;
  return left_ == 0;
}

bool MySqlReplies::first_packet(const MySqlPackets& packet, Kind kind) {
  prepared_ = false;
  if (packet.first() == kErr) return packet.number(1, 2) != kProgress;
  if (kind == Kind::text) return true;
  if (kind == Kind::change_user) return packet.first() == kOk;
  if (kind == Kind::fields) {
    state_ = State::rows;
    return row(packet);
  }
  if (packet.first() == kOk) {
    return kind == Kind::prepare ? begins_parts(packet) : result_ends(status_of_ok(packet));
  }
  if (packet.first() == kEof && packet.length() < kEofLength) return result_ends(packet.number(3, 2));
  if (packet.first() == kFile) {
    wants_file_ = true;
    return false;
  }
  return begins_rows(packet);
}

bool MySqlReplies::row(const MySqlPackets& packet) {
  if (packet.first() == kErr) {
    state_ = State::first;
    return true;
  }
  if (packet.first() != kEof) return false;
  if (packet.length() < kEofLength && !agreed_.no_eof) return result_ends(packet.number(3, 2));
  return agreed_.no_eof && packet.length() < kMostOfPacket && result_ends(status_of_ok(packet));
}

bool MySqlReplies::ends(const MySqlPackets& packet, Kind kind) {
  switch (state_) {
    case State::first:
      return first_packet(packet, kind);
    case State::columns:
      if (--left_ == 0) state_ = agreed_.no_eof ? State::rows : State::columns_end;
      return false;
    case State::columns_end:
      state_ = State::rows;
      if (packet.first() == kErr) return row(packet);
      return (packet.number(3, 2) & kCursor) != 0 && result_ends(packet.number(3, 2));
    case State::rows:
      return row(packet);
    case State::prepared_parts:
      if (--left_ > 0) return false;
      state_ = State::first;
      return true;
  }
  return false;
}

}  // namespace holdfast
