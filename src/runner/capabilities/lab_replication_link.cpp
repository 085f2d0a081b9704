#include "runner/capabilities/lab_replication_link.hpp"

#include "lab/network.hpp"

namespace holdfast {

void LabReplicationLink::cut(std::uint32_t) {
  DroppingRules rules;
  rules.drop_from(kLockAddress);
  rules.drop_to(kLockAddress);
  lab_.network().filter(lab_.replica_node(), rules.text());
}

std::int64_t LabReplicationLink::packets_dropped(std::uint32_t) const {
  return lab_.network().dropped(lab_.replica_node());
}

std::optional<bool> LabReplicationLink::replica_has_canary(std::uint32_t server) const {
  return lab_.replication(server).replica_has_canary(administration_.last_mark());
}

// The rules go last: until the address has moved they keep what the old primary has not sent yet from the replica.
void LabReplicationLink::promote_replica(std::uint32_t server) {
  lab_.replication(server).promote_replica();
  lab_.network().take_over(lab_.server_node(server), lab_.replica_node());
  lab_.network().filter(lab_.replica_node(), "");
}

bool LabReplicationLink::replica_is_primary(std::uint32_t server) const {
  return lab_.replication(server).replica_is_primary();
}

}  // namespace holdfast
