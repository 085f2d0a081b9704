// One client connection, and the relay's own connection to its server. Data is passed on immediately, in order and
// unchanged, except for actions at injection points (request_point.hpp).
//
// - A request is sent once its last byte has arrived; one longer than kMostOfRequest passes without being kept or
//   counted. Each direction buffers about twice that at most, and stops reading until there is room.
// - From an injection point until its action is done, no later data of the client is sent on this connection; it waits
//   in order. Replies to earlier requests pass.
// - The wire (wire.hpp) finds the reply to a request: the n-th reply answers the n-th request, or the one that it
//   names. If that is unknown, it is everything the server sends after the request: a point `after` is then reached at
//   the first bytes, a reply counts as lost once its first bytes were dropped, and nothing can be duplicated.
// - With independent requests (multiplexed), the client's other requests are sent while a reply is awaited. Only one
//   fault acts on such a connection at a time.
// - An end (FIN) is passed on after earlier data, a reset as a reset. A held request of a client that is gone is still
//   sent, and its reply dropped.
// - If the server is unreachable or resets, the client's connection is reset.
//
// Used only in the relay's thread. No function blocks.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "relay/connection_side.hpp"
#include "relay/ledger.hpp"
#include "relay/wire.hpp"

namespace holdfast {

class Connection {
 public:
  struct Who {
    RelayClient client = 0;
    std::uint64_t number = 0;
    std::string server;
  };
  Connection(Ledger& ledger, Who who, std::unique_ptr<Wire> wire, Socket client, Socket server);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  std::int64_t client_number() const { return who_.client; }
  const Socket& client() const { return client_.socket; }
  const Socket& server() const { return server_.socket; }

  void client_event(std::uint32_t events) { client_.event(events); }
  void server_event(std::uint32_t events);
  void go_on(RequestPointId stop, const Action& action);
  void hang_up(RequestPointId stop);  // resets the client's side; held data is kept
  void release(RequestPointId stop);  // sends a request held until then; cancels a copy not yet sent
  // Moves available data. Returns true if more may be available immediately; other connections come first.
  bool pump();
  bool over() const { return over_; }

 private:
  // Reason why no later data of the client is sent.
  enum class Barrier : std::uint8_t { none, stopped_before, held, watching };
  // Action on a reply.
  enum class Watch : std::uint8_t { none, stop_after, stopped_after, lose, first_of_two, second_of_two };
  struct Current {  // the request with an action
    RecordId record = kNoRecord;
    RequestRecord request;
    RequestPointId stop = kNoRequestPoint;
    std::optional<RequestPointId> after;
    std::uint64_t reply = 0;    // number of the server's answer to it; 0: none
    std::uint64_t sent_at = 0;  // bytes written by the time it was complete
    std::int64_t stopped_ns = 0;
    bool answered_unsent = false;  // the server ended without a request
    std::string copy;              // of a duplicate
  };

  // Passing data on.
  bool take_requests();  // returns true if data moved
  void take_message(const Piece& piece);
  void take_request(const Piece& piece);
  void pass_on(std::uint64_t reply, RecordId record, std::uint64_t serial);
  void hear_reply(std::string_view bytes, bool whole, std::uint64_t reply);
  void note_opaque();
  bool take_replies();
  bool is_watched(const Piece& piece) const;
  void note_answered(std::uint64_t reply);  // and all earlier requests
  void note_answered_alone(std::uint64_t reply);
  void note_first_bytes();
  void close_what_ended();
  void client_is_gone();
  void server_is_gone();
  void end();

  // At an injection point.
  void send_request(PointAction action);
  void note_sent();
  void deliver(std::string_view bytes, bool whole, bool watched);
  void stop_with_reply(bool whole);
  void send_copy();
  void lose_now();
  void lose_request();
  void leave_what_ended();
  void give_up_after(const char* why);
  void finish(const char* impossible = nullptr);

  bool at_rest() const;
  bool send_barred() const { return barrier_ != Barrier::none; }

  Ledger& ledger_;
  const Who who_;
  std::unique_ptr<Wire> wire_;
  ConnectionSide client_, server_;
  bool connected_ = false;
  bool client_gone_ = false;
  bool opaque_noted_ = false;
  bool over_ = false;

  std::string request_;
  std::string overtaken_;  // part of a request, while another message is read that is sent before it
  bool too_long_ = false;
  std::string held_;         // of a reply
  std::string heard_reply_;  // received part, if it is recorded

  Barrier barrier_ = Barrier::none;
  Watch watch_ = Watch::none;
  Current current_;
  bool named_ = false;  // a lock, since the last transaction ended
  std::uint64_t asked_ = 0, answered_ = 0;
  struct Sent {
    std::uint64_t at;
    RecordId record;
  };
  struct Open {
    std::uint64_t reply;
    RecordId record;
    std::uint64_t serial;
  };
  std::deque<Sent> to_be_sent_;
  std::deque<Open> to_be_answered_;
};

}  // namespace holdfast
