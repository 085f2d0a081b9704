// HTTP/1.1, as object stores and other servers use it: answers come in the order of the requests. An answer of 1xx is
// an interim one, and no reply.
//
// Limit: a client that asks before it sends a body (Expect: 100-continue) waits until it loses patience, mostly for a
// second, because the relay sends only whole requests.
#include <deque>

#include "relay/protocols/http/http_messages.hpp"
#include "relay/protocols/http/http_text.hpp"
#include "relay/wire.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostPipelined = 4096;
constexpr int kSwitchingProtocols = 101;
constexpr int kFirstReplyStatus = 200;

class HttpWire : public Wire {
 public:
  Piece from_client(std::string_view bytes) override;
  Piece from_server(std::string_view bytes) override;
  bool counts(std::string_view /*request*/, bool names) override { return names; }
  bool ends_transaction() const override { return false; }
  bool repeatable() const override { return replies_known() && !up_.closes(); }
  void sent_again() override { expect_reply(); }

 private:
  void expect_reply();

  HttpMessages up_{HttpSide::client}, down_{HttpSide::server};
  bool began_ = false;
  std::deque<bool> heads_;  // requests without a reply: true for HEAD
};

void HttpWire::expect_reply() {
  if (heads_.size() >= kMostPipelined) {
    lose_count();
    heads_.clear();
  }
  if (replies_known()) heads_.push_back(up_.method() == "HEAD");
}

Piece HttpWire::from_client(std::string_view bytes) {
  if (!opaque().empty() || bytes.empty()) return {};
  if (!began_ && static_cast<unsigned char>(bytes[0]) == kTlsHandshake) return give_up(kSpeaksTls);
  began_ = true;
  const auto read = up_.read(bytes);
  if (!up_.broken().empty()) return give_up("not a request of HTTP/1.1: " + up_.broken());
  Piece piece{.size = read.size, .whole = read.ends, .request = read.ends, .expects_reply = read.ends};
  if (read.ends) expect_reply();
  return piece;
}

Piece HttpWire::from_server(std::string_view bytes) {
  if (!replies_known() || bytes.empty()) return {.size = bytes.size()};
  down_.answers_head(!heads_.empty() && heads_.front());
  const auto read = down_.read(bytes);
  if (!down_.broken().empty() || (heads_.empty() && read.size > 0)) {
    lose_count();
    return {.size = bytes.size()};
  }
  Piece piece{.size = read.size, .whole = read.ends};
  if (!read.ends) return piece;
  piece.aside = down_.status() < kFirstReplyStatus;
  if (down_.status() == kSwitchingProtocols) {
    give_up("the connection changes to another protocol than HTTP/1.1");
  } else if (!piece.aside) {
    heads_.pop_front();
  }
  return piece;
}

}  // namespace

extern const ProtocolType protocol_http;
const ProtocolType protocol_http{.about = "HTTP/1.1", .text = kHttpText, .make = []() -> std::unique_ptr<Wire> {
                                   return std::make_unique<HttpWire>();
                                 }};

}  // namespace holdfast
