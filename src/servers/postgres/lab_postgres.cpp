#include "servers/postgres/lab_postgres.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <utility>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "servers/server_choice.hpp"

namespace holdfast {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kPatience_ms = 5'000;
const Package kPackage{"postgresql", "postgresql-server"};

// "/usr/lib/postgresql/15/bin" -> 15, "/usr/pgsql-16/bin" -> 16; -1: another folder.
int release_of(const std::string& name) {
  const std::size_t digits = name.find_first_of("0123456789");
  if (digits == std::string::npos) return -1;
  int out = -1;
  std::from_chars(name.data() + digits, name.data() + name.size(), out);
  return out;
}

// Debian's packages, and PostgreSQL's own for Red Hat, install each release in a folder that is not in PATH.
std::string newest_folder() {
  std::string out;
  int newest = -1;
  for (const auto& [base, begin] : {std::pair{"/usr/lib/postgresql", ""}, std::pair{"/usr", "pgsql-"}}) {
    std::error_code none;
    for (fs::directory_iterator at(base, none), end; !none && at != end; at.increment(none)) {
      const std::string name = at->path().filename().string();
      const std::string bin = at->path().string() + "/bin";
      if (name.rfind(begin, 0) != 0 || release_of(name) <= newest) continue;
      if (::access((bin + "/postgres").c_str(), X_OK) != 0) continue;
      newest = release_of(name);
      out = bin;
    }
  }
  return out;
}

std::string folder_of_programs() {
  if (const auto chosen = chosen_server("postgres")) return fs::path(*chosen).parent_path().string();
  if (std::string newest = newest_folder(); !newest.empty()) return newest;
  return fs::path(find_program("postgres", kPackage)).parent_path().string();
}

bool is_filled(const std::string& data) {
  return fs::exists(data + "/PG_VERSION");
}

// Path of a program shipped with the server: "initdb".
std::string postgres_program(const std::string& name) {
  std::string path = folder_of_programs() + "/" + name;
  if (::access(path.c_str(), X_OK) == 0) return path;
  return find_program(name, kPackage);
}

// Runs it as the server's user until it ends; throws HarnessError.
void run_as_postgres(Spawn spawn) {
  spawn.user = kServersUser;
  run_program(spawn);
}

void fill(const PostgresSpec& spec) {
  Spawn spawn;
  spawn.argv = {postgres_program("initdb"),
                "--pgdata=" + spec.data,
                "--username=" + std::string(kPostgresUser),
                "--auth=trust",
                "--locale=C",
                "--encoding=UTF8",
                "--no-sync",
                "--no-instructions"};
  spawn.log = spec.log;
  run_as_postgres(std::move(spawn));
  // Only the lab's private network can reach it; the second line is for a replica.
  write_text_file(spec.data + "/pg_hba.conf",
                  "host all all all trust\nhost replication all all trust\nlocal all all trust\n");
}

void copy_from(const PostgresSpec& spec) {
  Spawn spawn;
  spawn.argv = {postgres_program("pg_basebackup"),
                "--pgdata=" + spec.data,
                "--host=" + spec.primary,
                "--username=" + std::string(kPostgresUser),
                "--write-recovery-conf",
                "--no-sync",
                "--checkpoint=fast",
                "--wal-method=stream",
                "--no-password"};
  spawn.log = spec.log;
  spawn.network = spec.network;
  run_as_postgres(std::move(spawn));
}

std::vector<std::string> settings_of(const PostgresSpec& spec) {
  const PostgresSettings& set = spec.settings;
  std::vector<std::string> out{
      "listen_addresses=*",
      "port=" + std::to_string(kPostgresPort),
      "unix_socket_directories=",
      "max_connections=" + std::to_string(spec.connections),
      "shared_buffers=16MB",
      "dynamic_shared_memory_type=mmap",
      "max_wal_size=256MB",
      "min_wal_size=32MB",
      "autovacuum=off",  // a trial ends before its first run
      "jit=off",
      "timezone=UTC",
      "lock_timeout=" + std::to_string(kRowLockWait_ms),
      "synchronous_commit=" + set.synchronous_commit,
      "wal_writer_delay=" + std::to_string(set.wal_writer_delay_ms),
      std::string("fsync=") + (set.fsync ? "on" : "off"),
      // After a cut, replica and primary must not wait for each other for ever.
      "wal_receiver_timeout=5s",
      "wal_retrieve_retry_interval=200ms",
  };
  if (set.commit_delay_ms > 0) {
    out.push_back("commit_delay=" + std::to_string(1000 * set.commit_delay_ms));
    out.emplace_back("commit_siblings=0");  // also where no other transaction is open
  }
  out.insert(out.end(), spec.more.begin(), spec.more.end());
  return out;
}

}  // namespace

Process start_postgres(const PostgresSpec& spec) {
  if (!is_filled(spec.data)) {
    fs::create_directories(spec.data);
    fs::permissions(spec.data, fs::perms::owner_all);
    if (spec.primary.empty()) {
      fill(spec);
    } else {
      copy_from(spec);
    }
  }
  Spawn spawn;
  const auto chosen = chosen_server("postgres");
  spawn.argv = {chosen ? *chosen : postgres_program("postgres"), "-D", spec.data};
  for (const auto& setting : settings_of(spec)) spawn.argv.insert(spawn.argv.end(), {"-c", setting});
  spawn.network = spec.network;
  spawn.log = spec.log;
  spawn.user = kServersUser;
  spawn.family = true;
  if (spec.clock != nullptr) spec.clock->equip(spawn);
  return spawn_process(spawn);
}

PgAddress postgres_in_lab(const std::string& host) {
  PgAddress out;
  out.host = host;
  out.port = kPostgresPort;
  out.user = kPostgresUser;
  out.database = kPostgresDatabase;
  out.timeout_ms = kPatience_ms;
  return out;
}

PgAddress postgres_address(const Target& target) {
  PgAddress out;
  out.host = target.host;
  out.port = target.port;
  out.user = target.user;
  out.password = target.password;
  out.database = target.database;
  out.security = target.security;
  out.timeout_ms = kPatience_ms;
  return out;
}

Reply must_answer(PgConnection& db, const std::string& sql) {
  try {
    Reply reply = db.query(sql);
    if (!reply.ok()) throw HarnessError("PostgreSQL: " + reply.message + " in: " + sql);
    return reply;
  } catch (const StatementFailed& failed) {
    throw HarnessError(std::string("PostgreSQL: ") + failed.what());
  }
}

std::string postgres_log(const ServerConfig& config, const std::string& which) {
  return config.folder + "/postgres" + which + ".log";
}

}  // namespace holdfast
