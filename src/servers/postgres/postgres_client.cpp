// Parts of PostgreSQL that need its client library: client connections, and everything else missing in a build without
// it.
#include "servers/postgres/postgres_client.hpp"

#include <algorithm>
#include <utility>

#include "servers/postgres/explore_postgres.hpp"
#include "servers/postgres/lab_postgres.hpp"
#include "servers/postgres/postgres_lock_server.hpp"
#include "servers/postgres/postgres_sandbox.hpp"
#include "servers/postgres/postgres_settings.hpp"

namespace holdfast {
namespace {

// Set by the lab's server for every session (lab_postgres.cpp).
constexpr const char* kServersIsolation = "read_committed";
constexpr const char* kServersZone = "+00:00";

// POSIX zones, whose form PostgreSQL accepts, have the opposite sign: "+02:00" is two hours west there.
std::string zone_setting(const std::string& zone) {
  return "SET SESSION TIME ZONE INTERVAL '" + zone + "' HOUR TO MINUTE";
}

std::vector<std::string> settings_of_session(const ClientAccess& access) {
  std::vector<std::string> out;
  if (access.target) out.push_back("SET lock_timeout = " + std::to_string(kRowLockWait_ms));
  const std::string isolation = access.isolation.empty() ? kServersIsolation : access.isolation;
  if (access.target || isolation != kServersIsolation) {
    std::string level = isolation;
    std::replace(level.begin(), level.end(), '_', ' ');
    out.push_back("SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL " + level);
  }
  if (!access.time_zone.empty() && (access.target || access.time_zone != kServersZone)) {
    out.push_back(zone_setting(access.time_zone));
  }
  return out;
}

}  // namespace

std::unique_ptr<StatementConnection> connect_postgres_client(const StatementFile& file, const ClientAccess& access) {
  PgAddress address = access.target ? postgres_address(*access.target) : postgres_in_lab(access.host);
  if (!access.target && access.variant == kThroughPool) address.port = kPoolPort;
  address.timeout_ms = kClientPatience_ms + access.wait_ms;
  address.first_statements = settings_of_session(access);
  return std::make_unique<PgStatements>(address, postgres_file(file, access.target ? access.target->prefix : ""));
}

ServerType with_postgres_client(ServerType type) {
  type.connect = connect_postgres_client;
  type.start = start_postgres_lock_server;
  type.library_missing = PgConnection::library_missing;
  type.on_target = [](const Target& target) -> std::unique_ptr<LockServer> {
    return std::make_unique<PostgresTargetServer>(target);
  };
  type.sandbox = postgres_sandbox;
  type.explore = explore_postgres;
  return type;
}

}  // namespace holdfast
