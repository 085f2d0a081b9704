#include "virtual_time/tcp_traffic.hpp"

#include <fcntl.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <set>
#include <thread>
#include <utility>

#include "artifact/error.hpp"
#include "virtual_time/process_files.hpp"

namespace holdfast {
namespace {

// States of the kernel's include/net/tcp_states.h.
enum State : std::uint8_t { kEstablished = 1, kFinWait2 = 5, kTimeWait = 6, kClose = 7, kCloseWait = 8, kListen = 10 };
constexpr std::uint32_t kAsked = 0xfffU & ~(1U << kFinWait2 | 1U << kTimeWait | 1U << kClose | 1U << kListen);

struct Request {
  nlmsghdr header;
  inet_diag_req_v2 asked;
};

// An address, a port, and the namespace where the address is of one (loopback).
using End = std::array<std::uint32_t, 6>;
constexpr std::size_t kAddress = 3;  // of IPv4
constexpr std::size_t kNetwork = 5;  // 0: of no one namespace

struct Socket {
  End near{}, far{};
  State state{};
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  std::uint32_t unsent = 0;
  std::uint32_t unacknowledged = 0;
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

End end_of(const inet_diag_msg& message, const std::uint32_t (&address)[4], std::uint16_t port, std::uint32_t network) {
  constexpr std::uint32_t kMapped = 0xffff0000;  // ::ffff:0:0, in the network's order on this machine
  End out{address[0], address[1], address[2], address[3], port, 0};
  if (message.idiag_family == AF_INET) out = {0, 0, kMapped, address[0], port, 0};
  const bool is_loopback = (out[2] == kMapped && (ntohl(out[3]) >> 24) == 127) ||
                           (out[0] == 0 && out[1] == 0 && out[2] == 0 && out[3] == htonl(1));
  if (is_loopback) out[5] = network;
  return out;
}

Socket socket_of(const nlmsghdr* header, std::uint32_t network) {
  const auto* message = static_cast<const inet_diag_msg*>(NLMSG_DATA(header));
  Socket out;
  out.state = static_cast<State>(message->idiag_state);
  out.near = end_of(*message, message->id.idiag_src, message->id.idiag_sport, network);
  out.far = end_of(*message, message->id.idiag_dst, message->id.idiag_dport, network);
  auto left = static_cast<int>(header->nlmsg_len - NLMSG_LENGTH(sizeof *message));
  for (const auto* at = reinterpret_cast<const rtattr*>(message + 1); RTA_OK(at, left); at = RTA_NEXT(at, left)) {
    if (at->rta_type != INET_DIAG_INFO) continue;
    tcp_info info{};
    std::memcpy(&info, RTA_DATA(at), std::min<std::size_t>(sizeof info, RTA_PAYLOAD(at)));
    out.sent = info.tcpi_bytes_sent - info.tcpi_bytes_retrans;
    out.received = info.tcpi_bytes_received;
    out.unsent = info.tcpi_notsent_bytes;
    out.unacknowledged = info.tcpi_unacked;
  }
  return out;
}

// A connection that was redirected to the node itself: its program has another address for the far side than this end
// has, and packets are dropped by that address.
bool is_redirected(const Socket& socket) {
  return socket.near[kNetwork] != 0 && socket.far[kNetwork] == 0;
}

bool is_cut_off(const CutLinks* cut, const Socket& socket) {
  if (cut == nullptr) return false;
  if (is_redirected(socket)) return cut->is_any_cut(socket.far[kAddress]);
  return cut->is_cut(socket.near[kAddress], socket.far[kAddress]);
}

// Where one way is cut, acknowledgements do not pass the other way either.
bool is_cut(const CutLinks* cut, const Socket& socket) {
  return is_cut_off(cut, socket) || (cut != nullptr && cut->is_cut(socket.far[kAddress], socket.near[kAddress]));
}

using Sockets = std::multimap<End, const Socket*>;

// The one with this near end, where there is one; else any of them, or null.
const Socket* one_of(const std::pair<Sockets::const_iterator, Sockets::const_iterator>& range, const End* near) {
  for (auto at = range.first; near != nullptr && at != range.second; ++at) {
    if (at->second->near == *near) return at->second;
  }
  return range.first == range.second ? nullptr : range.first->second;
}

// Whether bytes that it has sent are about to arrive. Null: its peer is outside, or gone.
bool is_under_way(const Socket& socket, const Socket* peer, const CutLinks* cut) {
  const bool both_open = peer != nullptr && socket.state == kEstablished && peer->state == kEstablished;
  if (both_open) return socket.sent != peer->received && !is_cut_off(cut, socket);
  return socket.unacknowledged > 0 && !is_cut(cut, socket);
}

// Connections that are neither open nor half closed: something is under way by itself.
bool is_changing(const Socket& socket) {
  return socket.state != kEstablished && socket.state != kCloseWait && socket.state != kFinWait2;
}

}  // namespace

// The sockets of one network namespace. As long as their number is the same each is asked for by itself: the table of
// all is long on some machines.
class TcpTraffic::Network {
 public:
  Network(int there, std::uint32_t number);  // a descriptor of it
  ~Network() {
    ::close(netlink_);
    ::close(statistics_);
  }
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;
  // False: they changed meanwhile.
  bool read(std::vector<Socket>& out);

