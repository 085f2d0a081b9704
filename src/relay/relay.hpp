// A transparent relay between a client's node and the lock servers. It stops at the nth matching request of a lock in
// another language and performs an action there, such as losing the reply. One thread serves all clients and never
// blocks, so a stopped client does not stop other traffic.
//
//   Relay relay({.locks = {"orders-7"}});
//   const RelayClient client = relay.add_client(node.descriptor);
//   const std::uint16_t port = relay.listen(client, "resp");
//   load_redirect(node.descriptor, redirect_rules({.ports = {6379}, .to_port = port, .spared = {...}}), log);
//
//   const RequestPointId point = relay.arm({.client = client, .of = RelayOperation::release, .request = 2});
//   relay.operation_begins(client, RelayOperation::release);  // when the adapter is called
//   if (auto reached = relay.next_stop(1000)) relay.go_on(point, {.kind = PointAction::lose_reply});
//   relay.operation_ends(client);                             // when it has answered
//   relay.outcome(point).done                                 // poll until it is true, or `impossible`
//
// A stop is an armed point that a request has reached; both have the point's id.
//
// Its sockets belong to the client's network: addresses, partitions and delays affect the relay's connection to the
// server as they would affect the client's own. Differences: the client's connection is open before the server's, the
// client gets acknowledgements for data that the server has not seen yet, and sees a refusal by the server as a reset.
// So use it only to stop at requests or to observe them. It supports IPv4, as in the lab.
//
// Counting: requests that reach the relay after their operation has ended count as background. This can happen if the
// client ends an operation without waiting for a reply.
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
  // Returns the client's current operation (see shown_operation), in place of operation_begins and operation_ends.
  // Called by the relay's thread when a request arrives. Null: not used.
  std::function<std::uint64_t(RelayClient)> shown = nullptr;
  // Receives the requests that count, and their replies; called by the relay's thread. Null: they are not kept.
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

  // Adds a point, which is reached at most once. Throws HarnessError for an invalid point.
  RequestPointId arm(const RequestPoint& at);
  bool disarm(RequestPointId stop);  // false: it was already reached
  // Switches stops before every request that counts on or off; they need no armed points. With a `lock`, requests that
  // name other locks and not this one pass; they are counted.
  void stop_all(bool wanted, const std::string& lock = "");
  std::uint64_t of_other_locks() const;
  // Forgets points with lower numbers, to free their memory.
  void forget_before(RequestPointId stop);
  // For a held request: resets its client's side; the request is still sent when it is released.
  void hang_up(RequestPointId stop);
  // Resets the connections of a client, on both sides.
  void cut(RelayClient client);
  // Returns the next point that was reached, each one once. Its connection waits until `go_on`. Empty: timed out.
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
