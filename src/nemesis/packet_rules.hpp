// Whether this machine can make packets vanish, asked by faults before the load: tried on a node, since the program may
// be missing, and so may the parts of the kernel that it talks to.
#pragma once

#include <stdexcept>
#include <string>

#include "nemesis/world.hpp"

namespace holdfast {

// Loads `rules` (nft) on the node of client 0 and removes them. Empty: they can be had; else why not.
inline std::string why_no_rules(World& world, const std::string& rules) {
  try {
    world.filter(0, rules);
    world.filter(0, "");
    return "";
  } catch (const std::runtime_error& failed) {
    return failed.what();
  }
}

// Of the form that cuts servers off. 192.0.2.1 is nobody's: an address for documentation (RFC 5737).
inline std::string why_no_cuts(World& world) {
  return why_no_rules(
      world, "  chain in {\n    type filter hook input priority 0;\n    ip saddr 192.0.2.1 counter drop\n  }\n");
}

}  // namespace holdfast