 private:
  struct Known {
    std::uint8_t family;
    inet_diag_sockid id;
  };
  bool ask_each(std::vector<Socket>& out);
  void ask_all(std::vector<Socket>& out);
  std::string counts() const;

  const std::uint32_t number_;
  int netlink_ = -1;
  int statistics_ = -1;  // net/sockstat
  std::string counts_;   // when they were last listed
  std::vector<Known> known_;
  std::vector<char> buffer_ = std::vector<char>(1U << 18U);
};

TcpTraffic::Network::Network(int there, std::uint32_t number) : number_(number) {
  std::string why;
  std::thread([&] {  // the namespace is the thread's, so that the caller keeps its own
    if (::setns(there, CLONE_NEWNET) != 0) why = system_text(errno);
    if (!why.empty()) return;
    netlink_ = ::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    statistics_ = ::open("/proc/thread-self/net/sockstat", O_RDONLY | O_CLOEXEC);
    if (netlink_ < 0 || statistics_ < 0) why = system_text(errno);
  })
      .join();
  if (!why.empty()) throw HarnessError("virtual time: the sockets of a network namespace: " + why);
}

std::string TcpTraffic::Network::counts() const {
  const std::string text = read_at_once(statistics_);
  const std::string_view tcp = field_after(text, "TCP:");
  return std::string(tcp.substr(0, tcp.find(" tw")));
}

bool TcpTraffic::Network::read(std::vector<Socket>& out) {
  const std::string now = counts();
  const std::size_t before = out.size();
  if (now == counts_ && ask_each(out)) return true;
  out.resize(before);
  ask_all(out);
  counts_ = now;
  return true;
}

bool TcpTraffic::Network::ask_each(std::vector<Socket>& out) {
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
    if (got <= 0) throw HarnessError("virtual time: the kernel does not tell of its sockets: " + system_text(errno));
    auto left = static_cast<unsigned>(got);
    for (auto* at = reinterpret_cast<nlmsghdr*>(buffer_.data()); NLMSG_OK(at, left); at = NLMSG_NEXT(at, left)) {
      ++answered;
      if (at->nlmsg_type == NLMSG_ERROR) {
        found_all = false;
      } else {
        out.push_back(socket_of(at, number_));
      }
    }
  }
  return found_all;
}

void TcpTraffic::Network::ask_all(std::vector<Socket>& out) {
  known_.clear();
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
        out.push_back(socket_of(at, number_));
      }
    }
  }
}

TcpTraffic::TcpTraffic() = default;
TcpTraffic::~TcpTraffic() = default;

void TcpTraffic::watch(pid_t process) {
  const int there = ::open(("/proc/" + std::to_string(process) + "/ns/net").c_str(), O_RDONLY | O_CLOEXEC);
  struct stat about {};
  const bool is_new = there >= 0 && ::fstat(there, &about) == 0 && networks_.count(about.st_ino) == 0;
  if (is_new) {
    networks_.emplace(about.st_ino, std::make_unique<Network>(there, static_cast<std::uint32_t>(networks_.size())));
  }
  if (there >= 0) ::close(there);
}

bool TcpTraffic::in_flight() {
  std::vector<Socket> sockets;
  for (const auto& [inode, network] : networks_) network->read(sockets);
  Sockets by_far_end, by_near_end;
  for (const Socket& socket : sockets) {
    if ((is_changing(socket) || socket.unsent > 0) && !is_cut(cut_, socket)) return true;
    by_far_end.emplace(socket.far, &socket);
    by_near_end.emplace(socket.near, &socket);
  }
  return std::any_of(sockets.begin(), sockets.end(), [&](const Socket& socket) {
    // The peer of a redirected connection has another far end.
    const Socket* const peer = is_redirected(socket) ? one_of(by_near_end.equal_range(socket.far), nullptr)
                                                     : one_of(by_far_end.equal_range(socket.near), &socket.far);
    return is_under_way(socket, peer, cut_);
  });
}

}  // namespace holdfast
