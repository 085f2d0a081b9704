// gRPC over HTTP/2, as used by etcd. A call is a stream whose headers have its name. A request is a message of the
// client. The reply to a call with one message is everything the server sends on its stream until the end; for a
// keep-alive call it is the next message there. Calls are concurrent, and replies come in any order. The headers of a
// call are held back until data follows, since a server measures its time from them; others overtake.
//
// A lease has no name, so every request about leases counts as if it named a lock. Watches do not count.
#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "relay/protocols/grpc/header_paths.hpp"
#include "relay/protocols/grpc/http2_frames.hpp"
#include "relay/wire.hpp"

namespace holdfast {
namespace {

constexpr std::string_view kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
constexpr std::string_view kOfLeases = "/etcdserverpb.Lease/";
constexpr std::string_view kKeepAlive = "/etcdserverpb.Lease/LeaseKeepAlive";
// Calls in which the server sends messages whenever something happens.
constexpr std::array<std::string_view, 3> kListening{"/etcdserverpb.Watch/Watch", "/v3electionpb.Election/Observe",
                                                     "/etcdserverpb.Maintenance/Snapshot"};
constexpr std::array<std::string_view, 3> kWriting{"/etcdserverpb.KV/Put", "/etcdserverpb.KV/Txn",
                                                   "/etcdserverpb.KV/DeleteRange"};
constexpr std::size_t kMostStreams = 4096;
constexpr std::size_t kMostOfHeaders = std::size_t{64} << 10U;
constexpr std::size_t kMostOutstanding = 4096;  // of a stream

enum class Call : std::uint8_t { once, keeps_alive, listens };

struct Stream {
  Call call = Call::once;
  Counted counted = Counted::in_operations;
  bool of_lease = false;
  GrpcMessages up, down;
  struct Asked {
    std::uint64_t reply;
    std::uint32_t messages;
  };
  std::deque<Asked> outstanding;
};

class GrpcWire : public Wire {
 public:
  Piece from_client(std::string_view bytes) override;
  Piece from_server(std::string_view bytes) override;
  bool counts(std::string_view /*request*/, bool names) override {
    return call_ != Call::listens && (names || of_lease_);
  }
  bool ends_transaction() const override { return false; }
  Counted counted() const override { return counted_; }
  bool repeatable() const override { return false; }  // a stream cannot be reused
  void sent_again() override {}
  bool multiplexed() const override { return true; }
  bool awaits(std::uint64_t request) const override;

 private:
  void opens();
  void asks(Piece& piece);
  bool answers(Stream& stream);

