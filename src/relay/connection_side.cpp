#include "relay/connection_side.hpp"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>

namespace holdfast {
namespace {

constexpr std::uint32_t kEnd = EPOLLRDHUP | EPOLLHUP | EPOLLERR;

bool try_again(int error) {
  return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

}  // namespace

void ConnectionSide::event(std::uint32_t events) {
  readable = readable || (events & (EPOLLIN | kEnd)) != 0;
  ends = ends || (events & kEnd) != 0;
  failed = failed || (events & EPOLLERR) != 0;
}

// A short read means that the socket is empty, unless the end follows: an event reports later data.
bool ConnectionSide::read() {
  if (!readable || ended || !socket.open() || in.size() >= kMostWaiting) return false;
  static thread_local std::array<char, kReadAtOnce> room;
  const ssize_t n = ::recv(socket.descriptor(), room.data(), room.size(), 0);
  if (n > 0) {
    readable = ends || static_cast<std::size_t>(n) == room.size();
    in.append(room.data(), static_cast<std::size_t>(n));
    return true;
  }
  readable = false;
  if (n == 0) ended = true;
  if (n < 0 && !try_again(errno)) failed = ended = true;
  return n == 0;
}

bool ConnectionSide::write() {
  if (out.empty() || !socket.open()) return false;
  const ssize_t n = ::send(socket.descriptor(), out.data(), out.size(), MSG_NOSIGNAL);
  if (n < 0) {
    if (!try_again(errno)) failed = true;
    return false;
  }
  written += static_cast<std::uint64_t>(n);
  if (static_cast<std::size_t>(n) == out.size() && out.capacity() > kReadAtOnce) {
    std::string().swap(out);  // thousands of connections: release large buffers
  } else {
    out.erase(0, static_cast<std::size_t>(n));
  }
  return n > 0;
}

}  // namespace holdfast
