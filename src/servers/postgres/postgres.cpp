// PostgreSQL. The lab starts the installed server, or the one named by --server postgres=PATH. Parts that need its
// client library are in postgres_client.cpp, which a build without it leaves out.
#include "artifact/json_reader.hpp"
#include "artifact/shell_command.hpp"
#include "servers/postgres/postgres_client.hpp"
#include "servers/postgres/postgres_settings.hpp"
#include "servers/server_type.hpp"

namespace holdfast {

std::string_view embedded_postgres(std::string_view name);
std::string_view embedded_postgres_schedule(std::string_view name);
std::string_view embedded_sessions(std::string_view name);

namespace {

// The comments are in the same message, and so in the transaction that creates the tables.
void sign_with_comments(std::string& schema, const std::vector<std::string>& tables) {
  for (const auto& table : tables) schema += ";\nCOMMENT ON TABLE " + table + " IS '" + kTableSign + "'";
}

std::vector<std::string> statement_names(const StatementFile& file) {
  return postgres_file(file).names();
}

std::vector<std::string> statement_parameters(const StatementFile& file, std::string_view statement) {
  return postgres_file(file).parameters(statement);
}

std::string wrong_with_target(const Target& target) {
  if (target.user.empty()) return "no user";
  return target.database.empty() ? "no database in which holdfast may create its tables" : "";
}

std::string psql_command(const Target& target) {
  const Security& security = target.security;
  ShellCommand out("psql");
  out.flag("-h", target.host).literal("-p").word(std::to_string(target.port));
  out.flag("-U", target.user).literal("-W").flag("-c", "SELECT 1");
  std::string database = "dbname=" + target.database + (security.tls ? " sslmode=verify-full" : " sslmode=disable");
  if (!security.ca.empty()) database += " sslrootcert=" + security.ca;
  return out.word(database).text();
}

std::string script_functions() {
  return std::string(embedded_postgres_schedule("schedule.bash")) + std::string(embedded_sessions("sessions.bash"));
}

ServerType postgres() {
  ServerType out;
  out.title = "PostgreSQL";
  out.about = "PostgreSQL: statements of SQL";
  out.form = {.folder = "postgres",
              .comment = "--",
              .fence = "sql",
              .text = embedded_postgres,
              .lease_line = "expires_at = clock_timestamp() + :'ttl_ms'::integer * INTERVAL '1 ms'",
              .names = statement_names,
              .parameters = statement_parameters};
  out.variants = {
      {kThroughPool,
       "through PgBouncer (pool_mode=transaction), which may use a different session for each transaction"}};
  out.topologies = {{.name = "single", .about = "one server"},
                    {.name = "replica", .about = "PostgreSQL with an asynchronous replica", .replica = true}};
  out.programs = {{.name = "postgres"}};
  out.settings = kPostgresSettings;
  out.check = [](const ServerSettings& settings) { postgres_settings(settings); };
  out.url = {.scheme = "postgres",
             .port = kPostgresPort,
             .form = "postgres://user@host:port/database",
             .wrong = wrong_with_target};
  out.login = {.port = kPostgresPort, .user = kPostgresUser, .database = kPostgresDatabase};
  out.suite = "scenarios/postgres";
  out.protocol = "postgres";
  out.readiness = postgres_probe(kPostgresPort);
  out.has_sessions = true;
  out.has_null = true;
  out.isolation = "read_committed";
  out.refuses_writes = out.drops_entries = out.delays_commits = true;
  out.plain_lock = "postgres_insert_lease";
  out.client_command = psql_command;
  out.script = {.shell = "bash",
                .options = "the options of psql, and an empty database: -U postgres test",
                .functions = script_functions,
                .schema = [](const StatementFile& file) { return schema_of(postgres_file(file)); }};
  return with_postgres_client(out);
}

}  // namespace

PostgresSettings postgres_settings(const ServerSettings& settings) {
  const JsonNode node = settings_for(server_type("postgres"), settings);
  ObjectReader in(node);
  PostgresSettings out;
  out.synchronous_commit = in.choice("synchronous_commit", {"on", "off"}).value_or(out.synchronous_commit);
  out.wal_writer_delay_ms = in.integer("wal_writer_delay_ms", 1, 10'000).value_or(out.wal_writer_delay_ms);
  out.fsync = in.boolean("fsync").value_or(out.fsync);
  out.commit_delay_ms = in.integer("commit_delay_ms", 0, 100).value_or(out.commit_delay_ms);
  in.finish();
  return out;
}

SqlFile postgres_file(const StatementFile& file, const std::string& prefix) {
  return SqlFile::parse(file, SqlMarks::colon).with_prefix(prefix, sign_with_comments);
}

extern const ServerType server_postgres;
const ServerType server_postgres = postgres();

}  // namespace holdfast
