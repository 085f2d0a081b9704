// Redirects a node's connections to the lock servers to the relay, transparently: nft rules for the node's chain `nat
// output`. The relay's own connections carry a mark and pass.
//
//   load_redirect(node.descriptor, redirect_rules({.ports = {6379}, .to_port = relay.port(client)}), log);
//
// The rules have a separate table, so Network::filter, which manages the faults' table, does not change them; they have
// no counters, because Network::dropped adds up all counters. A redirected packet passes the filters with the relay's
// address, and the relay's packets with the server's, so faults drop the latter. If redirection is impossible (a node
// without nft's `nat`), throws HarnessError with nft's message.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace holdfast {

inline constexpr std::uint32_t kRelayMark = 0x686f6c64;  // SO_MARK of the relay's own connections

struct Redirect {
  std::vector<std::uint16_t> ports;  // of the lock servers
  std::uint16_t to_port = 0;         // the relay's, on the node's loopback
  std::vector<std::string> spared;  // destinations not redirected: the protected resource. Loopback is never redirected
};

// Text for nft, which replaces the whole table. Throws BadInput for an invalid address or port.
std::string redirect_rules(const Redirect& redirect);

// Loads the rules on a node, by the descriptor of its network namespace. Only inside a lab. Throws HarnessError,
// Unavailable.
void load_redirect(int network, const std::string& rules, const std::string& log);

}  // namespace holdfast
