// Sockets of a node, for a thread that is not in it: whatever they send has the node's address and goes the node's way.
//
//   const ListeningSocket ear = listen_in(node.descriptor);       // a short-lived thread goes there
//   auto server = connect_in(own, node.descriptor, from, to);     // `own`: the calling thread goes there and stays
//
// -1 for a network: the caller's own.
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
  void reset();  // the other side hears that the connection is gone, and what was not sent yet is not

 private:
  int descriptor_ = -1;
};

// Listens on a free port of the node's loopback. Throws HarnessError.
Socket listen_in(int network, std::uint16_t& port);

// The network in which a thread is; it goes into another when it needs a socket there. One a thread, for that thread.
class WhereThreadIs {
 public:
  bool go_to(int network);  // false, and errno

 private:
  int network_ = -1;
};

// Begins to connect, with the relay's mark, from the same address that the client has. Not open, and errno: it failed.
Socket connect_in(WhereThreadIs& where, int network, const sockaddr_in& from, const sockaddr_in& to);

// Where a redirected connection was going to; nothing: it was not redirected.
std::optional<sockaddr_in> original_destination(const Socket& taken);
std::string address_text(const sockaddr_in& address);  // "10.77.0.2:6379"

}  // namespace holdfast
