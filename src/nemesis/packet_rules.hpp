// Rules for nft that drop packets by the address of the other side, as faults and capabilities load them.
#pragma once

#include <string>

namespace holdfast {

struct DroppingRules {
  std::string in;   // lines of the chain of what arrives
  std::string out;  // ... and of what is sent

  void drop_from(const std::string& address, const std::string& chance = "") {
    in += "    ip saddr " + address + " " + chance + "counter drop\n";
  }
  void drop_to(const std::string& address, const std::string& chance = "") {
    out += "    ip daddr " + address + " " + chance + "counter drop\n";
  }
  std::string text() const {
    return "  chain in {\n    type filter hook input priority 0;\n" + in + "  }\n" +
           "  chain out {\n    type filter hook output priority 0;\n" + out + "  }\n";
  }
};

// They drop nothing. 192.0.2.1 is nobody's: an address for documentation (RFC 5737).
inline std::string harmless_rules() {
  DroppingRules rules;
  rules.drop_from("192.0.2.1");
  return rules.text();
}

}  // namespace holdfast
