// Measures the relay's processor time for each request and its reply: a client and a server of this program's own, both
// plain, in a network of their own, with the redirection that trials have. Run it alone: it needs user namespaces.
//
//   build/bench/bench/relay_cost              // one request at a time, and 16 at once
//
// The figure is the processor time of the relay's thread alone; the kernel's work for it is included.
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "artifact/error.hpp"
#include "lab/namespaces.hpp"
#include "lab/network.hpp"
#include "lab/process.hpp"
#include "relay/node_sockets.hpp"
#include "relay/redirect_rules.hpp"
#include "relay/relay.hpp"

namespace holdfast {
namespace {

constexpr std::uint16_t kPort = 6379;
constexpr int kRequests = 50'000;
const std::string kRequest = "*3\r\n$3\r\nGET\r\n$6\r\norders\r\n$1\r\nx\r\n";
const std::string kReply = "$36\r\n0123456789abcdef0123456789abcdef0123\r\n";

Socket socket_in(int network) {
  Socket out;
  std::thread([&] {
    if (::setns(network, CLONE_NEWNET) == 0) out = Socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  }).join();
  const int on = 1;
  ::setsockopt(out.descriptor(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  ::setsockopt(out.descriptor(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return out;
}

sockaddr_in server_address() {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_port = htons(kPort);
  ::inet_pton(AF_INET, kLockAddress, &out.sin_addr);
  return out;
}

void must(bool good, const char* what) {
  if (!good) throw HarnessError(std::string(what) + ": " + system_text(errno));
}

// Answers each request of that length, until the client ends.
void serve(const Socket& ear) {
  const Socket client(::accept(ear.descriptor(), nullptr, nullptr));
  char part[65536];
  std::size_t owed = 0;
  for (ssize_t n = 0; (n = ::recv(client.descriptor(), part, sizeof part, 0)) > 0;) {
    owed += static_cast<std::size_t>(n);
    std::string replies;
    for (; owed >= kRequest.size(); owed -= kRequest.size()) replies += kReply;
    if (!replies.empty()) ::send(client.descriptor(), replies.data(), replies.size(), MSG_NOSIGNAL);
  }
}

// Processor seconds of this process's thread of that name.
double seconds_of(const std::string& name) {
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string is;
    std::getline(std::ifstream(task.path() / "comm"), is);
    long long ran_ns = 0;
    std::ifstream(task.path() / "schedstat") >> ran_ns;
    if (is == name) return static_cast<double>(ran_ns) / 1e9;
  }
  throw HarnessError("there is no thread '" + name + "'");
}

void measure(int client_network, int server_network, int at_once) {
  const Socket ear = socket_in(server_network);
  const sockaddr_in address = server_address();
  const auto* where = reinterpret_cast<const sockaddr*>(&address);
  must(::bind(ear.descriptor(), where, sizeof address) == 0 && ::listen(ear.descriptor(), 1) == 0, "listen");
  std::thread server([&] { serve(ear); });
  Socket client = socket_in(client_network);
  must(::connect(client.descriptor(), where, sizeof address) == 0, "connect");
  std::string requests;
  for (int n = 0; n < at_once; ++n) requests += kRequest;
  const double before = seconds_of("relay");
  char part[65536];
  for (int n = 0; n < kRequests; n += at_once) {
    must(::send(client.descriptor(), requests.data(), requests.size(), 0) > 0, "send");
    for (std::size_t left = kReply.size() * static_cast<std::size_t>(at_once); left > 0;) {
      const ssize_t got = ::recv(client.descriptor(), part, std::min(left, sizeof part), 0);
      must(got > 0, "recv");
      left -= static_cast<std::size_t>(got);
    }
  }
  std::printf("%2d at once: %.1f us of processor time a request\n", at_once,
              (seconds_of("relay") - before) * 1e6 / kRequests);
  client.close();
  server.join();
}

int relay_cost(const std::string& folder) {
  Network network(folder + "/network.log");
  const std::size_t server = network.add_node("db", {kLockAddress}, true);
  const std::size_t node = network.add_node("c0", {Network::client_address(0)});
  network.up();
  Relay relay({.locks = {"orders"}, .most_records = 1'000'000});
  const RelayClient client = relay.add_client(network.node(node).descriptor);
  const std::uint16_t port = relay.listen(client, "resp");
  load_redirect(network.node(node).descriptor, redirect_rules({{kPort}, port, {}}), folder + "/nft.log");
  for (const int at_once : {1, 16}) measure(network.node(node).descriptor, network.node(server).descriptor, at_once);
  const auto seen = relay.seen(client);
  std::printf("%llu requests were counted\n", static_cast<unsigned long long>(seen.counted));
  return seen.counted >= 2 * kRequests ? 0 : 1;
}

}  // namespace
}  // namespace holdfast

int main() {
  const char* inside = std::getenv("HOLDFAST_RELAY_COST");
  if (inside != nullptr) return holdfast::relay_cost(inside);
  std::string folder = std::filesystem::temp_directory_path().string() + "/holdfast-bench-XXXXXX";
  if (::mkdtemp(folder.data()) == nullptr) return 1;
  ::setenv("HOLDFAST_RELAY_COST", folder.c_str(), 1);
  holdfast::run_in_lab(folder, {holdfast::own_program()});
}
