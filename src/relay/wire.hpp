// Where a request of a client ends, and where its reply does, in the bytes of one connection: one folder a protocol, in
// protocols/, and the folder is the registry.
//
//   auto wire = protocol("resp").make();
//   Piece piece = wire->from_client(bytes);   // reads no further than to the end of one message
//   ... bytes.substr(0, piece.size) belong to it; if (piece.whole), the next byte begins another
//
// A wire reads a stream once, piece by piece as it comes, and keeps no bytes but the beginnings of prepared statements:
// what it remembers is bounded, however long a message says that it is. The same stream cut elsewhere gives the same
// messages. It never changes what it reads, and bytes that it cannot read make it `opaque`, once and for all: they are
// passed on unread, and whoever planned a fault at a request is told why that is impossible.
//
// The n-th reply answers the n-th request that `expects_reply`, unless it says which one it `answers`; both count
// from 1. A server may also say something unasked (`aside`). Where the two cannot be told apart, a wire says so
// (`replies_known`).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "artifact/entry.hpp"
#include "relay/stops.hpp"

namespace holdfast {

// A part of a message, or its end.
struct Piece {
  std::size_t size = 0;        // bytes that were read; 0 of no bytes, of an opaque stream, and of a beginning that does
                               // not say yet what it belongs to: it is asked again, with more
  bool whole = false;          // the message ends with them
  bool request = false;        // client, when whole: it asks for something; else a part of a greeting, or nothing
  bool expects_reply = false;  // client, when whole
  bool overtakes = false;      // client: no part of the message that has begun, and may be sent before it
  bool aside = false;          // server: no part of a reply
  std::uint64_t answers = 0;   // server, of a protocol in which replies say it: which request; in every part of a reply
};

class Wire {
 public:
  virtual ~Wire() = default;
  virtual Piece from_client(std::string_view bytes) = 0;
  virtual Piece from_server(std::string_view bytes) = 0;

  // Asked once of each request, with all of its bytes, before anything further is read: whether it is about a lock, if
  // its bytes name one (`names`) or not. PING and its like are not, whatever they name; a statement that was prepared
  // with a lock's name is.
  virtual bool counts(std::string_view request, bool names) = 0;
  // Asked after `counts`: whether it ends a transaction. One in which a lock was named counts.
  virtual bool ends_transaction() const = 0;
  // Asked after `counts`: where it does.
  virtual Counted counted() const { return Counted::always; }
  // Asked after `counts`: the statement that it executes, if that was prepared before; empty: none, or not known.
  virtual std::string_view prepared(std::string_view /*request*/) const { return {}; }
  // Asked after `counts`: whether it may be sent twice, so that the server does it twice. Then `sent_again` says that
  // it was, and one more reply is expected.
  virtual bool repeatable() const = 0;
  virtual void sent_again() = 0;

  // Requests share the connection without waiting for each other. While the reply to one is awaited the client's others
  // are sent, and the first part of a reply stands for all of it.
  virtual bool multiplexed() const { return false; }
  // Of such: false, and it was not answered: it ended without, on either side.
  virtual bool awaits(std::uint64_t /*request*/) const { return true; }

  // Why nothing can be read; empty: it can.
  const std::string& opaque() const { return opaque_; }
  // False: what the server sends can be told apart into replies no more.
  bool replies_known() const { return opaque_.empty() && replies_known_; }

 protected:
  Piece give_up(std::string why) {
    if (opaque_.empty()) opaque_ = std::move(why);
    return {};
  }
  void lose_count() { replies_known_ = false; }

 private:
  std::string opaque_;
  bool replies_known_ = true;
};

// A whole request, and the statement that it executes if that was prepared before and is known.
struct RelayedRequest {
  RelayedRequest(std::string_view all, std::string_view statement = {}) : bytes(all), prepared(statement) {}
  RelayedRequest(const std::string& all) : bytes(all) {}
  RelayedRequest(const char* all) : bytes(all) {}

  std::string_view bytes;
  std::string_view prepared;
};

// Requests and replies as people write them, of whole messages. Null: the protocol has no such text.
struct WireText {
  std::vector<std::string> (*words)(const RelayedRequest& request) = nullptr;
  std::string (*request)(const RelayedRequest& request) = nullptr;
  std::string (*name)(const RelayedRequest& request) = nullptr;  // of what it asks for, in a word: "set"
  std::string (*reply)(std::string_view reply) = nullptr;
  // False only if the reply shows that the request changed nothing at the server.
  bool (*may_change)(const RelayedRequest& request, std::string_view reply) = nullptr;
};

struct ProtocolType {
  const char* about = "";
  WireText text{};
  std::unique_ptr<Wire> (*make)() = nullptr;
};

const std::vector<Entry<ProtocolType>>& protocols();

// Throws BadInput for a name that is none.
const ProtocolType& protocol(const std::string& name);

inline constexpr std::size_t kKeptOfPrepared = 400;  // bytes of each prepared statement

inline constexpr unsigned char kTlsHandshake = 0x16;  // first byte of a connection with TLS from the first byte on
inline constexpr const char* kSpeaksTls = "the connection is encrypted (TLS)";

}  // namespace holdfast
