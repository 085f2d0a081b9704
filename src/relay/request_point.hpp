// Injection points at the relay, in the terms of a plan: where a request stops, the action there, and its outcome.
//
//   // after the server has executed the 2nd request of a release by client 2
//   RequestPoint{.client = 2, .of = RelayOperation::release, .request = 2, .when = When::after}
//   RequestPoint{.background = true, .nth = 3}  // anyone's 3rd keep-alive
//
// Only requests that count are considered: those that name a lock of the trial, or end a transaction in which one was
// named (wire.hpp). For locks without a name at the server, such as PostgreSQL's advisory locks, every request counts.
// A request belongs to the client's operation that is open when its last byte reaches the relay, with several threads
// to the one that began last; if none is open, it is `background`, counted from the end of that client's last
// operation. Times are nanoseconds of the host's CLOCK_MONOTONIC; 0: has not happened.
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
using RequestPointId = std::uint32_t;

inline constexpr std::int64_t kAnyClient = -1;
inline constexpr RequestPointId kNoRequestPoint = ~RequestPointId{0};

enum class RelayOperation : std::uint8_t { none, acquire, renew, release };
// Encodes a client's state: its `serial`-th operation is open, or has ended.
constexpr std::uint64_t shown_operation(std::uint64_t serial, RelayOperation operation) {
  return serial * kEnumerators<RelayOperation> + static_cast<std::uint64_t>(operation);
}
constexpr RelayOperation operation_shown(std::uint64_t shown) {
  return static_cast<RelayOperation>(shown % kEnumerators<RelayOperation>);
}

// Where a request is counted: subscriptions take, renew and free nothing and are not background renewals; keep-alives
// of a session are not part of an operation that is open by coincidence.
enum class Counted : std::uint8_t { always, in_operations, in_background };

enum class When : std::uint8_t { before, after };

struct RequestPoint {
  std::int64_t client = kAnyClient;
  RelayOperation of = RelayOperation::none;  // none: any operation
  bool background = false;                   // only requests outside operations
  std::uint64_t request = 0;  // index within its operation, from 1 (background: since the last one ended); 0: any
  std::uint64_t nth = 1;      // nth matching request since it was armed
  When when = When::before;
  // Additional condition on the client when its request arrives; called by the relay's thread; null: none.
  std::function<bool(RelayClient)> only_if = nullptr;
};

struct Action {
  PointAction kind = PointAction::go_on;
  std::int64_t hold_ms = -1;  // for hold_request: duration; -1: until it is released
};

struct RequestRecord {
  RelayClient client = 0;
  std::uint64_t serial = 0;                  // of the relay, from 1
  std::string server;                        // "10.77.0.2:6379", where the client connected to
  std::uint64_t connection = 0;              // of the relay, from 1
  std::size_t lock = 0;                      // index of the lock name it contains; the longest, if several
  RelayOperation of = RelayOperation::none;  // none: background
  std::uint64_t number = 0;                  // within its operation, from 1; background: since the last one ended
  Counted counted = Counted::always;
  std::size_t bytes = 0;
  bool names_another = false;    // a lock, but not the one for which all requests stop (Relay::stop_all)
  std::int64_t came_ns = 0;      // when its last byte was read
  std::int64_t sent_ns = 0;      // when its last byte was given to the kernel for the server
  std::int64_t answered_ns = 0;  // when the end of its reply was read, or, if the end is unknown, the beginning
  PointAction done = PointAction::go_on;

  bool background() const { return of == RelayOperation::none; }
};

// The bytes of a request that counts when it arrives, or of the whole reply to it.
struct HeardBytes {
  std::uint64_t serial = 0;  // of the request
  bool reply = false;
  std::string_view bytes;
  std::string_view prepared{};  // prepared statement that the request executes, if known
};

// A reached injection point. `after`: the server has answered, which is evidence that it executed the request.
struct Reached {
  RequestPointId stop = 0;
  When when = When::before;
  RequestRecord request;
  std::int64_t reached_ns = 0;
  std::size_t reply_bytes = 0;  // held back
  bool reply_whole = false;     // false: at least the beginning of the reply
};

// Outcome of an action; poll until `done` or `impossible`. A point `after` can become impossible without being reached:
// the server was gone before it answered, or another point's action took the reply.
struct RequestPointOutcome {
  bool reached = false;
  bool done = false;
  std::string impossible;  // reason why it cannot be done any more; nothing, or not everything, was done then
  bool by_nature = false;  // impossible for this kind of request or connection: nothing failed
  PointAction kind = PointAction::go_on;
  std::int64_t sent_ns = 0;         // the request; of a duplicate: the second time
  std::int64_t held_ns = 0;         // how long it was kept from being sent
  std::size_t bytes_sent = 0;       // of the request, or of its copy
  std::size_t bytes_swallowed = 0;  // of the server's reply, dropped
  std::size_t bytes_lost = 0;       // of a request that was never sent
  std::int64_t cut_ns = 0;          // the client's connection was reset
  bool client_gone = false;         // the client had already closed its connection when the request was sent

  std::string evidence() const;  // a sentence for display, once done; for a duplicate, once its copy was sent
};

// Counters of one client.
struct RelayedClient {
  std::uint64_t connections = 0;
  std::uint64_t refused = 0;     // connections that the relay could not make or accept
  std::uint64_t counted = 0;     // requests, including background ones
  std::uint64_t background = 0;  // ... among these
  std::uint64_t passed = 0;      // requests that do not count
  std::uint64_t too_long = 0;    // requests longer than kMostOfRequest, passed unread
  std::uint64_t opaque = 0;      // connections that cannot be parsed
  std::string why_opaque;        // reason for the last one, with its server; a fault at a request is then `unavailable`
};

inline constexpr std::size_t kMostOfRequest = std::size_t{256} << 10U;

}  // namespace holdfast
