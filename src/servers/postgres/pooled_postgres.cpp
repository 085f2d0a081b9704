#include "servers/postgres/pooled_postgres.hpp"

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "lab/network.hpp"

namespace holdfast {
namespace {

constexpr const char* kPool = "-pool";
constexpr int kSessions = 4;

// The server manages the user's rights, and requires no password.
std::string settings_of_pool(const ServerConfig& config) {
  return std::string("[databases]\n* = host=") + kLockAddress + " port=" + std::to_string(kPostgresPort) +
         "\n[pgbouncer]\nlisten_addr = 0.0.0.0\nlisten_port = " + std::to_string(kPoolPort) +
         "\nunix_socket_dir =\nauth_type = trust\nauth_file = " + config.folder + "/lab/pool-users\n" +
         "pool_mode = transaction\ndefault_pool_size = " + std::to_string(kSessions) +
         "\nmax_client_conn = " + std::to_string(config.connections) + "\n";
}

Process start_pool(const ServerConfig& config) {
  const std::string file = config.folder + "/lab/pool.ini";
  write_text_file(config.folder + "/lab/pool-users", std::string("\"") + kPostgresUser + "\" \"\"\n");
  write_text_file(file, settings_of_pool(config));
  Spawn spawn;
  spawn.argv = {find_program("pgbouncer", "pgbouncer"), file};
  spawn.network = config.network;
  spawn.log = postgres_log(config, kPool);
  spawn.user = kServersUser;
  return spawn_process(spawn);
}

}  // namespace

PooledPostgres::PooledPostgres(const ServerConfig& config)
    : PostgresLockServer(config), log_(postgres_log(config, kPool)), pool_([config] { return start_pool(config); }) {}

void PooledPostgres::prepare(const StatementFile& statements) {
  wait_until_it_serves();
  pool_.when_started([this](Process& process) {
    wait_for_answer(kLockAddress, postgres_probe(kPoolPort), process, log_, kServerStart_ms);
  });
  make_tables(statements);
}

std::string PooledPostgres::version() {
  return PostgresLockServer::version() + " behind PgBouncer (pool_mode=transaction)";
}

void PooledPostgres::end_connection(std::uint64_t, std::uint32_t) {
  throw Unavailable("a session behind PgBouncer cannot be identified; remedy: use the lock without +pgbouncer");
}

bool PooledPostgres::connection_alive(std::uint64_t, std::uint32_t) {
  throw Unavailable("a session behind PgBouncer cannot be identified; remedy: use the lock without +pgbouncer");
}

}  // namespace holdfast
