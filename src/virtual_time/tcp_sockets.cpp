#include "virtual_time/tcp_sockets.hpp"

#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>

#include <string_view>
#include <thread>

#include "artifact/error.hpp"
#include "virtual_time/process_files.hpp"

namespace holdfast {
namespace {

constexpr std::uint32_t bit_of(TcpState state) {
  return 1U << static_cast<unsigned>(state);
}

constexpr std::uint32_t kAsked = 0xfffU & ~(bit_of(TcpState::fin_wait_2) | bit_of(TcpState::time_wait) |
                                            bit_of(TcpState::closed) | bit_of(TcpState::listening));

struct Request {
  nlmsghdr header;
  inet_diag_req_v2 asked;
};

Request request(int family, int flags) {
  Request out{};
  out.header.nlmsg_len = sizeof out;
  out.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  out.header.nlmsg_flags = static_cast<std::uint16_t>(NLM_F_REQUEST | flags);
  out.asked.sdiag_family = static_cast<std::uint8_t>(family);
  out.asked.sdiag_protocol = IPPROTO_TCP;
  out.asked.idiag_ext = 1U << (INET_DIAG_INFO - 1);
  out.asked.idiag_states = kAsked;
  return out;
}

TcpEnd end_of(const inet_diag_msg& message, const std::uint32_t (&address)[4], std::uint16_t port,
              std::uint32_t network) {
  constexpr std::uint32_t kMapped = 0xffff0000;  // ::ffff:0:0, in the network's order on this machine
  TcpEnd out{address[0], address[1], address[2], address[3], port, 0};
  if (message.idiag_family == AF_INET) out = {0, 0, kMapped, address[0], port, 0};
  const bool is_loopback = (out[2] == kMapped && (ntohl(out[3]) >> 24) == 127) ||
                           (out[0] == 0 && out[1] == 0 && out[2] == 0 && out[3] == htonl(1));
  if (is_loopback) out[5] = network;
  return out;
}

std::uint64_t cookie_of(const inet_diag_msg& message) {
  return std::uint64_t{message.id.idiag_cookie[1]} << 32U | message.id.idiag_cookie[0];
}

tcp_info info_of(const nlmsghdr* header, const inet_diag_msg& message) {
  tcp_info out{};
  auto left = static_cast<int>(header->nlmsg_len - NLMSG_LENGTH(sizeof message));
  for (const auto* at = reinterpret_cast<const rtattr*>(&message + 1); RTA_OK(at, left); at = RTA_NEXT(at, left)) {
    if (at->rta_type != INET_DIAG_INFO) continue;
    std::memcpy(&out, RTA_DATA(at), std::min<std::size_t>(sizeof out, RTA_PAYLOAD(at)));
  }
  return out;
}

}  // namespace

TcpSockets::TcpSockets(int there, std::uint32_t number) : number_(number) {
  std::string why;
  std::thread([&] {  // a separate thread enters the namespace, so the caller stays in its own
    if (::setns(there, CLONE_NEWNET) != 0) why = system_text(errno);
    if (!why.empty()) return;
    netlink_ = ::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    statistics_ = ::open("/proc/thread-self/net/sockstat", O_RDONLY | O_CLOEXEC);
    if (netlink_ < 0 || statistics_ < 0) why = system_text(errno);
  })
      .join();
  if (!why.empty()) throw HarnessError("virtual time: the sockets of a network namespace: " + why);
}

std::string TcpSockets::counts() const {
  const std::string text = read_at_once(statistics_);
  const std::string_view tcp = field_after(text, "TCP:");
  return std::string(tcp.substr(0, tcp.find(" tw")));
}

TcpSockets::~TcpSockets() {
  ::close(netlink_);
  ::close(statistics_);
}

void TcpSockets::read() {
  const std::string now = counts();
  sockets_.clear();
  if (now == counts_ && ask_each()) return;
  sockets_.clear();
  ask_all();
  counts_ = now;
}

// The kernel's count of sent bytes is wrong after some retransmissions. The count of acknowledged bytes is right,
// except for one more on the connecting side, for the SYN. The difference is measured while nothing has been
// retransmitted. If something was retransmitted before the
// socket was first seen, both counts must do.
TcpSocket TcpSockets::seen(const nlmsghdr* header) {
  const auto& message = *static_cast<const inet_diag_msg*>(NLMSG_DATA(header));
  const tcp_info info = info_of(header, message);
  const std::uint64_t written = info.tcpi_bytes_acked + message.idiag_wqueue;
  const auto [known, is_new] = more_acknowledged_.try_emplace(cookie_of(message), 0);
  std::uint64_t& more = known->second;
  const std::uint64_t once = info.tcpi_bytes_sent - info.tcpi_bytes_retrans;
  if (info.tcpi_bytes_retrans == 0) more = written - info.tcpi_notsent_bytes - once;
  if (info.tcpi_bytes_retrans > 0 && is_new) more = written - info.tcpi_notsent_bytes == once ? 0 : 1;
  TcpSocket out;
  out.state = static_cast<TcpState>(message.idiag_state);
  out.near = end_of(message, message.id.idiag_src, message.id.idiag_sport, number_);
  out.far = end_of(message, message.id.idiag_dst, message.id.idiag_dport, number_);
  out.sent = written - more;
  out.received = info.tcpi_bytes_received;
  out.unsent = info.tcpi_notsent_bytes;
  out.unacknowledged = info.tcpi_unacked;
  return out;
}

bool TcpSockets::ask_each() {
  if (known_.empty()) return true;
  std::vector<Request> requests;
  for (const Known& known : known_) {
    requests.push_back(request(known.family, 0));
    requests.back().asked.id = known.id;
  }
  if (::send(netlink_, requests.data(), requests.size() * sizeof(Request), 0) < 0) return false;
  bool found_all = true;
  for (std::size_t answered = 0; answered < requests.size();) {
    const ssize_t got = ::recv(netlink_, buffer_.data(), buffer_.size(), 0);
    if (got <= 0) throw HarnessError("virtual time: the kernel does not report its sockets: " + system_text(errno));
    auto left = static_cast<unsigned>(got);
    for (auto* at = reinterpret_cast<nlmsghdr*>(buffer_.data()); NLMSG_OK(at, left); at = NLMSG_NEXT(at, left)) {
      ++answered;
      if (at->nlmsg_type != NLMSG_ERROR) sockets_.push_back(seen(at));
      // A closed socket is reported for a while, and another may have replaced it.
      if (at->nlmsg_type == NLMSG_ERROR || (kAsked & bit_of(sockets_.back().state)) == 0) found_all = false;
    }
  }
  return found_all;
}

void TcpSockets::ask_all() {
  known_.clear();
  std::map<std::uint64_t, std::uint64_t> before;
  before.swap(more_acknowledged_);
  for (const int family : {AF_INET, AF_INET6}) {
    const Request all = request(family, NLM_F_DUMP);
    ::send(netlink_, &all, sizeof all, 0);
    for (bool is_over = false; !is_over;) {
      const ssize_t got = ::recv(netlink_, buffer_.data(), buffer_.size(), 0);
      if (got <= 0) throw HarnessError("virtual time: the kernel does not list its sockets: " + system_text(errno));
      auto left = static_cast<unsigned>(got);
      for (auto* at = reinterpret_cast<nlmsghdr*>(buffer_.data()); NLMSG_OK(at, left); at = NLMSG_NEXT(at, left)) {
        is_over = at->nlmsg_type == NLMSG_DONE || at->nlmsg_type == NLMSG_ERROR;
        if (is_over) break;
        const auto* message = static_cast<const inet_diag_msg*>(NLMSG_DATA(at));
        known_.push_back({message->idiag_family, message->id});
        const auto known = before.find(cookie_of(*message));
        if (known != before.end()) more_acknowledged_.insert(*known);
        sockets_.push_back(seen(at));
      }
    }
  }
}

}  // namespace holdfast
