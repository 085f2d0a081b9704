// The lab for stepping a lock by its requests: one server, and a node with the relay for each client and for the probe.
// This process starts the adapters and sends their requests.
//
//   RequestLab lab(folder, "my_lock", 2);
//   auto a = lab.start_adapter(0, {.names = {"orders-0"}, .lease_ms = 2000}, hear);
//   lab.relay().stop_all(true);
//   const std::int64_t next_ns = lab.quiet().wait();
//
// Runs inside a lab in virtual time. Throws HarnessError, Unavailable.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "adapter/adapter_program.hpp"
#include "lab/network.hpp"
#include "lock/lock.hpp"
#include "relay/relay.hpp"
#include "relay/wire.hpp"
#include "request_explore/heard_requests.hpp"
#include "servers/server_type.hpp"
#include "virtual_time/quiet_wait.hpp"

namespace holdfast {

// Prefix of every requested lock name, by which the relay recognizes requests that count.
inline constexpr const char* kNameOfLocks = "orders-";

struct AdapterOrder {
  std::vector<std::string> names;  // of locks, for its hello
  std::int64_t lease_ms = 0;
};

class RequestLab {
 public:
  RequestLab(std::string folder, const std::string& lock, std::uint32_t clients);
  ~RequestLab();
  RequestLab(const RequestLab&) = delete;
  RequestLab& operator=(const RequestLab&) = delete;

  // Numbers start at 0; the one after the last client is the probe. Call it in the thread that keeps the lab.
  std::unique_ptr<AdapterProgram> start_adapter(std::uint32_t number, const AdapterOrder& order,
                                                AdapterProgram::Hear hear);
  std::uint32_t probe() const { return clients_; }
  const LockType& type() const { return type_; }
  Relay& relay() { return *relay_; }
  HeardRequests& heard() { return heard_; }
  QuietWait& quiet() { return quiet_; }
  const WireText& text() const { return protocol_.text; }
  const std::string& server_version() const { return server_version_; }

 private:
  void put_before_relay(std::uint32_t client);

  const std::string folder_;
  const LockType& type_;
  const ServerType& server_type_;
  const ProtocolType& protocol_;
  const std::uint32_t clients_;
  QuietWait quiet_;
  HeardRequests heard_;
  Network network_;
  std::vector<std::size_t> nodes_;  // by number
  int own_network_ = -1;
  std::unique_ptr<LockServer> server_;
  std::string server_version_;
  std::unique_ptr<Relay> relay_;
};

}  // namespace holdfast
