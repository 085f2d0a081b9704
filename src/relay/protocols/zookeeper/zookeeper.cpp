// ZooKeeper: four bytes of length, and a message. The first of each side is the greeting of a session; a later request
// begins with its number and type, and its reply with the same number. Replies come in the order of the requests,
// except those to an `auth`. Unasked messages of the server have the number -1.
#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <string_view>

#include "relay/wire.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kLength = 4;                                  // bytes
constexpr std::uint32_t kMostOfMessage = std::uint32_t{64} << 20U;  // the servers' default is one MiB
constexpr std::size_t kMostOutstanding = 4096;
constexpr std::int32_t kPing = 11;
constexpr std::int32_t kCloseSession = -11;
constexpr std::int32_t kUnasked = -1;

// One direction, message by message. The first two numbers of each are kept.
class Messages {
 public:
  struct Read {
    std::size_t size = 0;
    bool ends = false;
    bool broken = false;  // invalid length
  };
  Read read(std::string_view bytes) {
    std::size_t at = 0;
    for (; at < bytes.size() && at_ < head_.size() && (at_ < kLength || at_ < length_); ++at) {
      if (at_ == 0) head_.fill(0);
      head_[at_++] = static_cast<unsigned char>(bytes[at]);
      if (at_ != kLength) continue;
      const std::uint32_t length = number_at(0);
      if (length > kMostOfMessage) return {at + 1, false, true};
      length_ = static_cast<std::uint32_t>(kLength) + length;
    }
    if (at_ < kLength) return {at, false, false};
    const auto part = std::min<std::size_t>(length_ - at_, bytes.size() - at);
    at_ += static_cast<std::uint32_t>(part);
    if (at_ < length_) return {at + part, false, false};
    at_ = 0;
    return {at + part, true, false};
  }
  // Returns true if these first bytes contain the message's number, or it has none.
  bool shows_number(std::string_view bytes) const {
    if (at_ > 0 || bytes.size() >= 2 * kLength) return true;
    return bytes.size() >= kLength && Messages().read(bytes).ends;
  }
  std::int32_t number() const { return static_cast<std::int32_t>(number_at(kLength)); }
  std::int32_t type() const { return static_cast<std::int32_t>(number_at(2 * kLength)); }

 private:
  std::uint32_t number_at(std::size_t at) const {
    std::uint32_t out = 0;
    for (std::size_t i = at; i < at + kLength; ++i) out = out << 8U | head_.at(i);
    return out;
  }

  std::array<unsigned char, 3 * kLength> head_{};
  std::uint32_t at_ = 0;  // bytes of it so far
  std::uint32_t length_ = 0;
};

class ZooKeeperWire : public Wire {
 public:
  Piece from_client(std::string_view bytes) override;
  Piece from_server(std::string_view bytes) override;
  bool counts(std::string_view /*request*/, bool names) override { return names || up_.type() == kPing; }
  bool ends_transaction() const override { return false; }
  // Pings keep a session alive, and with it the locks.
  Counted counted() const override { return up_.type() == kPing ? Counted::in_background : Counted::in_operations; }
  bool repeatable() const override { return replies_known() && up_.type() != kCloseSession; }
  void sent_again() override { expect(); }

 private:
  struct Asked {
    std::int32_t number;
    std::uint64_t reply;
  };
  void expect();

  Messages up_, down_;
  bool begun_ = false;
  bool client_greeted_ = false, server_greeted_ = false;
  std::uint64_t asked_ = 0;
  std::deque<Asked> outstanding_;
};

void ZooKeeperWire::expect() {
  ++asked_;
  if (outstanding_.size() >= kMostOutstanding) {
    lose_count();
    outstanding_.clear();
  }
  if (replies_known()) outstanding_.push_back({up_.number(), asked_});
}

Piece ZooKeeperWire::from_client(std::string_view bytes) {
  if (!opaque().empty() || bytes.empty()) return {};
  if (!begun_ && static_cast<unsigned char>(bytes[0]) == kTlsHandshake) return give_up(kSpeaksTls);
  begun_ = true;
  const auto read = up_.read(bytes);
  if (read.broken) return give_up("a message of the client has an impossible length");
  Piece piece{.size = read.size, .whole = read.ends};
  if (!read.ends) return piece;
  if (!client_greeted_) {
    client_greeted_ = true;
    return piece;
  }
  piece.request = piece.expects_reply = true;
  expect();
  return piece;
}

Piece ZooKeeperWire::from_server(std::string_view bytes) {
  if (!replies_known() || bytes.empty()) return {.size = bytes.size()};
  if (!down_.shows_number(bytes)) return {};
  const auto read = down_.read(bytes);
  if (read.broken) {
    give_up("a message of the server has an impossible length");
    return {.size = bytes.size()};
  }
  Piece piece{.size = read.size, .whole = read.ends};
  const auto is_it = [&](const Asked& one) { return one.number == down_.number(); };
  const auto asked = std::find_if(outstanding_.begin(), outstanding_.end(), is_it);
  piece.aside = !server_greeted_ || down_.number() == kUnasked || asked == outstanding_.end();
  if (!piece.aside) piece.answers = asked->reply;
  if (!read.ends) return piece;
  server_greeted_ = true;
  if (!piece.aside) outstanding_.erase(asked);
  return piece;
}

}  // namespace

extern const ProtocolType protocol_zookeeper;
const ProtocolType protocol_zookeeper{.about = "ZooKeeper's protocol", .make = []() -> std::unique_ptr<Wire> {
                                        return std::make_unique<ZooKeeperWire>();
                                      }};

}  // namespace holdfast
