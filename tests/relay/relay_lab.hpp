// A network with a server's node and two clients' nodes, whose connections to the server go through a relay.
//
//   RelayLab lab("resp", {"orders"});
//   lab.start_redis();
//   NodeClient client(lab.node(0), kLockAddress, 6379);
//   client.send("PING\r\n");  client.read(7);
//
// For tests that run inside a lab (main.cpp).
#pragma once

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "lab/network.hpp"
#include "lab/process.hpp"
#include "relay/node_sockets.hpp"
#include "relay/relay.hpp"

namespace holdfast {

inline constexpr int kPatience_ms = 10'000;
inline constexpr std::uint16_t kRedisPort = 6379;
inline constexpr std::uint16_t kMariaDbPort = 3306;
inline constexpr std::uint16_t kEtcdPort = 2379;

// A plain connection from a node, which waits for what it asks, but not for ever.
class NodeClient {
 public:
  NodeClient(int network, const std::string& address, std::uint16_t port);
  void send(const std::string& bytes);
  std::string read(std::size_t bytes);                 // fewer: the other side ended, reset, or said nothing more
  std::string read_to_end(int for_ms = kPatience_ms);  // all bytes until it ends, or the time is over
  std::string ask(const std::string& bytes, const std::string& reply);  // sends, and reads as much as the reply has
  bool silent(int for_ms);
  bool ended();  // the other side closed, or reset; waits
  bool reset() const { return error_ == ECONNRESET; }
  void half_close();
  void close() { socket_.close(); }
  void vanish() { socket_.reset(); }

 private:
  bool wait_readable(int for_ms);
  Socket socket_;
  int error_ = 0;
};

class RelayLab {
 public:
  RelayLab(const std::string& protocol, std::vector<std::string> locks, std::size_t most_records = 10'000);

  ~RelayLab();
  RelayLab(const RelayLab&) = delete;
  RelayLab& operator=(const RelayLab&) = delete;

  int node(std::size_t client) const { return network_->node(nodes_.at(client)).descriptor; }
  int server_node() const { return network_->node(server_).descriptor; }
  Network& network() { return *network_; }
  const Node& client_node(std::size_t client) const { return network_->node(nodes_.at(client)); }
  const std::string& folder() const { return folder_; }

  void start_redis();
  void start_mariadb();
  void start_etcd();
  void kill_server();

  // Runs a program in a client's node; what it said.
  std::string run(std::size_t client, const std::vector<std::string>& argv);

  Relay& relay() { return *relay_; }
  RelayClient client(std::size_t n) const { return clients_.at(n); }
  Reached reached();                                 // waits for the next stop
  RequestPointOutcome outcome(RequestPointId stop);  // waits until it is done, or impossible
  std::vector<RequestRecord> records();              // once all that were sent were answered

 private:
  void start(const std::vector<std::string>& argv, const std::string& log);

  std::string folder_;
  std::unique_ptr<Network> network_;
  std::size_t server_ = 0;
  std::vector<std::size_t> nodes_;
  Process process_;
  std::unique_ptr<Relay> relay_;
  std::vector<RelayClient> clients_;
};

// A command of RESP.
std::string command(const std::vector<std::string>& words);

}  // namespace holdfast