  std::size_t preface_ = 0;  // bytes of it so far
  Http2Frames up_, down_;
  HeaderPaths paths_;
  std::string block_;                // headers to be continued
  std::set<std::uint32_t> opening_;  // streams whose headers wait for data
  bool ends_with_block_ = false;
  std::map<std::uint32_t, Stream> streams_;
  std::uint64_t asked_ = 0;
  Call call_ = Call::once;  // of the last classified request
  Counted counted_ = Counted::in_operations;
  bool of_lease_ = false;
};

// A block of headers, or a part of it.
void GrpcWire::opens() {
  block_.append(up_.payload());
  if (block_.size() > kMostOfHeaders) {
    give_up("its headers are longer than 64 KiB");
    return;
  }
  if (!up_.has(kHttp2EndHeaders)) return;
  const auto path = paths_.read(block_);
  block_.clear();
  if (!path) {
    give_up(HeaderPaths::missing().empty() ? "its headers cannot be read" : HeaderPaths::missing());
    return;
  }
  if (path->empty()) return;  // end of a call
  if (streams_.size() >= kMostStreams) {
    give_up("it has more than 4,096 calls open");
    return;
  }
  Stream& stream = streams_[up_.stream()];
  for (const std::string_view listening : kListening) {
    if (*path == listening) stream.call = Call::listens;
  }
  // A keep-alive of a lease, or a repeated write by its holder; reads, and requests about another lease as at a
  // client's start, renew nothing.
  // client's start, renews nothing.
  for (const std::string_view writing : kWriting) {
    if (*path == writing) stream.counted = Counted::always;
  }
  if (*path == kKeepAlive) {
    stream.call = Call::keeps_alive;
    stream.counted = Counted::in_background;
  }
  stream.of_lease = path->compare(0, kOfLeases.size(), kOfLeases) == 0;
}

// Handles a client's message that ends here. One that began in an earlier frame is longer than any about a lock, and
// passes.
void GrpcWire::asks(Piece& piece) {
  const auto found = streams_.find(up_.stream());
  if (found == streams_.end()) return;  // answered, or cancelled
  Stream& stream = found->second;
  const auto read = stream.up.read(up_.payload());
  if (read.compressed) {
    give_up("its messages are compressed");
    return;
  }
  if (read.ended == 0 || read.began_before) return;
  piece.request = true;
  call_ = stream.call;
  counted_ = stream.counted;
  of_lease_ = stream.of_lease;
  if (stream.call == Call::listens) return;
  piece.expects_reply = true;
  stream.outstanding.push_back({++asked_, read.ended});
  if (stream.outstanding.size() > kMostOutstanding) give_up("more than 4,096 of its requests have no answer");
}

bool GrpcWire::awaits(std::uint64_t request) const {
  return std::any_of(streams_.begin(), streams_.end(), [request](const auto& one) {
    const auto& all = one.second.outstanding;
    return std::any_of(all.begin(), all.end(), [request](const auto& asked) { return asked.reply == request; });
  });
}

Piece GrpcWire::from_client(std::string_view bytes) {
  if (!opaque().empty() || bytes.empty()) return {};
  if (preface_ < kPreface.size()) {
    if (preface_ == 0 && static_cast<unsigned char>(bytes[0]) == kTlsHandshake) return give_up(kSpeaksTls);
    const auto part = std::min(kPreface.size() - preface_, bytes.size());
    if (bytes.substr(0, part) != kPreface.substr(preface_, part))
      return give_up("the client does not speak gRPC (etcd's JSON gateway cannot be read)");
    preface_ += part;
    return {.size = part, .whole = preface_ == kPreface.size()};
  }
  if (!up_.shows_head(bytes)) return {};
  const auto read = up_.read(bytes);
  if (read.broken) return give_up("a frame of the client has an impossible length");
  const bool headers = up_.is(Http2Type::headers) || up_.is(Http2Type::continuation);
  const bool overtakes = !headers && !opening_.empty() && !opening_.contains(up_.stream());
  Piece piece{.size = read.size, .whole = read.ends, .overtakes = overtakes};
  if (!read.ends) return piece;
  if (!overtakes && !headers) opening_.clear();
  if (headers) {
    opens();
    piece.whole = up_.is(Http2Type::headers) && up_.has(kHttp2EndStream);
    opening_.insert(up_.stream());
    if (piece.whole) opening_.clear();
  }
  if (up_.is(Http2Type::data)) asks(piece);
  if (up_.is(Http2Type::reset)) streams_.erase(up_.stream());
  if (!opaque().empty()) return {};
  return piece;
}

// Handles a frame of a stream. Returns true if it ends the first awaited reply there.
bool GrpcWire::answers(Stream& stream) {
  if (stream.call != Call::keeps_alive || !down_.is(Http2Type::data)) return false;
  auto ended = stream.down.read(down_.payload()).ended;
  bool first = false;
  for (bool front = true; ended > 0 && !stream.outstanding.empty(); front = false) {
    auto& asked = stream.outstanding.front();
    const auto part = std::min(ended, asked.messages);
    ended -= part;
    asked.messages -= part;
    if (asked.messages > 0) break;
    stream.outstanding.pop_front();
    first = first || front;
  }
  return first;
}

Piece GrpcWire::from_server(std::string_view bytes) {
  if (!replies_known() || bytes.empty()) return {.size = bytes.size()};
  if (!down_.shows_head(bytes)) return {};
  const auto read = down_.read(bytes);
  if (read.broken) {
    give_up("a frame of the server has an impossible length");
    return {.size = bytes.size()};
  }
  const bool data = down_.is(Http2Type::data);
  const bool headers = down_.is(Http2Type::headers) || down_.is(Http2Type::continuation);
  const auto found = data || headers || down_.is(Http2Type::reset) ? streams_.find(down_.stream()) : streams_.end();
  if (found == streams_.end()) return {.size = read.size, .whole = read.ends, .aside = true};
  Stream& stream = found->second;
  // A reset is not an answer, and the headers of a keep-alive call contain no reply.
  const bool replies = stream.call == Call::once ? data || headers : data;
  Piece piece{.size = read.size, .aside = !replies || stream.outstanding.empty()};
  if (!piece.aside) piece.answers = stream.outstanding.front().reply;
  piece.whole = read.ends && piece.aside;
  if (!read.ends) return piece;
  if (down_.is(Http2Type::headers)) ends_with_block_ = down_.has(kHttp2EndStream);
  const bool ends = down_.is(Http2Type::reset) || (data && down_.has(kHttp2EndStream)) ||
                    (headers && ends_with_block_ && down_.has(kHttp2EndHeaders));
  const bool answered = answers(stream);
  if (!piece.aside) piece.whole = answered || (ends && stream.call == Call::once);
  if (ends) streams_.erase(found);
  return piece;
}

}  // namespace

extern const ProtocolType protocol_grpc;
const ProtocolType protocol_grpc{.about = "gRPC (etcd)",
                                 .make = []() -> std::unique_ptr<Wire> { return std::make_unique<GrpcWire>(); }};

}  // namespace holdfast
