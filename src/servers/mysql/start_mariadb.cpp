#include "servers/mysql/start_mariadb.hpp"

#include "servers/mysql/lab_address.hpp"
#include "servers/mysql/start_mysql.hpp"
#include "servers/server_choice.hpp"

namespace holdfast {

Process start_mariadb(const ServerSpec& spec) {
  const std::string program = find_server("mysqld", "mariadbd", {"mariadb-server-core", "mariadb-server"});
  if (chosen_server("mysqld") && is_mysql(program, spec)) return start_mysql(program, spec);
  Spawn spawn;
  spawn.argv = {program,
                "--no-defaults",
                "--datadir=" + spec.data,
                "--tmpdir=" + spec.data,
                "--socket=server.sock",  // kServerSocket, relative to the data directory: a path must be short
                "--pid-file=server.pid",
                "--log-error=" + spec.log,
                "--skip-grant-tables",
                "--user=root",  // the only user that the lab maps
                "--bind-address=0.0.0.0",
                "--port=" + std::to_string(kServerPort),
                "--skip-name-resolve",
                "--max-connections=" + std::to_string(spec.connections),
                "--back-log=" + std::to_string(spec.connections),
                "--performance-schema=OFF",
                "--innodb-buffer-pool-size=8M",
                "--innodb-log-file-size=4M",
                "--innodb-log-buffer-size=2M",
                "--innodb-flush-log-at-trx-commit=" + std::to_string(spec.flush_log_at_commit),
                "--key-buffer-size=16K",
                "--aria-pagecache-buffer-size=128K",
                "--table-open-cache=64",
                "--thread-cache-size=0",
                "--default-time-zone=+00:00"};
  if (spec.replication_id != 0) spawn.argv.push_back("--server-id=" + std::to_string(spec.replication_id));
  if (spec.replication_id == kPrimaryId) spawn.argv.emplace_back("--log-bin=binlog");
  if (!spec.explicit_defaults_for_timestamp) spawn.argv.emplace_back("--explicit-defaults-for-timestamp=OFF");
  if (spec.only_socket) spawn.argv.emplace_back("--skip-networking");
  spawn.argv.insert(spawn.argv.end(), spec.more.begin(), spec.more.end());
  spawn.environment = spec.environment;
  spawn.network = spec.network;
  spawn.log = spec.log;
  if (spec.clock != nullptr) spec.clock->equip(spawn);
  return spawn_process(spawn);
}

}  // namespace holdfast
