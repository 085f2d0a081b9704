// One connection of a client, and the relay's own to the server that it was for. What comes on one side is written on
// the other as soon as it can be, in order and unchanged, but for what is done at a stop (request_point.hpp).
//
// - A request is sent once its last byte has come; one longer than kMostOfRequest is not kept, passes and counts
//   nowhere. Each direction keeps at most about twice that, and reads no further until there is room.
// - From a stop until its action is done, nothing further of the client is sent on this connection: what it sends waits
//   in its order. Replies to earlier requests pass.
// - The reply to a request is what the wire tells (wire.hpp): the n-th reply answers the n-th request, or the one that
//   it names. Where that is not known, it is whatever the server sends after the request was sent: a stop `after` is
//   then reached at its first bytes, a reply is lost as soon as its first bytes were swallowed, and nothing can be
//   duplicated.
// - Where requests do not wait for each other (multiplexed), the client's others are sent while a reply is awaited. One
//   fault acts on such a connection at a time.
// - An end (FIN) is passed on when what came before it has been, a reset as a reset. What is held of a client that is
//   gone is sent all the same, and its reply swallowed.
// - A server that cannot be reached, or is reset, resets the client.
//
// Only for the relay's thread. Nothing in it waits.
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
  void hang_up(RequestPointId stop);  // resets the client's side; what is held is kept
  void release(RequestPointId stop);  // a request that is held until then; a copy that is not sent yet is given up
  // Moves what can be moved. True: there may be more at once, for which others should not wait.
  bool pump();
  bool over() const { return over_; }

 private:
  // Why nothing further of the client is sent.
  enum class Barrier : std::uint8_t { none, stopped_before, held, watching };
  // What is done with a reply.
  enum class Watch : std::uint8_t { none, stop_after, stopped_after, lose, first_of_two, second_of_two };
  struct Current {  // the request at which something is done
    RecordId record = kNoRecord;
    RequestRecord request;
    RequestPointId stop = kNoRequestPoint;
    std::optional<RequestPointId> after;
    std::uint64_t reply = 0;    // which one of the server's answers it; 0: none
    std::uint64_t sent_at = 0;  // how much was written when all of it was
    std::int64_t stopped_ns = 0;
    bool answered_unsent = false;  // the server has ended what was never asked
    std::string copy;              // of a duplicate
  };

  // Passing on.
  bool take_requests();  // true: something moved
  void take_message(const Piece& piece);
  void take_request(const Piece& piece);
  void pass_on(std::uint64_t reply, RecordId record, std::uint64_t serial);
  void hear_reply(std::string_view bytes, bool whole, std::uint64_t reply);
  void note_opaque();
  bool take_replies();
  bool is_watched(const Piece& piece) const;
  void note_answered(std::uint64_t reply);  // and all that were asked before
  void note_answered_alone(std::uint64_t reply);
  void note_first_bytes();
  void close_what_ended();
  void client_is_gone();
  void server_is_gone();
  void end();

  // At a stop.
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
  std::string overtaken_;  // of a request, while another message is read that goes before it
  bool too_long_ = false;
  std::string held_;         // of a reply
  std::string heard_reply_;  // as far as it has come, where somebody hears it

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
