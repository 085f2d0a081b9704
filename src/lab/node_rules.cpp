// What faults do to a node's network: rules, delays; and the probe that shows whether they act.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "artifact/error.hpp"
#include "lab/network.hpp"
#include "lab/process.hpp"

namespace holdfast {
namespace {

constexpr const char* kTable = "inet holdfast";

// A socket belongs to the network of the thread that made it: a thread of its own goes there and comes not back.
int socket_on(const Node& node) {
  int made = -1;
  std::thread([&] {
    if (::setns(node.descriptor, CLONE_NEWNET) == 0)
      made = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  }).join();
  if (made < 0) throw HarnessError("a probe cannot enter node " + node.name);
  return made;
}

bool ask(int fd, const std::string& question, int timeout_ms) {
  pollfd connected{fd, POLLOUT, 0};
  if (::poll(&connected, 1, timeout_ms) != 1) return false;
  return ::send(fd, question.data(), question.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(question.size());
}

std::string address_of(int fd) {
  sockaddr_in own{};
  socklen_t size = sizeof own;
  char text[INET_ADDRSTRLEN] = "";
  if (::getsockname(fd, reinterpret_cast<sockaddr*>(&own), &size) != 0) return "";
  return ::inet_ntop(AF_INET, &own.sin_addr, text, sizeof text);
}

}  // namespace

void Network::filter(const Node& node, const std::string& rules) const {
  const std::string table = std::string("table ") + kTable;
  Spawn spawn;
  spawn.argv = {find_program("nft", "nftables"), "-f", "-"};
  // Making the table first lets the deletion succeed whether it was there or not; the text is one transaction.
  spawn.input = table + " {}\ndelete " + table + "\n" + (rules.empty() ? "" : table + " {\n" + rules + "}\n");
  spawn.network = node.descriptor;
  spawn.log = log_;
  run_program(spawn);
}

std::int64_t Network::dropped(const Node& node) const {
  const std::string text = output_of(node, {find_program("nft", "nftables"), "-j", "list", "ruleset"});
  const auto rules = nlohmann::json::parse(text, nullptr, false);
  std::int64_t packets = 0;
  if (rules.is_discarded()) return 0;
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
  spawn.argv = {find_program("tc", "iproute2"), "qdisc", ms > 0 ? "replace" : "del", "dev", "eth0", "root"};
  if (ms > 0) spawn.argv.insert(spawn.argv.end(), {"netem", "delay", std::to_string(ms) + "ms"});
  spawn.network = node.descriptor;
  spawn.log = log_;
  return spawn_process(spawn).wait(-1) == 0;
}

std::string Network::output_of(const Node& node, const std::vector<std::string>& argv) const {
  int line[2];
  if (::pipe2(line, O_CLOEXEC) != 0) throw HarnessError("pipe");
  Spawn spawn;
  spawn.argv = argv;
  spawn.network = node.descriptor;
  spawn.descriptors[STDOUT_FILENO] = line[1];
  Process process = spawn_process(spawn);
  ::close(line[1]);
  std::string text;
  char part[4096];
  for (ssize_t n = 0; (n = ::read(line[0], part, sizeof part)) > 0;) text.append(part, static_cast<std::size_t>(n));
  ::close(line[0]);
  process.wait(-1);
  return text;
}

std::int64_t probe(const Node& node, const std::string& address, const Door& door, int timeout_ms, std::string* own) {
  const int fd = socket_on(node);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(door.port));
  ::inet_pton(AF_INET, address.c_str(), &to.sin_addr);
  const auto begin = std::chrono::steady_clock::now();
  (void)::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to);
  char byte = 0;
  const bool asked = door.question.empty() || ask(fd, door.question, timeout_ms);
  pollfd answered{fd, POLLIN, 0};
  const bool good = asked && ::poll(&answered, 1, timeout_ms) == 1 && ::read(fd, &byte, 1) == 1;
  if (own != nullptr) *own = good ? address_of(fd) : "";
  ::close(fd);
  if (!good) return -1;
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace holdfast
