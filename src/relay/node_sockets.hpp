// Sockets of a node, for a thread outside of it: their traffic has the node's address and route.
//
//   const ListeningSocket listener = listen_in(node.descriptor);  // a short-lived thread enters the node
//   auto server = connect_in(own, node.descriptor, from, to);     // `own`: the calling thread enters and stays
//
// -1 as a network: the caller's own.
#pragma once

#include <netinet/in.h>
#include <cstdint>
#include <optional>
#include <string>

namespace holdfast {

class Socket {
 public:
  Socket() = default;
  explicit Socket(int descriptor) : descriptor_(descriptor) {}
  Socket(Socket&& other) noexcept;
  Socket& operator=(Socket&& other) noexcept;
  ~Socket() { close(); }
  int descriptor() const { return descriptor_; }
  bool open() const { return descriptor_ >= 0; }
  void close();
  void reset();  // the other side sees a reset, and unsent data is dropped

 private:
  int descriptor_ = -1;
};

// Listens on a free port of the node's loopback. Throws HarnessError.
Socket listen_in(int network, std::uint16_t& port);

// The network that a thread is in; it enters another when it needs a socket there. One per thread, for that thread
// only.
class WhereThreadIs {
 public:
  bool go_to(int network);  // false, and errno

 private:
  int network_ = -1;
};

// Begins to connect, with the relay's mark, from the client's address. On failure the socket is not open and errno is
// set.
Socket connect_in(WhereThreadIs& where, int network, const sockaddr_in& from, const sockaddr_in& to);

// Original destination of a redirected connection; empty: it was not redirected.
std::optional<sockaddr_in> original_destination(const Socket& taken);
std::string address_text(const sockaddr_in& address);  // "10.77.0.2:6379"

}  // namespace holdfast
