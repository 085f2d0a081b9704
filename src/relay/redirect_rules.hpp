// Sends a node's connections to the lock servers to the relay instead, unseen by who makes them: nft rules for the
// chain `nat output` of the node. The relay's own connections carry a mark and pass.
//
//   load_redirect(node.descriptor, redirect_rules({.ports = {6379}, .to_port = relay.port(client)}), log);
//
// The rules stand in a table of their own, so that Network::filter, whose table is that of the faults, leaves them
// alone; they have no counters, since Network::dropped adds up all that there are. A redirected packet goes through the
// filters with the relay's address, and the relay's with the server's: so what a fault drops, it drops of the latter.
// What cannot be translated (a node without nft's `nat`) is HarnessError with nft's own words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace holdfast {

inline constexpr std::uint32_t kRelayMark = 0x686f6c64;  // SO_MARK of the relay's own connections

struct Redirect {
  std::vector<std::uint16_t> ports;  // of the lock servers
  std::uint16_t to_port = 0;         // the relay's, on the node's loopback
  std::vector<std::string> spared;   // addresses that are reached as ever: the protected resource. Loopback always is
};

// The text for nft; the table is replaced as a whole. BadInput for what is no address or no port.
std::string redirect_rules(const Redirect& redirect);

// Loads them on a node, by the descriptor of its network namespace. Only inside a lab. HarnessError, Unavailable.
void load_redirect(int network, const std::string& rules, const std::string& log);

}  // namespace holdfast
