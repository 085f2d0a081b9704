// MariaDB and MySQL: one protocol, one kind of server. The lab starts the installed MariaDB, or the server named by
// --server mysqld=PATH.
#include "artifact/shell_command.hpp"
#include "servers/mysql/explore_mysql.hpp"
#include "servers/mysql/galera_server.hpp"
#include "servers/mysql/lab_address.hpp"
#include "servers/mysql/mysql_client.hpp"
#include "servers/mysql/mysql_lock_server.hpp"
#include "servers/mysql/mysql_resource.hpp"
#include "servers/mysql/mysql_sandbox.hpp"
#include "servers/mysql/start_mariadb.hpp"
#include "servers/server_type.hpp"
#include "servers/sql_file.hpp"

namespace holdfast {

std::string_view embedded_sql(std::string_view name);
std::string_view embedded_mysql_schedule(std::string_view name);
std::string_view embedded_sessions(std::string_view name);

namespace {

std::string script_functions() {
  return std::string(embedded_mysql_schedule("schedule.bash")) + std::string(embedded_sessions("sessions.bash"));
}

std::vector<std::string> names(const StatementFile& file) {
  return SqlFile::parse(file).names();
}

std::vector<std::string> parameters(const StatementFile& file, std::string_view statement) {
  return SqlFile::parse(file).parameters(statement);
}

std::string wrong_with(const Target& target) {
  if (target.user.empty()) return "no user";
  if (target.database.empty()) return "no database in which holdfast may create its tables";
  return target.database.find_first_of("`/\\") == std::string::npos ? "" : "the database's name is not plain";
}

std::unique_ptr<LockServer> start_lock_server(const ServerConfig& config) {
  if (config.settings.topology == "replica") return std::make_unique<MySqlReplicaServer>(config);
  if (config.settings.topology == "galera") return std::make_unique<GaleraServer>(config);
  return std::make_unique<MySqlLockServer>(config);
}

std::unique_ptr<LockServer> on_target(const Target& target) {
  return std::make_unique<MySqlTargetServer>(target);
}

std::string client_command(const Target& target) {
  const Security& security = target.security;
  ShellCommand out("mariadb");
  out.flag("-h", target.host).literal("-P").word(std::to_string(target.port));
  if (!target.user.empty()) out.literal("-u").word(target.user);
  if (security.tls) out.literal("--ssl-verify-server-cert");
  if (!security.tls) out.literal("--skip-ssl");  // from 11.4 on this client requires TLS by default
  if (security.tls && !security.ca.empty()) out.word("--ssl-ca=" + security.ca);
  return out.literal("-p").flag("-e", "SELECT 1").word(target.database).text();
}

}  // namespace

extern const ServerType server_mysql;
const ServerType server_mysql{
    .title = "MariaDB",
    .about = "MariaDB or MySQL: statements of SQL",
    .form = {.folder = "sql",
             .comment = "--",
             .fence = "sql",
             .text = embedded_sql,
             .lease_line = "expires_at = UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND",
             .names = names,
             .parameters = parameters},
    .variants = {{kFoundRows, "the driver counts matched rows as affected ones, as some drivers do by default"}},
    .topologies =
        {{.name = "single", .about = "one server"},
         {.name = "replica", .about = "MariaDB with an asynchronous replica", .replica = true, .reads_split = true},
         {.name = "galera",
          .about = "a cluster of three MariaDB servers that all accept writes",
          .servers = 3,
          .strikeable = false}},
    .programs = {{.name = "mysqld", .alias = "mariadbd"}},
    .settings = kMySqlSettings,
    .check = [](const ServerSettings& settings) { mysql_settings(settings); },
    .url = {.scheme = "mysql", .port = kServerPort, .form = "mysql://user@host:port/database", .wrong = wrong_with},
    .login = {.port = kServerPort, .user = "root", .database = kDatabase},
    .suite = "scenarios/server",
    .protocol = "mysql",
    .readiness = kMySqlProbe,
    .has_sessions = true,
    .has_null = true,
    .drops_entries = true,
    .delays_commits = true,
    .isolation = "repeatable_read",
    .plain_lock = "insert_lease",
    .connect = connect_mysql_client,
    .start = start_lock_server,
    .on_target = on_target,
    .sandbox = mysql_sandbox,
    .client_command = client_command,
    .explore = explore_mysql,
    .resource = {.start = start_mysql_resource,
                 .socket = mysql_resource_socket,
                 .open = open_mysql_resource,
                 .connect = connect_mysql_resource},
    .script = {.shell = "bash",
               .options = "the options of mysql, and an empty database: -u root test",
               .functions = script_functions,
               .schema = [](const StatementFile& file) { return schema_of(SqlFile::parse(file)); }},
};

}  // namespace holdfast
