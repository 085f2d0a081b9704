#include "servers/mysql/start_mariadb.hpp"

#include <filesystem>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "servers/mysql/lab_address.hpp"
#include "servers/server_choice.hpp"
#include "servers/server_type.hpp"

namespace holdfast {
namespace {

// For root from any address, without a password: the lab's network is private.
constexpr const char* kUsers =
    "CREATE USER root@'%' IDENTIFIED BY '';\nGRANT ALL ON *.* TO root@'%' WITH GRANT OPTION;\n";

std::vector<std::string> common(const std::string& program, const ServerSpec& spec) {
  return {program,
          "--no-defaults",
          "--datadir=" + spec.data,
          "--log-error=" + spec.log,
          "--user=root",  // the only user mapped in the lab
          "--secure-file-priv=",
          "--skip-log-bin",
          "--performance-schema=OFF",
          "--innodb-buffer-pool-size=8M",
          "--innodb-log-buffer-size=2M"};
}

// The file of users is beside the directory, which must be empty.
void fill(const std::string& program, const ServerSpec& spec) {
  const std::string users = spec.data + ".sql";
  write_text_file(users, kUsers);
  Spawn spawn;
  spawn.argv = common(program, spec);
  for (const char* word : {"--initialize-insecure", "--innodb-redo-log-capacity=64M", "--innodb-doublewrite=OFF"}) {
    spawn.argv.emplace_back(word);
  }
  spawn.argv.push_back("--init-file=" + users);
  spawn.log = spec.log;
  run_program(spawn);
}

ServerSpec spec_on(const ServerConfig& config, const std::string& place, const std::string& which, int network) {
  const MySqlSettings settings = mysql_settings(config.settings);
  ServerSpec spec;
  spec.data = place + "/db" + which;
  spec.log = trial_log(config.folder, which);
  spec.network = network;
  spec.connections = config.connections;
  spec.flush_log_at_commit = settings.flush_log_at_commit;
  spec.explicit_defaults_for_timestamp = settings.explicit_defaults_for_timestamp;
  spec.commit_delay_ms = settings.commit_delay_ms;
  std::error_code failed;
  std::filesystem::create_directories(spec.data, failed);
  if (failed) throw HarnessError(spec.data + ": " + system_text(failed.value()));
  return spec;
}

// Asks the program for its version.
bool is_mysql(const std::string& program, const ServerSpec& spec) {
  Spawn spawn;
  spawn.argv = {program, "--no-defaults", "--version"};
  spawn.log = spec.data + ".version";
  run_program(spawn);
  return read_text_file(InputFile::stored(spawn.log)).find("MariaDB") == std::string::npos;
}

// The server chosen by the user (server_choice.hpp) may be MySQL. It needs an initialized directory, which takes a few
// seconds, and without grant tables it would listen on no port.
Process start_mysql(const std::string& program, const ServerSpec& spec) {
  if (spec.replication_id != 0 || !spec.more.empty()) {
    throw Unavailable(program + " is not MariaDB, which holdfast needs for a replica or a cluster");
  }
  if (std::filesystem::is_empty(spec.data)) fill(program, spec);
  Spawn spawn;
  spawn.argv = common(program, spec);
  const std::string connections = std::to_string(spec.connections);
  for (const std::string& word : {
           "--tmpdir=" + spec.data,
           std::string("--socket=") + kServerSocket,
           std::string("--pid-file=server.pid"),
           std::string("--bind-address=0.0.0.0"),
           "--port=" + std::to_string(kServerPort),
           std::string("--skip-name-resolve"),
           "--max-connections=" + connections,
           "--back-log=" + connections,
           std::string("--innodb-redo-log-capacity=8M"),
           "--innodb-flush-log-at-trx-commit=" + std::to_string(spec.flush_log_at_commit),
           std::string("--table-open-cache=64"),
           std::string("--thread-cache-size=0"),
           std::string("--default-time-zone=+00:00"),
           std::string("--mysqlx=OFF"),
       }) {
    spawn.argv.push_back(word);
  }
  if (!spec.explicit_defaults_for_timestamp) spawn.argv.emplace_back("--explicit-defaults-for-timestamp=OFF");
  if (spec.commit_delay_ms > 0) {
    spawn.argv.emplace_back("--log-bin=binlog");
    spawn.argv.push_back("--binlog-group-commit-sync-delay=" + std::to_string(1000 * spec.commit_delay_ms));
  }
  if (spec.only_socket) spawn.argv.emplace_back("--skip-networking");
  spawn.network = spec.network;
  spawn.log = spec.log;
  if (spec.clock != nullptr) spec.clock->equip(spawn);
  return spawn_process(spawn);
}

}  // namespace

MySqlSettings mysql_settings(const ServerSettings& settings) {
  const JsonNode node = settings_for(server_type("mysql"), settings);
  ObjectReader in(node);
  MySqlSettings out;
  out.flush_log_at_commit = in.integer("innodb_flush_log_at_trx_commit", 0, 2).value_or(out.flush_log_at_commit);
  out.explicit_defaults_for_timestamp =
      in.boolean("explicit_defaults_for_timestamp").value_or(out.explicit_defaults_for_timestamp);
  out.commit_delay_ms = in.integer("commit_delay_ms", 0, 100).value_or(out.commit_delay_ms);
  in.finish();
  return out;
}

Process start_mariadb(const ServerSpec& spec) {
  const std::string program = find_server("mysqld", "mariadbd", {"mariadb-server-core", "mariadb-server"});
  if (chosen_server("mysqld") && is_mysql(program, spec)) return start_mysql(program, spec);
  Spawn spawn;
  spawn.argv = {program, "--no-defaults", "--datadir=" + spec.data, "--tmpdir=" + spec.data,
                "--socket=server.sock",  // kServerSocket, relative to the data directory: a path must be short
                "--pid-file=server.pid", "--log-error=" + spec.log, "--skip-grant-tables",
                // from 11.4 on it would first create a certificate, which takes a second of processor time
                "--skip-ssl",
                "--user=root",  // the only user mapped in the lab
                "--bind-address=0.0.0.0", "--port=" + std::to_string(kServerPort), "--skip-name-resolve",
                "--max-connections=" + std::to_string(spec.connections),
                "--back-log=" + std::to_string(spec.connections), "--performance-schema=OFF",
                "--innodb-buffer-pool-size=8M", "--innodb-log-file-size=4M", "--innodb-log-buffer-size=2M",
                "--innodb-flush-log-at-trx-commit=" + std::to_string(spec.flush_log_at_commit), "--key-buffer-size=16K",
                "--aria-pagecache-buffer-size=128K", "--table-open-cache=64", "--thread-cache-size=0",
                "--default-time-zone=+00:00"};
  if (spec.replication_id != 0) spawn.argv.push_back("--server-id=" + std::to_string(spec.replication_id));
  if (spec.replication_id == kPrimaryId || spec.commit_delay_ms > 0) spawn.argv.emplace_back("--log-bin=binlog");
  if (spec.commit_delay_ms > 0) {
    spawn.argv.push_back("--binlog-commit-wait-usec=" + std::to_string(1000 * spec.commit_delay_ms));
    spawn.argv.emplace_back("--binlog-commit-wait-count=100000");  // more than there ever are: the time decides
  }
  if (!spec.explicit_defaults_for_timestamp) spawn.argv.emplace_back("--explicit-defaults-for-timestamp=OFF");
  if (spec.only_socket) spawn.argv.emplace_back("--skip-networking");
  spawn.argv.insert(spawn.argv.end(), spec.more.begin(), spec.more.end());
  spawn.environment = spec.environment;
  spawn.network = spec.network;
  spawn.log = spec.log;
  if (spec.clock != nullptr) spec.clock->equip(spawn);
  return spawn_process(spawn);
}

std::string trial_log(const std::string& folder, const std::string& which) {
  return folder + "/server" + which + ".log";
}

ServerSpec trial_spec(const ServerConfig& config, const std::string& which, int network) {
  return spec_on(config, config.folder + "/lab", which, network);
}

ServerSpec lock_server_spec(const ServerConfig& config) {
  return spec_on(config, config.place_of_data(), "", config.network);
}

}  // namespace holdfast
