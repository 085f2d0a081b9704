// The network of a client's node: packets that vanish.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "nemesis/capabilities/any_capability.hpp"
#include "nemesis/packet_rules.hpp"

namespace holdfast {

class ClientNetwork : public CapabilityOf<Capability::client_network> {
 public:
  // Loads rules (nft), replacing ours; empty text removes them.
  virtual void filter(std::uint32_t client, const std::string& rules) = 0;
  virtual std::int64_t packets_dropped(std::uint32_t client) const = 0;              // by the rules that are loaded
  virtual bool reaches(std::uint32_t client, const std::string& address) const = 0;  // a probe of ours, from that node
  virtual std::vector<std::string> addresses(const std::string& cut) const = 0;      // lock | resource | all

  std::string unavailable() override { return why_not(harmless_rules()); }

  // Tried on the node of client 0, since the program may be missing, and so may the parts of the kernel that it talks
  // to. Empty: such rules can be had.
  std::string why_not(const std::string& rules) {
    try {
      filter(0, rules);
      filter(0, "");
      return "";
    } catch (const std::runtime_error& failed) {
      return failed.what();
    }
  }
};

}  // namespace holdfast
