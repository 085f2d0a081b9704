#include "lab/network.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <sched.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "artifact/error.hpp"
#include "artifact/json_reader.hpp"
#include "lab/confinement.hpp"
#include "lab/process.hpp"

namespace holdfast {
namespace {

constexpr const char* kOwnAddress = "10.77.0.1";

// Link address derived from an IP address.
std::string link_address(const std::string& address) {
  unsigned char ip[4] = {};
  ::inet_pton(AF_INET, address.c_str(), ip);
  char text[18];
  std::snprintf(text, sizeof text, "02:00:%02x:%02x:%02x:%02x", ip[0], ip[1], ip[2], ip[3]);
  return text;
}

std::string neighbour(const std::string& address, const std::string& link, const char* device) {
  return "neigh replace " + address + " lladdr " + link + " dev " + device + " nud permanent\n";
}

// An address moves together with its link address, by which other nodes know it.
std::string move(const std::string& how, const std::string& address) {
  const std::string link = how == "add" ? "link set eth0 address " + link_address(address) + "\n" : "";
  return link + "addr " + how + " " + address + "/16 dev eth0\n";
}

int open_network() {
  return ::open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
}

// A temporary lack of memory is not a permanent refusal by the machine.
[[noreturn]] void refuse(const char* step, int error) {
  if (error == ENOMEM || error == EAGAIN) throw HarnessError(std::string(step) + ": " + system_text(error));
  throw refusal(step, error);
}

// A new namespace is created by entering it; the caller then returns to its own.
int new_network() {
  const int home = open_network();
  if (home < 0) throw HarnessError(std::string("/proc/self/ns/net: ") + system_text(errno));
  if (::unshare(CLONE_NEWNET) != 0) refuse("unshare (net namespace)", errno);
  const int made = open_network();
  const int why = errno;
  const bool back = ::setns(home, CLONE_NEWNET) == 0;
  const int why_not_back = errno;
  ::close(home);
  if (made < 0) throw HarnessError("a node's network namespace cannot be opened: " + system_text(why));
  if (back) return made;
  ::close(made);
  refuse("setns (out of a node's network)", why_not_back);
}

constexpr const char* kTable = "inet holdfast";

}  // namespace

Network::Network(std::string log) : log_(std::move(log)) {}

Network::~Network() {
  for (const auto& node : nodes_) ::close(node.descriptor);
}

std::size_t Network::add_node(const std::string& name, const std::vector<std::string>& addresses, bool serves) {
  nodes_.push_back({name, addresses, new_network(), serves});
  return nodes_.size() - 1;
}

void Network::ip_batch(const std::string& commands, int network) {
  Spawn spawn;
  spawn.argv = {find_program("ip", {"iproute2", "iproute"}), "-batch", "-"};
  spawn.input = commands;
  spawn.network = network;
  spawn.privileged = true;
  spawn.log = log_;
  run_program(spawn);
}

// Static neighbour entries. The kernel's table of learned entries, with 1024 slots, is shared by all labs of the
// machine: a few hundred clients would fill it, and their packets would be lost without any fault.
std::string Network::neighbours(bool service) const {
  std::string out;
  for (const auto& node : nodes_) {
    if (node.serves == service) continue;
    for (const auto& address : node.addresses) out += neighbour(address, link_address(node.addresses.front()), "eth0");
  }
  return service ? out + neighbour(kOwnAddress, link_address(kOwnAddress), "eth0") : out;
}

// Disables IPv6: its announcements would make each link of a large lab talk to all others.
void Network::up() {
  const std::string self = "/proc/" + std::to_string(::getpid()) + "/fd/";
  const std::string own(kOwnAddress);
  std::string commands = "link set lo up\nlink add lab0 address " + link_address(own) +
                         " type bridge\nlink set lab0 addrgenmode none\naddr add " + own +
                         "/16 dev lab0\nlink set lab0 up\n";
  for (const auto& node : nodes_) {
    const std::string link = link_address(node.addresses.front());
    commands += "link add " + node.name + " type veth peer name eth0 address " + link + " netns " + self +
                std::to_string(node.descriptor) + "\nlink set " + node.name + " addrgenmode none\nlink set " +
                node.name + " master lab0 up\n";
    if (!node.serves) continue;
    for (const auto& address : node.addresses) commands += neighbour(address, link, "lab0");
  }
  ip_batch(commands, -1);
  for (const auto& node : nodes_) {
    std::string inside = "link set lo up\nlink set eth0 addrgenmode none\nlink set eth0 up\n";
    for (const auto& address : node.addresses) inside += "addr add " + address + "/16 dev eth0\n";
    ip_batch(inside + neighbours(node.serves), node.descriptor);
  }
}

void Network::take_over(const Node& old_node, const Node& new_node) {
  const std::string& address = old_node.addresses.front();
  ip_batch("link set " + old_node.name + " nomaster down\n", -1);
  ip_batch("link set eth0 address " + link_address(address) + "\naddr add " + address + "/16 dev eth0\n",
           new_node.descriptor);
}

void Network::swap_address(std::size_t old_node, std::size_t new_node) {
  Node& from = nodes_.at(old_node);
  Node& to = nodes_.at(new_node);
  const std::string own = to.addresses.front();
  ip_batch("link set " + from.name + " nomaster down\n", -1);
  ip_batch(move("del", own) + move("add", from.addresses.front()), to.descriptor);
  ip_batch(move("del", from.addresses.front()), from.descriptor);
  std::swap(from.addresses, to.addresses);
}

void Network::come_back(std::size_t node) {
  const Node& back = nodes_.at(node);
  ip_batch(move("add", back.addresses.front()), back.descriptor);
  ip_batch("link set " + back.name + " master lab0 up\n", -1);
}

std::string Network::client_address(std::size_t n) {
  return "10.77." + std::to_string(1 + n / 200) + "." + std::to_string(1 + n % 200);
}

// Links are reported as cut after the rules are in force, and as open before they are removed.
void Network::filter(const Node& node, const DroppingRules& rules) const {
  const auto tell = [&](const DroppingRules& cut) {
    if (cut_links_ == nullptr) return;
    for (const auto& address : node.addresses) cut_links_->set(address, cut.all_from(), cut.all_to());
  };
  tell({});
  const std::string table = std::string("table ") + kTable;
  Spawn spawn;
  spawn.argv = {find_program("nft", "nftables"), "-f", "-"};
  // Creating the table first lets its deletion succeed in any case; the text is one transaction.
  spawn.input = table + " {}\ndelete " + table + "\n" + (rules.empty() ? "" : table + " {\n" + rules.text() + "}\n");
  spawn.network = node.descriptor;
  spawn.privileged = true;
  spawn.log = log_;
  run_program(spawn);
  tell(rules);
}

std::int64_t Network::dropped(const Node& node) const {
  const std::string text = output_of(node, {find_program("nft", "nftables"), "-j", "list", "ruleset"});
  const auto rules = text.empty() ? nlohmann::json::object() : parse_json(text, "nft -j list ruleset");
  std::int64_t packets = 0;
  for (const auto& item : rules.value("nftables", nlohmann::json::array())) {
    if (!item.contains("rule")) continue;
    for (const auto& part : item["rule"].value("expr", nlohmann::json::array())) {
      if (part.contains("counter")) packets += part["counter"].value("packets", std::int64_t{0});
    }
  }
  return packets;
}

bool Network::delay(const Node& node, std::int64_t ms) const {
  Spawn spawn;
  spawn.argv = {
      find_program("tc", {"iproute2", "iproute"}), "qdisc", ms > 0 ? "replace" : "del", "dev", "eth0", "root"};
  if (ms > 0) spawn.argv.insert(spawn.argv.end(), {"netem", "delay", std::to_string(ms) + "ms"});
  spawn.network = node.descriptor;
  spawn.privileged = true;
  spawn.log = log_;
  return spawn_process(spawn).wait(-1) == 0;
}

std::string Network::output_of(const Node& node, const std::vector<std::string>& argv) const {
  int line[2];
  if (::pipe2(line, O_CLOEXEC) != 0) throw HarnessError("pipe: " + system_text(errno));
  Spawn spawn;
  spawn.argv = argv;
  spawn.network = node.descriptor;
  spawn.privileged = true;
  spawn.descriptors[STDOUT_FILENO] = line[1];
  Process process;
  try {
    process = spawn_process(spawn);
  } catch (...) {
    ::close(line[0]);
    ::close(line[1]);
    throw;
  }
  ::close(line[1]);
  std::string text;
  char part[4096];
  for (ssize_t n = 0; (n = ::read(line[0], part, sizeof part)) > 0;) text.append(part, static_cast<std::size_t>(n));
  ::close(line[0]);
  process.wait(-1);
  return text;
}

}  // namespace holdfast
