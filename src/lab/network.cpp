#include "lab/network.hpp"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <utility>

#include "artifact/error.hpp"
#include "lab/process.hpp"

namespace holdfast {
namespace {

constexpr const char* kOwnAddress = "10.77.0.1/16";

int open_network() {
  return ::open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
}

// A new namespace is made by going into it; the caller comes back to where it was.
int new_network() {
  const int home = open_network();
  if (home < 0 || ::unshare(CLONE_NEWNET) != 0) {
    throw HarnessError(std::string("a node's network namespace: ") + std::strerror(errno));
  }
  const int made = open_network();
  const bool back = ::setns(home, CLONE_NEWNET) == 0;
  ::close(home);
  if (!back || made < 0) throw HarnessError("cannot leave a node's network namespace");
  return made;
}

}  // namespace

Network::Network(std::string log) : log_(std::move(log)) {}

Network::~Network() {
  for (const auto& node : nodes_) ::close(node.descriptor);
}

std::size_t Network::add_node(const std::string& name, const std::vector<std::string>& addresses) {
  nodes_.push_back({name, addresses, new_network()});
  return nodes_.size() - 1;
}

void Network::ip_batch(const std::string& commands, int network) {
  Spawn spawn;
  spawn.argv = {find_program("ip", "iproute2"), "-batch", "-"};
  spawn.input = commands;
  spawn.network = network;
  spawn.log = log_;
  run_program(spawn);
}

void Network::up() {
  const std::string self = "/proc/" + std::to_string(::getpid()) + "/fd/";
  std::string commands = "link set lo up\nlink add lab0 type bridge\naddr add " + std::string(kOwnAddress) +
                         " dev lab0\nlink set lab0 up\n";
  for (const auto& node : nodes_) {
    commands += "link add " + node.name + " type veth peer name eth0 netns " + self + std::to_string(node.descriptor) +
                "\nlink set " + node.name + " master lab0 up\n";
  }
  ip_batch(commands, -1);
  for (const auto& node : nodes_) {
    std::string own = "link set lo up\nlink set eth0 up\n";
    for (const auto& address : node.addresses) own += "addr add " + address + "/16 dev eth0\n";
    ip_batch(own, node.descriptor);
  }
}

std::string Network::client_address(std::size_t n) {
  return "10.77." + std::to_string(1 + n / 200) + "." + std::to_string(1 + n % 200);
}

}  // namespace holdfast
