// nft rules that drop packets on a node by the other side's address, for faults and capabilities.
//
//   DroppingRules rules;
//   rules.drop_from(kLockAddress);
//   rules.drop_to(kLockAddress, 30);   // 30 of a hundred packets, at random
//   network.filter(node, rules);       // network.filter(node, {}) removes them
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace holdfast {

class DroppingRules {
 public:
  void drop_from(const std::string& address, std::int64_t percent = kAll) {
    in_ += "    ip saddr " + address + " " + chance(percent) + "counter drop\n";
    if (percent == kAll) from_.push_back(address);
  }
  void drop_to(const std::string& address, std::int64_t percent = kAll) {
    out_ += "    ip daddr " + address + " " + chance(percent) + "counter drop\n";
    if (percent == kAll) to_.push_back(address);
  }

  bool empty() const { return in_.empty() && out_.empty(); }
  // The body of a table.
  std::string text() const {
    return "  chain in {\n    type filter hook input priority 0;\n" + in_ + "  }\n" +
           "  chain out {\n    type filter hook output priority 0;\n" + out_ + "  }\n";
  }
  // Addresses from and to which nothing passes.
  const std::vector<std::string>& all_from() const { return from_; }
  const std::vector<std::string>& all_to() const { return to_; }
  bool operator==(const DroppingRules& other) const = default;

 private:
  static constexpr std::int64_t kAll = 100;
  static std::string chance(std::int64_t percent) {
    return percent < kAll ? "numgen random mod 100 < " + std::to_string(percent) + " " : "";
  }

  std::string in_, out_;  // lines of the input and output chains
  std::vector<std::string> from_, to_;
};

}  // namespace holdfast
