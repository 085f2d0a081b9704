#include "runner/capabilities/lab_client_clocks.hpp"

#include <cstdlib>

#include "artifact/units.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kAgrees_ns = 200 * kMillisecond_ns;  // what a pulse takes, and a clock of whole milliseconds
constexpr std::int64_t kDisagrees_ns = INT64_MIN;           // no offset that a fault asks for

}  // namespace

void LabClientClocks::set_offset(std::uint32_t client, std::int64_t ns) {
  ClientSlot& slot = page_.clients.at(client);
  const pid_t group = slot.lock_group.load();
  if (group > 0) set_program_offset(client, group, ns);
  slot.wall_offset_ns.store(ns);
}

// A clock that is to be right again is not given to a program that never had it.
void LabClientClocks::set_program_offset(std::uint32_t client, pid_t group, std::int64_t ns) {
  const std::lock_guard guard(mutex_);
  const auto [found, made] = clocks_.try_emplace(client, group);
  if (made || !without_vdso_clock(group).empty()) found->second.equip();
  found->second.set_offset(ns);
}

std::int64_t LabClientClocks::offset_seen_ns(std::uint32_t client) const {
  const ClientSlot& slot = page_.clients.at(client);
  return slot.lock_group.load() > 0 ? program_offset_ns(client) : slot.wall_observed_ns.load();
}

std::int64_t LabClientClocks::program_offset_ns(std::uint32_t client) const {
  const std::lock_guard guard(mutex_);
  const auto found = clocks_.find(client);
  if (found == clocks_.end()) return 0;
  const VdsoReading reading = found->second.read_back();
  if (!reading.wrong.empty() || !reading.without.empty() || reading.with.empty()) return kDisagrees_ns;
  const std::int64_t offset_ns = found->second.offset_ns();
  const ClientSlot& slot = page_.clients.at(client);
  const bool told = slot.lock_tells_wall.load() != 0;
  const bool agrees = std::abs(slot.lock_wall_observed_ns.load() - offset_ns) <= kAgrees_ns;
  return !told || agrees ? offset_ns : kDisagrees_ns;
}

}  // namespace holdfast
