#include "relay/redirect_rules.hpp"

#include <arpa/inet.h>
#include <set>

#include "artifact/error.hpp"
#include "lab/process.hpp"

namespace holdfast {
namespace {

constexpr const char* kRelayTable = "table ip holdfast_relay";

template <class Range, class Text>
std::string listed(const Range& range, const Text& text) {
  std::string out;
  for (const auto& one : range) out += (out.empty() ? "" : ", ") + text(one);
  return "{ " + out + " }";
}

std::string no_redirect_rules() {
  return std::string(kRelayTable) + " {}\ndelete " + kRelayTable + "\n";
}

}  // namespace

std::string redirect_rules(const Redirect& redirect) {
  if (redirect.ports.empty() || redirect.to_port == 0)
    throw BadInput("a redirection needs source ports and a target port");
  for (const auto port : redirect.ports) {
    if (port == 0) throw BadInput("a redirection of port 0: ports are 1 to 65535");
  }
  for (const auto& address : redirect.spared) {
    in_addr ignored{};
    if (::inet_pton(AF_INET, address.c_str(), &ignored) != 1) {
      throw BadInput("'" + address + "' is not an IPv4 address");
    }
  }
  const std::set<std::string> spared(redirect.spared.begin(), redirect.spared.end());
  const std::set<std::uint16_t> ports(redirect.ports.begin(), redirect.ports.end());
  const auto text = [](const std::string& address) { return address; };
  const auto number = [](auto n) { return std::to_string(n); };
  return no_redirect_rules() + kRelayTable + " {\n  chain out {\n    type nat hook output priority -100;\n" +
         "    meta mark " + number(kRelayMark) + " accept\n    ip daddr 127.0.0.0/8 accept\n" +
         (spared.empty() ? "" : "    ip daddr " + listed(spared, text) + " accept\n") + "    tcp dport " +
         listed(ports, number) + " redirect to :" + number(redirect.to_port) + "\n  }\n}\n";
}

void load_redirect(int network, const std::string& rules, const std::string& log) {
  Spawn spawn;
  spawn.argv = {find_program("nft", "nftables"), "-f", "-"};
  spawn.input = rules;
  spawn.network = network;
  spawn.privileged = true;
  spawn.log = log;
  run_program(spawn);
}

}  // namespace holdfast
