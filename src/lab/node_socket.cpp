#include "lab/node_socket.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

sockaddr_in place(const std::string& address, int port) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_port = htons(static_cast<std::uint16_t>(port));
  ::inet_pton(AF_INET, address.c_str(), &out.sin_addr);
  return out;
}

[[noreturn]] void give_up(int socket, const Node& node, const std::string& address) {
  const int why = errno;
  ::close(socket);
  throw HarnessError("node " + node.name + ", " + address + ": " + system_text(why));
}

}  // namespace

// A socket belongs to the network of the creating thread, so a temporary thread enters the node's network.
int socket_on(const Node& node, int kind) {
  int made = -1;
  int why = 0;
  std::thread([&] {
    if (::setns(node.descriptor, CLONE_NEWNET) == 0) made = ::socket(AF_INET, kind | SOCK_CLOEXEC, 0);
    why = errno;
  }).join();
  if (made < 0) throw HarnessError("no socket on node " + node.name + ": " + system_text(why));
  return made;
}

int listening_socket(const Node& node, const std::string& address, int port) {
  const int out = socket_on(node, SOCK_STREAM);
  const sockaddr_in here = place(address, port);
  const int yes = 1;
  ::setsockopt(out, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  const bool listens =
      ::bind(out, reinterpret_cast<const sockaddr*>(&here), sizeof here) == 0 && ::listen(out, SOMAXCONN) == 0;
  if (!listens) give_up(out, node, address);
  return out;
}

int connected_socket(const Node& node, const std::string& address, int port) {
  const int out = socket_on(node, SOCK_STREAM);
  const sockaddr_in there = place(address, port);
  if (::connect(out, reinterpret_cast<const sockaddr*>(&there), sizeof there) != 0) give_up(out, node, address);
  return out;
}

}  // namespace holdfast
