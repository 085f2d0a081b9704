// One side of a connection: its socket, the received bytes, and those to be written. Reading and writing never block:
// they move what the kernel has and accepts, and keep the rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "relay/node_sockets.hpp"
#include "relay/request_point.hpp"

namespace holdfast {

inline constexpr std::size_t kMostWaiting = kMostOfRequest;  // bytes, at each place where they are buffered
inline constexpr std::size_t kReadAtOnce = std::size_t{64} << 10U;

struct ConnectionSide {
  Socket socket;
  bool readable = false;
  bool ends = false;   // the end follows the unread data
  bool ended = false;  // it will send no more
  bool failed = false;
  bool told = false;  // that the other side ended
  std::string in{}, out{};
  std::uint64_t written = 0;

  void event(std::uint32_t events);  // from epoll
  bool read();                       // returns true if data moved, or the end arrived
  bool write();                      // returns true if data moved
};

}  // namespace holdfast
