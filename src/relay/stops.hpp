// What happens to requests at the relay, in the words of a plan: where to stop, what to do there, and what became of
// it.
//
//   // the 2nd request of a release of client 2's, once the server has it
//   StopAt{.client = 2, .of = RelayOperation::release, .request = 2, .when = When::after}
//   StopAt{.background = true, .nth = 3}  // anyone's 3rd keep-alive
//
// A request is one that counts: it names a lock of ours, or ends a transaction in which one was named (wire.hpp). Of a
// kind of lock that has no name at the server, as PostgreSQL's advisory locks, any counts.
// It belongs to the operation of its client that is open when its last byte has come to the relay, of several (threads)
// to the one that began last; with none open it is `background`, counted from the end of that client's last operation.
// Times are nanoseconds of the host's CLOCK_MONOTONIC; 0: it has not happened.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "artifact/point_action.hpp"

#include "artifact/enumeration.hpp"

namespace holdfast {

using RelayClient = std::uint32_t;  // 0, 1, ... in the order of Relay::add_client
using StopId = std::uint32_t;

inline constexpr std::int64_t kAnyClient = -1;
inline constexpr StopId kNoStop = ~StopId{0};

enum class RelayOperation : std::uint8_t { none, acquire, renew, release };
// One number that says what a client is about: its `serial`-th operation, or nothing since that one ended.
constexpr std::uint64_t shown_operation(std::uint64_t serial, RelayOperation operation) {
  return serial * kEnumerators<RelayOperation> + static_cast<std::uint64_t>(operation);
}
constexpr RelayOperation operation_shown(std::uint64_t shown) {
  return static_cast<RelayOperation>(shown % kEnumerators<RelayOperation>);
}

// Where a request is counted: what only asks to be told, as a subscription, takes, renews and frees nothing, and in the
// background it is no renewal; what a session sends to stay alive is no step of an operation that happens to be open.
enum class Counted : std::uint8_t { always, in_operations, in_background };

enum class When : std::uint8_t { before, after };

struct StopAt {
  std::int64_t client = kAnyClient;
  RelayOperation of = RelayOperation::none;  // none: any operation
  bool background = false;                   // what belongs to no operation, and only that
  std::uint64_t request = 0;                 // which one of its operation, from 1 (background: since one ended); 0: any
  std::uint64_t nth = 1;                     // the how many-th that all this is true of, since it was armed
  When when = When::before;
  // What else must be true of the client as its request comes: asked by the relay's thread; null: nothing.
  std::function<bool(RelayClient)> only_if = nullptr;
};

struct Action {
  PointAction deed = PointAction::go_on;
  std::int64_t hold_ms = -1;  // hold_request: for so long; -1: until it is released
};

struct RequestRecord {
  RelayClient client = 0;
  std::uint64_t serial = 0;                  // of the relay's, from 1
  std::string server;                        // "10.77.0.2:6379", where the client connected to
  std::uint64_t connection = 0;              // of the relay's, from 1
  std::size_t lock = 0;                      // which of our names it names; the longest, if several
  RelayOperation of = RelayOperation::none;  // none: background
  std::uint64_t number = 0;                  // of its operation, from 1; background: since one ended
  Counted counted = Counted::always;
  std::size_t bytes = 0;
  std::int64_t came_ns = 0;      // its last byte was read
  std::int64_t sent_ns = 0;      // its last byte was given to the kernel, towards the server
  std::int64_t answered_ns = 0;  // its reply was read: its end, or, where that is not known, its beginning
  PointAction done = PointAction::go_on;

  bool background() const { return of == RelayOperation::none; }
};

// The bytes of a request that counts, as it comes, or of the whole reply to it.
struct HeardBytes {
  std::uint64_t serial = 0;  // of the request
  bool reply = false;
  std::string_view bytes;
  std::string_view prepared{};  // the statement that the request executes, if that was prepared before and is known
};

// A stop that was reached. `after`: the server has answered, which is the evidence that it did what it was asked.
struct Reached {
  StopId stop = 0;
  When when = When::before;
  RequestRecord request;
  std::int64_t reached_ns = 0;
  std::size_t reply_bytes = 0;  // that are held back
  bool reply_whole = false;     // false: it is at least the beginning of the reply
};

// What became of an action; asked again until `done` or `impossible`. A stop `after` can become impossible without
// being reached: the server was gone before it answered, or another stop's action took the reply.
struct StopOutcome {
  bool reached = false;
  bool done = false;
  std::string impossible;  // why it can not be done any more; nothing was done then, or not all
  bool by_nature = false;  // with such a request, or on such a connection: nothing failed
  PointAction deed = PointAction::go_on;
  std::int64_t sent_ns = 0;         // the request; of a duplicate: the second time
  std::int64_t held_ns = 0;         // for how long it was kept from being sent
  std::size_t bytes_sent = 0;       // of it, or of its copy
  std::size_t bytes_swallowed = 0;  // of the server's, that the client never got
  std::size_t bytes_lost = 0;       // of a request that was never sent
  std::int64_t cut_ns = 0;          // the client's connection was reset
  bool client_gone = false;         // when the request was sent, the client had already closed its connection

  std::string evidence() const;  // in a sentence for people, once done; of a duplicate, once its copy was sent
};

// Of one client, at any time.
struct RelayedClient {
  std::uint64_t connections = 0;
  std::uint64_t refused = 0;     // connections that the relay could not make or take
  std::uint64_t counted = 0;     // requests, background ones among them
  std::uint64_t background = 0;  // ... of these
  std::uint64_t passed = 0;      // requests that do not count
  std::uint64_t too_long = 0;    // requests longer than kMostOfRequest, which passed unread
  std::uint64_t opaque = 0;      // connections that cannot be read
  std::string why_opaque;        // of the last one, with its server; a fault at a request is `unavailable` then
};

inline constexpr std::size_t kMostOfRequest = std::size_t{256} << 10U;

}  // namespace holdfast
