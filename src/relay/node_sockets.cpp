#include "relay/node_sockets.hpp"

#include <arpa/inet.h>
#include <linux/netfilter_ipv4.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cerrno>
#include <thread>
#include <utility>

#include "artifact/error.hpp"
#include "relay/redirect_rules.hpp"

namespace holdfast {
namespace {

constexpr int kBacklog = 4096;

int set_option(int descriptor, int level, int name, int value) {
  return ::setsockopt(descriptor, level, name, &value, sizeof value);
}

int listening(std::uint16_t& port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* where = reinterpret_cast<sockaddr*>(&address);
  if (::bind(fd, where, size) == 0 && ::listen(fd, kBacklog) == 0 && ::getsockname(fd, where, &size) == 0) {
    port = ntohs(address.sin_port);
    return fd;
  }
  const int why = errno;
  ::close(fd);
  errno = why;
  return -1;
}

}  // namespace

Socket::Socket(Socket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

Socket& Socket::operator=(Socket&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

void Socket::close() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

void Socket::reset() {
  if (descriptor_ < 0) return;
  const linger at_once{1, 0};
  ::setsockopt(descriptor_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  close();
}

Socket listen_in(int network, std::uint16_t& port) {
  int fd = -1;
  int why = 0;
  std::thread there([&] {
    if (network < 0 || ::setns(network, CLONE_NEWNET) == 0) fd = listening(port);
    why = errno;
  });
  there.join();
  if (fd < 0) throw HarnessError("the relay cannot listen in a client's network: " + system_text(why));
  return Socket(fd);
}

bool WhereThreadIs::go_to(int network) {
  if (network < 0 || network == network_) return true;
  if (::setns(network, CLONE_NEWNET) != 0) return false;
  network_ = network;
  return true;
}

Socket connect_in(WhereThreadIs& where, int network, const sockaddr_in& from, const sockaddr_in& to) {
  if (!where.go_to(network)) return {};
  Socket out(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!out.open()) return out;
  sockaddr_in source = from;
  source.sin_port = 0;
  const int fd = out.descriptor();
  const bool marked = set_option(fd, SOL_SOCKET, SO_MARK, static_cast<int>(kRelayMark)) == 0;
  set_option(fd, IPPROTO_TCP, TCP_NODELAY, 1);
  set_option(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1);
  const bool begun = marked && ::bind(fd, reinterpret_cast<const sockaddr*>(&source), sizeof source) == 0 &&
                     (::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0 || errno == EINPROGRESS);
  if (begun) return out;
  const int why = errno;
  out.close();
  errno = why;
  return out;
}

std::optional<sockaddr_in> original_destination(const Socket& taken) {
  sockaddr_in out{}, own{};
  socklen_t size = sizeof out;
  if (::getsockopt(taken.descriptor(), IPPROTO_IP, SO_ORIGINAL_DST, &out, &size) != 0) return std::nullopt;
  size = sizeof own;
  if (::getsockname(taken.descriptor(), reinterpret_cast<sockaddr*>(&own), &size) != 0) return std::nullopt;
  // A connection to the relay itself: forwarding it would create a loop.
  if (own.sin_port == out.sin_port && own.sin_addr.s_addr == out.sin_addr.s_addr) return std::nullopt;
  return out;
}

std::string address_text(const sockaddr_in& address) {
  char text[INET_ADDRSTRLEN] = {};
  ::inet_ntop(AF_INET, &address.sin_addr, text, sizeof text);
  return std::string(text) + ":" + std::to_string(ntohs(address.sin_port));
}

}  // namespace holdfast
