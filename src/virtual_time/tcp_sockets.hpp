// The TCP sockets of one network namespace, read from the kernel by sock_diag.
//
//   TcpSockets sockets(there, number);    // a descriptor of the namespace
//   sockets.read();
//   for (const TcpSocket& socket : sockets.last()) ...
#pragma once

#include <linux/inet_diag.h>
#include <linux/netlink.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace holdfast {

// States of the kernel's include/net/tcp_states.h.
enum class TcpState : std::uint8_t {
  established = 1,
  fin_wait_2 = 5,
  time_wait = 6,
  closed = 7,
  close_wait = 8,
  listening = 10
};

// Address, port, and the namespace for addresses local to it (loopback).
using TcpEnd = std::array<std::uint32_t, 6>;
inline constexpr std::size_t kEndAddress = 3;  // of IPv4
inline constexpr std::size_t kEndNetwork = 5;  // 0: not local to a namespace

struct TcpSocket {
  TcpEnd near{}, far{};
  TcpState state{};
  std::uint64_t sent = 0;      // bytes, including those not sent yet
  std::uint64_t received = 0;  // bytes
  std::uint32_t unsent = 0;    // bytes
  std::uint32_t unacknowledged = 0;
};

// While the number of sockets is unchanged, each is queried separately: on some machines listing the whole table is
// slow.
class TcpSockets {
 public:
  // Throws HarnessError if the namespace cannot be entered. `number`: of the namespace, from 1 on.
  TcpSockets(int there, std::uint32_t number);
  ~TcpSockets();
  TcpSockets(const TcpSockets&) = delete;
  TcpSockets& operator=(const TcpSockets&) = delete;

  void read();  // throws HarnessError if the kernel does not answer
  const std::vector<TcpSocket>& last() const { return sockets_; }

 private:
  struct Known {
    std::uint8_t family;
    inet_diag_sockid id;
  };
  TcpSocket seen(const nlmsghdr* header);
  bool ask_each();
  void ask_all();
  std::string counts() const;

  const std::uint32_t number_;
  int netlink_ = -1;
  int statistics_ = -1;  // net/sockstat
  std::string counts_;   // at the last listing
  std::vector<Known> known_;
  std::vector<TcpSocket> sockets_;
  // bytes, by the socket's number: acknowledged minus written ones
  std::map<std::uint64_t, std::uint64_t> more_acknowledged_;
  std::vector<char> buffer_ = std::vector<char>(1U << 18U);
};

}  // namespace holdfast
