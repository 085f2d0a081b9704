#include "servers/mysql/mysql_sandbox.hpp"

#include "servers/mysql/lab_address.hpp"
#include "servers/sql_file.hpp"
#include "servers/table_sandbox.hpp"

namespace holdfast {
namespace {

constexpr unsigned kClaimPatience_s = 2;  // of a look: several fit into kGrace
constexpr unsigned kLongPatience_s = 20;

std::string of_run(const char* function, const std::string& run) {
  return std::string(function) + "('" + run + "'";
}

// Matches more names than the server would consider equal, so that similar foreign names are seen and reported. A
// server with lower-case names may report a database in another case than the one chosen.
const TableWords kMySqlWords{
    .quote = '`',
    .like_ours =
        "SELECT table_name, table_comment, table_type FROM information_schema.tables WHERE table_schema = DATABASE() "
        "AND (@@lower_case_table_names <> 0 OR BINARY table_schema = BINARY DATABASE()) AND LEFT(table_name, 9) = "
        "'holdfast_' ORDER BY table_name LIMIT 200000",
    .probe =
        [](const std::string& quoted) {
          return "CREATE TABLE " + quoted + " (n INT PRIMARY KEY) ENGINE = InnoDB COMMENT = '" + kTableSign + "'";
        },
    .yes = "1",
    .holder = [](const std::string& run) { return "SELECT " + of_run("IS_USED_LOCK", run) + "), CONNECTION_ID()"; },
    .take = [](const std::string& run) { return "SELECT " + of_run("GET_LOCK", run) + ", 0)"; },
    .is_free = [](const std::string& run) { return "SELECT " + of_run("IS_FREE_LOCK", run) + ")"; },
    .let_go = [](const std::string& run) { return "DO " + of_run("RELEASE_LOCK", run) + ")"; },
};

class MySqlSession : public TableSession {
 public:
  explicit MySqlSession(MySqlAddress address) : db_(std::move(address)) {}
  void connect() override { db_.connect(); }
  Reply query(const std::string& sql) override { return db_.query(sql); }

 private:
  MySqlConnection db_;
};

// If its session ends during a wait, its tables would be considered abandoned, so it has a long time-out.
std::unique_ptr<TableSession> open_tables(const Target& target, bool guarding) {
  MySqlAddress out = mysql_address(target);
  out.timeout_s = guarding ? kClaimPatience_s : kLongPatience_s;
  if (!guarding) out.first_statements = {"SET SESSION lock_wait_timeout = 10, wait_timeout = 86400"};
  return std::make_unique<MySqlSession>(out);
}

}  // namespace

std::unique_ptr<Sandbox> mysql_sandbox(const Target& target, const std::string& run) {
  auto out = std::make_unique<TableSandbox>(target, run, kMySqlWords, open_tables);
  if (!run.empty()) out->begin();
  return out;
}

}  // namespace holdfast
