// A transparent relay between a client's node and the lock servers: it stops at the nth matching request of a lock in
// another language and performs the action there. One thread serves all clients and never blocks, so a stopped client
// does not stop other traffic.
//
//   Relay relay({.locks = {"orders-7"}});
//   const RelayClient client = relay.add_client(node.descriptor);
//   const std::uint16_t port = relay.listen(client, "resp");
//   load_redirect(node.descriptor, redirect_rules({.ports = {6379}, .to_port = port, .spared = {...}}), log);
//
//   const RequestPointId stop = relay.arm({.client = client, .of = RelayOperation::release, .request = 2});
//   relay.operation_begins(client, RelayOperation::release);      // when the adapter is called
//   if (auto reached = relay.next_stop(1000)) relay.go_on(stop, {.kind = PointAction::lose_reply});
//   relay.operation_ends(client);                            // when it has answered
//   relay.outcome(stop).done                                 // poll until it is true, or `impossible`
//
// Its sockets belong to the client's network: addresses, partitions and delays affect the relay's connection to the
// server as they would affect the client's own. Differences: the client is connected before the server is, gets
// acknowledgements for data that the server has not seen yet, and sees a refusal by the server as a reset. So use it
// only where requests matter. It supports IPv4, as in the lab.
//
// Counting: if a client begins and ends an operation without waiting for a reply, the operation may have ended before
// its requests reach the relay; they count as background then.
//
// Each connection uses two descriptors (allow_open_files) and, while a peer does not read, up to a megabyte.
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
  std::vector<std::string> locks;  // a request counts if it contains one of these, compared as bytes
  std::size_t most_records = 500'000;
  // Reads the client's current operation, instead of operation_begins and operation_ends: called by the relay's thread
  // when a request arrives. See shown_operation; null: not used.
  std::function<std::uint64_t(RelayClient)> shown = nullptr;
  // Called by the relay's thread with requests that count and their replies. Null: they are not kept.
  std::function<void(const HeardBytes&)> hears = nullptr;
};

class Relay {
 public:
  explicit Relay(const RelaySettings& settings);  // throws HarnessError
  ~Relay();                                       // resets all connections
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  RelayClient add_client(int network);  // descriptor of its network namespace, which must outlive the relay
  // Returns the port on the node's loopback to which its connections must be redirected. Call it once per protocol of
  // the client. Throws HarnessError; BadInput for an unknown protocol (wire.hpp).
  std::uint16_t listen(RelayClient client, const std::string& protocol);

  void operation_begins(RelayClient client, RelayOperation operation);
  // `operation`: ends the last one of this kind that began; none: the last of any. Throws HarnessError if none is open.
  void operation_ends(RelayClient client, RelayOperation operation = RelayOperation::none);

  // throws HarnessError for an invalid point. A point is reached at most once
  RequestPointId arm(const RequestPoint& at);
  bool disarm(RequestPointId stop);  // false: it was already reached
  // Starts or ends stopping before every request that counts, without armed points.
  void stop_all(bool wanted);
  // Forgets points with lower numbers, to free their memory.
  void forget_before(RequestPointId stop);
  // For a held request: resets its client's side; the request is still sent when it is released.
  void hang_up(RequestPointId stop);
  // Resets the connections of a client, on both sides.
  void cut(RelayClient client);
  // Returns the next reached point, each one once. Its connection waits until `go_on`. Empty: time-out.
  std::optional<Reached> next_stop(int timeout_ms);
  // Throws HarnessError if the point was not reached, or does not allow the action.
  void go_on(RequestPointId stop, const Action& action);
  // Sends a held request, or cancels a copy that waits for the first reply; otherwise does nothing.
  void release(RequestPointId stop);
  RequestPointOutcome outcome(RequestPointId stop) const;

  RelayedClient seen(RelayClient client) const;
  std::vector<RequestRecord> records() const;  // in order of arrival
  std::uint64_t records_left_out() const;      // number beyond most_records

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace holdfast
