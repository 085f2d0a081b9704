// The server part of TrialWorld: its process, its clock, and what it kept.
#include "lab/network.hpp"
#include "runner/trial_world.hpp"

namespace holdfast {
namespace {

constexpr int kProbe_ms = 250;
constexpr std::int64_t kTick_ns = 5'000'000;  // a coarse clock goes in steps of some milliseconds

}  // namespace

bool TrialWorld::signal_server(std::uint32_t server, int number) {
  return lab_.lock_server(server).process().signal(number);
}

char TrialWorld::server_state(std::uint32_t server) const {
  return lab_.lock_server(server).process().state();
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

}  // namespace holdfast
