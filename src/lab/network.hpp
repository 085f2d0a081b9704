// The lab's network: a bridge with nodes. A node is a network namespace with its own link and IP address, so that
// partitions, and several clients on one address, are realistic.
//
//   Network net(log_file);
//   Node db = net.add_node("db", {"10.77.0.2", "10.77.0.3"});
//   net.up();
//
// Call it inside a lab, in the process that keeps the nodes: a node lives as long as its descriptor.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lab/cut_links.hpp"
#include "lab/dropping_rules.hpp"

namespace holdfast {

inline constexpr const char* kLockAddress = "10.77.0.2";      // the lock service
inline constexpr const char* kResourceAddress = "10.77.0.3";  // the protected resource

// address of the lock service's replica until it is promoted
inline constexpr const char* kReplicaAddress = "10.77.0.4";

// Addresses of the lock service's servers, if there are several equal ones.
inline constexpr std::array<const char*, 6> kServerAddresses{kLockAddress, "10.77.0.5", "10.77.0.6",
                                                             "10.77.0.7",  "10.77.0.8", "10.77.0.9"};

// On the resource's node, where a trial measures its own clock (virtual_time/time_canary.hpp): faults cut off the other
// nodes.
inline constexpr const char* kCanaryAddress = "10.77.0.250";

struct Node {
  std::string name;
  std::vector<std::string> addresses;
  int descriptor = -1;  // of its network namespace
  bool serves = false;  // every other node talks to it
};

class Network {
 public:
  explicit Network(std::string log);
  ~Network();
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  std::size_t add_node(const std::string& name, const std::vector<std::string>& addresses, bool serves = false);
  void up();  // makes links and addresses; throws HarnessError
  const Node& node(std::size_t i) const { return nodes_.at(i); }
  std::size_t size() const { return nodes_.size(); }

  // Loads nft rules on a node, in holdfast's own table; empty rules remove it. Throws HarnessError.
  void filter(const Node& node, const DroppingRules& rules) const;
  // Publishes the cut links in a file that other processes map.
  void tell_cuts(const std::string& path) { cut_links_ = std::make_unique<CutLinks>(path); }
  std::int64_t dropped(const Node& node) const;  // packets counted by the rules' `counter drop`
  // Takes a node off the network and gives its first address to another, with its link address: all others reach the
  // new node at the old one's address. Connections to the old node are refused by the new one.
  void take_over(const Node& old_node, const Node& new_node);
  // Takes a node off the network and exchanges its address with another's. `come_back` puts it back on.
  void swap_address(std::size_t old_node, std::size_t new_node);
  void come_back(std::size_t node);
  // Delays packets sent by the node; returns false if the kernel has no netem.
  bool delay(const Node& node, std::int64_t ms) const;

  // Address of the n-th client node.
  static std::string client_address(std::size_t n);

 private:
  std::string output_of(const Node& node, const std::vector<std::string>& argv) const;
  std::string neighbours(bool service) const;
  void ip_batch(const std::string& commands, int network);

  std::string log_;
  std::vector<Node> nodes_;
  std::unique_ptr<CutLinks> cut_links_;  // null: not published
};

}  // namespace holdfast
