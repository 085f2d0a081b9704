// Finds the ends of requests and replies in the bytes of a connection. Each protocol is a folder in protocols/, and
// that folder is the registry.
//
//   auto wire = protocol("resp").make();
//   Piece piece = wire->from_client(bytes);   // reads at most to the end of one message
//   ... bytes.substr(0, piece.size) belong to it; if (piece.whole), the next byte begins another
//
// A wire reads a stream once, piece by piece, and keeps only the beginnings of prepared statements: its memory is
// bounded, whatever length a message claims. The same stream split differently gives the same messages. It never
// changes data. Bytes that it cannot parse make it `opaque` permanently: they are passed on unread, and a planned fault
// at a request is reported as impossible with the reason.
//
// The n-th reply answers the n-th request that `expects_reply`, unless it names the request (`answers`); both count
// from 1. A server may also send unasked messages (`aside`). If replies can no longer be told apart, the wire says so
// (`replies_known`).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "artifact/entry.hpp"
#include "relay/request_point.hpp"

namespace holdfast {

// A part of a message, or its end.
struct Piece {
  std::size_t size = 0;        // bytes read; 0 for no bytes, an opaque stream, or a beginning that
                               // is not sufficient yet to tell where it belongs: call again with more
  bool whole = false;          // the message ends with these bytes
  bool request = false;        // client, when whole: a request; else part of a greeting, or nothing
  bool expects_reply = false;  // client, when whole
  bool overtakes = false;      // client: not part of the message in progress; may be sent before it
  bool aside = false;          // server: no part of a reply
  // server, for protocols whose replies name requests: the request; in every part of a reply
  std::uint64_t answers = 0;
};

class Wire {
 public:
  virtual ~Wire() = default;
  virtual Piece from_client(std::string_view bytes) = 0;
  virtual Piece from_server(std::string_view bytes) = 0;

  // Called once for each request, with all of its bytes, before further data: returns whether it concerns a lock;
  // `names`: its bytes contain a lock's name. PING and similar commands do not count even then; execution of a
  // statement that was prepared with a lock's name does.
  virtual bool counts(std::string_view request, bool names) = 0;
  // Call after `counts`: returns whether it ends a transaction. One in which a lock was named counts.
  virtual bool ends_transaction() const = 0;
  // Call after `counts`: where the request is counted.
  virtual Counted counted() const { return Counted::always; }
  // Call after `counts`: the prepared statement that the request executes; empty: none, or unknown.
  virtual std::string_view prepared(std::string_view /*request*/) const { return {}; }
  // Call after `counts`: returns whether sending it twice makes the server execute it twice. `sent_again` then tells
  // the wire to expect another reply.
  virtual bool repeatable() const = 0;
  virtual void sent_again() = 0;

  // Requests share the connection without waiting for each other. While the reply to one is awaited, the client's
  // others are sent, and the first part of a reply stands for all of it.
  virtual bool multiplexed() const { return false; }
  // Only if multiplexed: false for a request that ended without an answer, on either side.
  virtual bool awaits(std::uint64_t /*request*/) const { return true; }

  // Reason why nothing can be read; empty: it can.
  const std::string& opaque() const { return opaque_; }
  // False: the server's data can no longer be divided into replies.
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

// A whole request, with the prepared statement that it executes, if known.
struct RelayedRequest {
  RelayedRequest(std::string_view all, std::string_view statement = {}) : bytes(all), prepared(statement) {}
  RelayedRequest(const std::string& all) : bytes(all) {}
  RelayedRequest(const char* all) : bytes(all) {}

  std::string_view bytes;
  std::string_view prepared;
};

// Formats whole requests and replies for people. Null: the protocol has no such text.
struct WireText {
  std::vector<std::string> (*words)(const RelayedRequest& request) = nullptr;
  std::string (*request)(const RelayedRequest& request) = nullptr;
  std::string (*name)(const RelayedRequest& request) = nullptr;  // one word for the command: "set"
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

// Throws BadInput for an unknown name.
const ProtocolType& protocol(const std::string& name);

inline constexpr std::size_t kKeptOfPrepared = 400;  // bytes of each prepared statement

inline constexpr unsigned char kTlsHandshake = 0x16;  // first byte of a TLS connection
inline constexpr const char* kSpeaksTls = "the connection is encrypted (TLS)";

}  // namespace holdfast
