// One connection of a client, and the relay's own to the server that it was for. What comes on one side is written on
// the other as soon as it can be, in order and unchanged, but for what is done at a stop (stops.hpp).
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
// - An end (FIN) is passed on when what came before it has been, a reset as a reset. A client that is gone does not
// take
//   along what is held of it: that is sent all the same, and its reply swallowed.
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

#include "relay/ledger.hpp"
#include "relay/node_sockets.hpp"
#include "relay/wire.hpp"

namespace holdfast {

inline constexpr std::size_t kMostWaiting = kMostOfRequest;  // bytes, in each place where they wait
inline constexpr std::size_t kReadAtOnce = std::size_t{64} << 10U;

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

  const Socket& client() const { return client_; }
  const Socket& server() const { return server_; }

  void client_event(std::uint32_t events);
  void server_event(std::uint32_t events);
  void go_on(StopId stop, const Action& action);
  void release(StopId stop);  // a request that is held until then; a copy that is not sent yet is given up
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
    StopId stop = kNoStop;
    std::optional<StopId> after;
    std::uint64_t reply = 0;    // which one of the server's answers it; 0: none
    std::uint64_t sent_at = 0;  // how much was written when all of it was
    std::int64_t stopped_ns = 0;
    bool answered_unsent = false;  // the server has ended what was never asked
    std::string copy;              // of a duplicate
  };

  bool read_from(const Socket& from, std::string& in, bool& readable, bool ends, bool& ended, bool& failed);
  bool write_to(const Socket& to, std::string& out, std::uint64_t& written, bool& failed);

  bool take_requests();  // true: something moved
  void take_message(const Piece& piece);
  void take_request(const Piece& piece);
  void pass_on(std::uint64_t reply, RecordId record);
  void leave_what_ended();
  void give_up_after(const char* why);
  void send_request(Deed deed);
  void lose_request();
  void note_opaque();
  void note_sent();

  bool take_replies();
  bool is_watched(const Piece& piece) const;
  void deliver(std::string_view bytes, bool whole, bool watched);
  void stop_with_reply(bool whole);
  void note_answered(std::uint64_t reply);  // and all that were asked before
  void note_answered_alone(std::uint64_t reply);
  void note_first_bytes();
  void send_copy();
  void finish(const char* impossible = nullptr);
  void lose_now();

  void close_what_ended();
  void client_is_gone();
  void server_is_gone();
  void end();
  bool at_rest() const;
  bool send_barred() const { return barrier_ != Barrier::none; }

  Ledger& ledger_;
  const Who who_;
  std::unique_ptr<Wire> wire_;
  Socket client_, server_;
  bool connected_ = false;
  bool client_readable_ = true, server_readable_ = false;
  bool client_ends_ = false, server_ends_ = false;    // the end is behind what is still to be read
  bool client_ended_ = false, server_ended_ = false;  // it will send no more
  bool client_failed_ = false, server_failed_ = false;
  bool client_gone_ = false;
  bool told_server_ = false, told_client_ = false;  // that the other side ended
  bool opaque_noted_ = false;
  bool over_ = false;

  std::string up_in_, request_, up_out_;
  std::string overtaken_;  // of a request, while another message is read that goes before it
  bool too_long_ = false;
  std::uint64_t up_written_ = 0, down_written_ = 0;
  std::string down_in_, held_, down_out_;

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
  };
  std::deque<Sent> to_be_sent_;
  std::deque<Open> to_be_answered_;
};

}  // namespace holdfast
