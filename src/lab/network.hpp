// The lab's network: a bridge, and nodes on it. A node is a network namespace with a link and an IP address of its own,
// so that a partition, or two clients on one address, are what they are in the world.
//
//   Network net(log_file);
//   Node db = net.add_node("db", {"10.77.0.2", "10.77.0.3"});
//   net.up();
//
// Call it inside a lab, from the process that keeps the nodes: a node lives as long as its descriptor.
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

inline constexpr const char* kReplicaAddress = "10.77.0.4";  // of the lock service's replica, until it is promoted

// Of the lock service's servers, where it has several that are equals.
inline constexpr std::array<const char*, 6> kServerAddresses{kLockAddress, "10.77.0.5", "10.77.0.6",
                                                             "10.77.0.7",  "10.77.0.8", "10.77.0.9"};

// On the node of the resource, where a trial measures its own clock (virtual_time/time_canary.hpp): faults cut off the
// others.
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

  // Loads nft rules on a node, in a table of ours; none removes it. Throws HarnessError.
  void filter(const Node& node, const DroppingRules& rules) const;
  // Which links are cut is then told to who maps the same.
  void tell_cuts(const std::string& path) { cut_links_ = std::make_unique<CutLinks>(path); }
  std::int64_t dropped(const Node& node) const;  // packets counted by the rules' `counter drop`
  // Takes a node off the network, and gives its first address to another, with the link address that goes with it: all
  // others find the new one as they found the old one. What was connected to the old one is refused by the new one.
  void take_over(const Node& old_node, const Node& new_node);
  // Takes a node off the network and gives its address to another, whose own it gets. `come_back` puts it back on.
  void swap_address(std::size_t old_node, std::size_t new_node);
  void come_back(std::size_t node);
  // Delays what the node sends; false when the kernel has no netem.
  bool delay(const Node& node, std::int64_t ms) const;

  // Address of the n-th client node.
  static std::string client_address(std::size_t n);

 private:
  std::string output_of(const Node& node, const std::vector<std::string>& argv) const;
  std::string neighbours(bool service) const;
  void ip_batch(const std::string& commands, int network);

  std::string log_;
  std::vector<Node> nodes_;
  std::unique_ptr<CutLinks> cut_links_;  // null: it is told to nobody
};

}  // namespace holdfast
