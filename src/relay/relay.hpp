// A transparent relay for requests between a client's node and the lock servers: it stops at the n-th request of a lock
// whose code is not ours, and does there what is to be done. One thread for all clients; nothing in it waits, so that a
// client that is stopped stops nobody's packets.
//
//   Relay relay({.locks = {"orders-7"}});
//   const RelayClient client = relay.add_client(node.descriptor);
//   const std::uint16_t port = relay.listen(client, "resp");
//   load_redirect(node.descriptor, redirect_rules({.ports = {6379}, .to_port = port, .spared = {...}}), log);
//
//   const RequestPointId stop = relay.arm({.client = client, .of = RelayOperation::release, .request = 2});
//   relay.operation_begins(client, RelayOperation::release);      // as the adapter is asked
//   if (auto reached = relay.next_stop(1000)) relay.go_on(stop, {.deed = PointAction::lose_reply});
//   relay.operation_ends(client);                            // as it has answered
//   relay.outcome(stop).done                                 // asked until it is, or is `impossible`
//
// Its sockets are of the client's network: addresses, partitions and delays are of the relay's connection to the server
// as they would be of the client's own. What differs: the client is connected before the server is, gets
// acknowledgements of what the server has not seen yet, and hears of a server that refuses it by a reset. So use it
// only where requests matter. It reads version 4 of IP, as the lab has.
//
// Counting: a client that begins and ends an operation without waiting for a reply may have ended it before its
// requests came to the relay; they are background then.
//
// Each connection takes two descriptors (allow_open_files) and, while a peer does not read, up to a megabyte.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "relay/request_point.hpp"

namespace holdfast {

struct RelaySettings {
  std::vector<std::string> locks;  // a request counts that contains one of these, as bytes
  std::size_t most_records = 500'000;
  // What the client itself shows of its operation, in place of operation_begins and operation_ends: asked as a request
  // comes, by the relay's thread. See shown_operation; null: it is told.
  std::function<std::uint64_t(RelayClient)> shown = nullptr;
  // Hears requests that count and the replies to them; called by the relay's thread. Null: nothing is kept for it.
  std::function<void(const HeardBytes&)> hears = nullptr;
};

class Relay {
 public:
  explicit Relay(const RelaySettings& settings);  // throws HarnessError
  ~Relay();                                       // resets all connections
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  RelayClient add_client(int network);  // descriptor of its network namespace, which must outlive the relay
  // The port on the node's loopback to which its connections are to be redirected. One for each protocol that the
  // client speaks. HarnessError; BadInput for a protocol that is none (wire.hpp).
  std::uint16_t listen(RelayClient client, const std::string& protocol);

  void operation_begins(RelayClient client, RelayOperation operation);
  // `operation`: the last one of it that began; none: the last of any. HarnessError: none is open.
  void operation_ends(RelayClient client, RelayOperation operation = RelayOperation::none);

  RequestPointId arm(const RequestPoint& at);  // HarnessError: it makes no sense. A stop happens once
  bool disarm(RequestPointId stop);            // false: it was already reached
  // From then on every request that counts is stopped before it is sent, without being armed; or no more.
  void stop_all(bool wanted);
  // Stops with a lower number are asked about no more, so that they need no memory.
  void forget_before(RequestPointId stop);
  // Of a request that is held: resets its client's side; the request is still sent when it is released.
  void hang_up(RequestPointId stop);
  // Resets the connections of a client, on both sides.
  void cut(RelayClient client);
  // The next one that was reached, each told once. Its connection waits until `go_on`; nothing: the time is over.
  std::optional<Reached> next_stop(int timeout_ms);
  // HarnessError: it was not reached, or the action is not for such a stop.
  void go_on(RequestPointId stop, const Action& action);
  // What is held until then is sent, and a copy that waits for the first reply is not; else it is harmless.
  void release(RequestPointId stop);
  RequestPointOutcome outcome(RequestPointId stop) const;

  RelayedClient seen(RelayClient client) const;
  std::vector<RequestRecord> records() const;  // in the order in which they came
  std::uint64_t records_left_out() const;      // beyond most_records

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace holdfast
