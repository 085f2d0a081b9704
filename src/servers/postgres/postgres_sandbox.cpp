#include "servers/postgres/postgres_sandbox.hpp"

#include <utility>

#include "servers/postgres/lab_postgres.hpp"
#include "servers/sql_file.hpp"
#include "servers/table_sandbox.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kClaimPatience_ms = 2'000;  // of a look: several fit into kGrace
constexpr std::int64_t kLongPatience_ms = 20'000;

// An advisory lock with two numbers: "hold", and the run's eight hexadecimal digits. Such locks belong to a database.
constexpr const char* kOurs = "1752132708";

std::string number_of(const std::string& run) {
  return "x'" + run.substr(run.find('_') + 1) + "'";
}

std::string call(const char* function, const std::string& run) {
  return std::string(function) + "(" + kOurs + ", " + "CAST(" + number_of(run) + " AS int))";
}

std::string holder_of(const std::string& run) {
  return "(SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2 AND classid = " +
         std::string(kOurs) + " AND CAST(objid AS bigint) = CAST(" + number_of(run) +
         " AS bigint) AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) LIMIT 1)";
}

// Compares names without case, so that similar foreign names are seen and reported. Views and sequences are not tables.
const TableWords kPostgresWords{
    .quote = '"',
    .like_ours =
        "SELECT c.relname, obj_description(c.oid, 'pg_class'), CASE c.relkind WHEN 'r' THEN 'BASE TABLE' ELSE "
        "c.relkind::text END FROM pg_class c WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND c.relnamespace = "
        "(SELECT oid FROM pg_namespace WHERE nspname = current_schema()) AND lower(left(c.relname, 9)) = 'holdfast_' "
        "ORDER BY 1 LIMIT 200000",
    .probe =
        [](const std::string& quoted) {
          return "CREATE TABLE " + quoted + " (n int PRIMARY KEY); COMMENT ON TABLE " + quoted + " IS '" + kTableSign +
                 "'";
        },
    .yes = "t",
    .holder = [](const std::string& run) { return "SELECT " + holder_of(run) + ", pg_backend_pid()"; },
    .take = [](const std::string& run) { return "SELECT " + call("pg_try_advisory_lock", run); },
    .is_free = [](const std::string& run) { return "SELECT " + holder_of(run) + " IS NULL"; },
    .let_go = [](const std::string& run) { return "SELECT " + call("pg_advisory_unlock", run); },
};

class PgSession : public TableSession {
 public:
  explicit PgSession(PgAddress address) : db_(std::move(address)) {}
  void connect() override { db_.connect(); }
  Reply query(const std::string& sql) override { return db_.query(sql); }

 private:
  PgConnection db_;
};

std::unique_ptr<TableSession> open_tables(const Target& target, bool guarding) {
  PgAddress out = postgres_address(target);
  out.timeout_ms = guarding ? kClaimPatience_ms : kLongPatience_ms;
  if (!guarding) out.first_statements = {"SET lock_timeout = 10000"};
  return std::make_unique<PgSession>(out);
}

}  // namespace

std::unique_ptr<Sandbox> postgres_sandbox(const Target& target, const std::string& run) {
  auto out = std::make_unique<TableSandbox>(target, run, kPostgresWords, open_tables);
  if (!run.empty()) out->begin();
  return out;
}

}  // namespace holdfast
