#include "runner/lab_client_capabilities.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "artifact/units.hpp"
#include "runner/lab_trial_capabilities.hpp"

namespace holdfast {
namespace {

// tolerance: duration of a pulse, and a clock of whole milliseconds
constexpr std::int64_t kAgrees_ns = 200 * kMillisecond_ns;

constexpr unsigned kServerBits = 56;

std::uint64_t number_of(std::uint64_t session) {
  return session & ((std::uint64_t{1} << kServerBits) - 1);
}

std::uint32_t server_of_session(std::uint64_t session) {
  return static_cast<std::uint32_t>(session >> kServerBits);
}

}  // namespace

void LabClientClocks::set_offset(std::uint32_t client, std::int64_t ns) {
  ClientSlot& slot = page_.clients.at(client);
  const pid_t group = slot.lock_group.load();
  if (group > 0) set_program_offset(client, group, ns);
  slot.wall_offset_ns.store(ns);
}

// A program whose clock was never changed needs no correction back to zero.
void LabClientClocks::set_program_offset(std::uint32_t client, pid_t group, std::int64_t ns) {
  const std::lock_guard guard(mutex_);
  const auto [found, made] = clocks_.try_emplace(client, group);
  if (made || !without_vdso_clock(group).empty()) found->second.equip();
  found->second.set_offset(ns);
}

// A client that gets no processor, or waits, shows an old reading.
std::optional<std::int64_t> LabClientClocks::offset_seen_ns(std::uint32_t client) const {
  const ClientSlot& slot = page_.clients.at(client);
  if (slot.lock_group.load() > 0) return program_offset_ns(client);
  const std::int64_t seen_ns = slot.wall_observed_ns.load();
  return seen_ns == slot.wall_offset_ns.load() ? std::optional(seen_ns) : std::nullopt;
}

std::optional<std::int64_t> LabClientClocks::program_offset_ns(std::uint32_t client) const {
  const std::lock_guard guard(mutex_);
  const auto found = clocks_.find(client);
  if (found == clocks_.end()) return 0;
  const VdsoReading reading = found->second.read_back();
  if (!reading.wrong.empty() || !reading.without.empty() || reading.with.empty()) return std::nullopt;
  const std::int64_t offset_ns = found->second.offset_ns();
  const ClientSlot& slot = page_.clients.at(client);
  const bool told = slot.lock_tells_wall.load() != 0;
  const bool agrees = std::abs(slot.lock_wall_observed_ns.load() - offset_ns) <= kAgrees_ns;
  return !told || agrees ? std::optional(offset_ns) : std::nullopt;
}

void LabClientDrift::set_drift(std::uint32_t client, std::int64_t parts_per_million) {
  ClientSlot& slot = page_.clients.at(client);
  slot.drift_since_ns.store(monotonic_ns());
  slot.drift_ppm.store(parts_per_million);
}

// Without a drift a client that reads its clock shows none.
std::optional<std::int64_t> LabClientDrift::drift_seen_ns(std::uint32_t client) const {
  const ClientSlot& slot = page_.clients.at(client);
  const std::int64_t seen_ns = slot.drift_observed_ns.load();
  return slot.drift_ppm.load() == 0 && seen_ns != 0 ? std::nullopt : std::optional(seen_ns);
}

bool LabClientNetwork::reaches(std::uint32_t client, const std::string& address) const {
  const ReadinessProbe readiness = address == kResourceAddress ? lab_.resource_probe() : lab_.lock_server().readiness();
  return probe(roster_.node(client), address, readiness, kProbe_ms) >= 0;
}

// A client whose reads a splitter sends to the replica has two addresses of the lock service; a cluster has one per
// server.
std::vector<std::string> LabClientNetwork::addresses(const std::string& cut) const {
  if (cut == "resource") return {kResourceAddress};
  std::vector<std::string> out(std::begin(kServerAddresses), std::begin(kServerAddresses) + lab_.servers());
  const auto& reads = plan_.load.reads;
  if (std::find(reads.begin(), reads.end(), "replica") != reads.end()) out.emplace_back(kReplicaAddress);
  if (cut == "all") out.emplace_back(kResourceAddress);
  return out;
}

// Several servers may use the same session numbers, so the server's number is included.
std::vector<std::uint64_t> LabClientSessions::of(std::uint32_t client) const {
  const bool first = lab_.topology().independent;
  const std::uint64_t server = first ? 0 : server_of_client(lab_.servers(), plan_.load, client);
  std::vector<std::uint64_t> out;
  for (const auto& session : page_.clients.at(client).connections) {
    if (const std::uint64_t number = session.load(); number != 0) out.push_back(number | server << kServerBits);
  }
  return out;
}

void LabClientSessions::end(std::uint64_t session) {
  const std::lock_guard guard(mutex_);
  lab_.lock_server().end_connection(number_of(session), server_of_session(session));
}

bool LabClientSessions::alive(std::uint64_t session) {
  const std::lock_guard guard(mutex_);
  return lab_.lock_server().connection_alive(number_of(session), server_of_session(session));
}

BlockedThreadState LabClientThreads::blocked_thread(std::uint32_t client) const {
  const ClientSlot& slot = page_.clients.at(client);
  const std::int64_t since_ns = slot.blocked.since_ns.load();
  if (since_ns == 0) return {};
  const bool own_program = slot.lock_group.load() != 0;
  const std::int64_t seen_ns = own_program ? slot.blocked.seen_ns.load() : slot.heartbeat.beat_ns.load();
  return {true, seen_ns < since_ns ? -1 : monotonic_ns() - seen_ns};
}

}  // namespace holdfast
