#include "virtual_time/tcp_traffic.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>

#include <string>
#include <utility>
#include <vector>

#include "virtual_time/tcp_sockets.hpp"

namespace holdfast {
namespace {

// A connection redirected within the node: its program sees another far address than this end, and packets are dropped
// by that address.
bool is_redirected(const TcpSocket& socket) {
  return socket.near[kEndNetwork] != 0 && socket.far[kEndNetwork] == 0;
}

bool is_cut_off(const CutLinks* cut, const TcpSocket& socket) {
  if (cut == nullptr) return false;
  if (is_redirected(socket)) return cut->is_any_cut(socket.far[kEndAddress]);
  return cut->is_cut(socket.near[kEndAddress], socket.far[kEndAddress]);
}

// If one direction is cut, acknowledgements of the other do not pass.
bool is_cut(const CutLinks* cut, const TcpSocket& socket) {
  return is_cut_off(cut, socket) || (cut != nullptr && cut->is_cut(socket.far[kEndAddress], socket.near[kEndAddress]));
}

// Index of sockets by one end.
class ByEnd {
 public:
  void add(const TcpEnd& end, const TcpSocket& socket) { sockets_.emplace_back(end, &socket); }
  void sort() {
    std::sort(sockets_.begin(), sockets_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  }
  // The socket with this near end if there is one; else any with the far end, or null.
  const TcpSocket* find(const TcpEnd& end, const TcpEnd* near) const {
    const auto is_before = [](const auto& socket, const TcpEnd& other) { return socket.first < other; };
    const auto first = std::lower_bound(sockets_.begin(), sockets_.end(), end, is_before);
    if (first == sockets_.end() || first->first != end) return nullptr;
    for (auto at = first; near != nullptr && at != sockets_.end() && at->first == end; ++at) {
      if (at->second->near == *near) return at->second;
    }
    return first->second;
  }

 private:
  std::vector<std::pair<TcpEnd, const TcpSocket*>> sockets_;
};

// Returns true if its sent bytes are about to arrive. Null: its peer is outside, or gone.
bool is_under_way(const TcpSocket& socket, const TcpSocket* peer, const CutLinks* cut) {
  const bool both_open =
      peer != nullptr && socket.state == TcpState::established && peer->state == TcpState::established;
  if (both_open) return socket.sent != peer->received && !is_cut_off(cut, socket);
  return socket.unacknowledged > 0 && !is_cut(cut, socket);
}

// Connections in a transient state: something is in flight.
bool is_changing(const TcpSocket& socket) {
  switch (socket.state) {
    case TcpState::established:
    case TcpState::fin_wait_2:
    case TcpState::time_wait:
    case TcpState::closed:
    case TcpState::close_wait:
    case TcpState::listening:
      return false;
  }
  return true;
}

}  // namespace

struct TcpTraffic::Network {
  Network(int there, std::uint32_t number) : sockets(there, number) {}

  TcpSockets sockets;
  bool may_have_changed = true;
};

TcpTraffic::TcpTraffic() = default;
TcpTraffic::~TcpTraffic() = default;

void TcpTraffic::watch(pid_t process) {
  const int there = ::open(("/proc/" + std::to_string(process) + "/ns/net").c_str(), O_RDONLY | O_CLOEXEC);
  struct stat about {};
  if (there >= 0 && ::fstat(there, &about) == 0) {
    auto& network = networks_[about.st_ino];
    if (!network) network = std::make_unique<Network>(there, static_cast<std::uint32_t>(networks_.size()));
    if (first_ == nullptr) first_ = network.get();
    network_of_[process] = network.get();
  }
  if (there >= 0) ::close(there);
}

void TcpTraffic::note_ran(pid_t process) {
  const auto network = network_of_.find(process);
  if (network == network_of_.end() || network->second == first_) {
    any_may_have_changed_ = true;
  } else {
    network->second->may_have_changed = true;
  }
}

void TcpTraffic::read(bool all) {
  for (const auto& [inode, network] : networks_) {
    if (all || network->may_have_changed) network->sockets.read();
  }
}

bool TcpTraffic::in_flight() {
  read(any_may_have_changed_);
  bool quiet = is_quiet(any_may_have_changed_);
  if (!quiet && !any_may_have_changed_) {
    read(true);
    quiet = is_quiet(true);
  }
  any_may_have_changed_ = !quiet;  // data in flight arrives even if no program runs
  for (const auto& [inode, network] : networks_) network->may_have_changed = false;
  return !quiet;
}

bool TcpTraffic::is_quiet(bool all_were_read) const {
  ByEnd by_far_end, by_near_end;
  for (const auto& [inode, network] : networks_) {
    for (const TcpSocket& socket : network->sockets.last()) {
      if ((is_changing(socket) || socket.unsent > 0) && !is_cut(cut_, socket)) return false;
      by_far_end.add(socket.far, socket);
      by_near_end.add(socket.near, socket);
    }
  }
  by_far_end.sort();
  by_near_end.sort();
  const auto is_settled = [&](const TcpSocket& socket) {
    // The peer of a redirected connection has another far end.
    const TcpSocket* const peer =
        is_redirected(socket) ? by_near_end.find(socket.far, nullptr) : by_far_end.find(socket.near, &socket.far);
    if (peer == nullptr && !all_were_read) return false;
    return !is_under_way(socket, peer, cut_);
  };
  return std::all_of(networks_.begin(), networks_.end(), [&](const auto& network) {
    return std::all_of(network.second->sockets.last().begin(), network.second->sockets.last().end(), is_settled);
  });
}

}  // namespace holdfast
