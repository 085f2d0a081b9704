// The server part of TrialWorld: its process, its clock, and what it kept.
#include <csignal>

#include "lab/network.hpp"
#include "runner/trial_world.hpp"

namespace holdfast {
namespace {

constexpr int kProbe_ms = 250;
constexpr std::int64_t kTick_ns = 5'000'000;  // a coarse clock goes in steps of some milliseconds

}  // namespace

bool TrialWorld::signal_server(std::uint32_t server, int number) {
  const std::int64_t own = number_of_server(server);
  if (number == SIGSTOP) stops_.signalled(own, number, monotonic_ns());
  const bool sent = lab_.lock_server(server).process().signal(number);
  if (number == SIGCONT) stops_.signalled(own, number, monotonic_ns());
  return sent;
}

char TrialWorld::server_state(std::uint32_t server) const {
  return lab_.lock_server(server).process().state();
}

std::optional<std::int64_t> TrialWorld::server_stopped_at_ns(std::uint32_t server) const {
  return lab_.lock_server(server).process().stopped_at_ns();
}

std::int64_t TrialWorld::server_process(std::uint32_t server) const {
  return lab_.lock_server(server).process().process_number();
}

// From its own node, so that a cut of a client's node is none of the server's.
bool TrialWorld::server_answers(std::uint32_t server) const {
  return probe(lab_.server_node(server), kLockAddress, lab_.lock_server(server).door(), kProbe_ms) >= 0;
}

void TrialWorld::kill_server(std::uint32_t server) {
  lab_.lock_server(server).process().kill();
}

void TrialWorld::restart_server(std::uint32_t server) {
  lab_.lock_server(server).process().restart();
}

Durability TrialWorld::durability(std::uint32_t server) const {
  return lab_.lock_server(server).durability();
}

void TrialWorld::leave_mark(std::uint32_t server) {
  lab_.lock_server(server).leave_mark(++marks_);
}

std::optional<bool> TrialWorld::mark_kept(std::uint32_t server) const {
  return lab_.lock_server(server).mark_kept(marks_);
}

void TrialWorld::set_server_clock(std::uint32_t server, std::int64_t offset_ns) {
  lab_.server_clock(server).step(offset_ns);
}

void TrialWorld::set_server_drift(std::uint32_t server, std::int64_t parts_per_million) {
  lab_.server_clock(server).drift(parts_per_million);
}

std::optional<ClockReading> TrialWorld::read_server_clock(std::uint32_t server) const {
  const auto clock = lab_.lock_server(server).clock();
  if (!clock) return std::nullopt;
  const std::int64_t doubt_ns = (clock->answered_ns - clock->asked_ns) / 2;
  return ClockReading{clock->server_ns - clock->asked_ns - doubt_ns, doubt_ns + kTick_ns};
}

void TrialWorld::cut_replication(std::uint32_t) {
  const std::string address(kLockAddress);
  lab_.network().filter(
      lab_.replica_node(),
      "  chain in {\n    type filter hook input priority 0;\n    ip saddr " + address +
          " counter drop\n  }\n  chain out {\n    type filter hook output priority 0;\n    ip daddr " + address +
          " counter drop\n  }\n");
}

std::int64_t TrialWorld::replication_packets_dropped(std::uint32_t) const {
  return lab_.network().dropped(lab_.replica_node());
}

std::optional<bool> TrialWorld::replica_has_mark(std::uint32_t server) const {
  return lab_.replication(server).replica_has_mark(marks_);
}

// The rules go last: until the address has moved they keep what the old primary has not sent yet from the replica.
void TrialWorld::promote_replica(std::uint32_t server) {
  lab_.replication(server).promote_replica();
  lab_.network().take_over(lab_.server_node(server), lab_.replica_node());
  lab_.network().filter(lab_.replica_node(), "");
}

bool TrialWorld::replica_is_primary(std::uint32_t server) const {
  return lab_.replication(server).replica_is_primary();
}

void TrialWorld::cut_off_server(std::uint32_t server) {
  std::string in;
  std::string out;
  for (std::uint32_t other = 0; other < servers(); ++other) {
    if (other == server) continue;
    in += std::string("    ip saddr ") + kServerAddresses.at(other) + " counter drop\n";
    out += std::string("    ip daddr ") + kServerAddresses.at(other) + " counter drop\n";
  }
  lab_.network().filter(lab_.server_node(server), "  chain in {\n    type filter hook input priority 0;\n" + in +
                                                      "  }\n  chain out {\n    type filter hook output priority 0;\n" +
                                                      out + "  }\n");
}

void TrialWorld::let_server_back(std::uint32_t server) {
  lab_.network().filter(lab_.server_node(server), "");
}

std::int64_t TrialWorld::server_packets_dropped(std::uint32_t server) const {
  return lab_.network().dropped(lab_.server_node(server));
}

bool TrialWorld::server_reaches_others(std::uint32_t server) const {
  for (std::uint32_t other = 0; other < servers(); ++other) {
    const Door door = lab_.lock_server(server).door();
    if (other != server && probe(lab_.server_node(server), kServerAddresses.at(other), door, kProbe_ms) >= 0) {
      return true;
    }
  }
  return false;
}

std::optional<ClusterView> TrialWorld::cluster_view(std::uint32_t server) const {
  return lab_.cluster().view_of(server);
}

}  // namespace holdfast
