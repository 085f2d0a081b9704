#include "servers/mysql/mysql_waits.hpp"

#include <fmt/format.h>

#include <exception>
#include <utility>

#include "artifact/error.hpp"
#include "servers/mysql/mysql_connection.hpp"
#include "servers/mysql/mysql_errors.hpp"
#include "servers/mysql/sql_session.hpp"
#include "servers/mysql/sql_text.hpp"
#include "servers/sql_file.hpp"

namespace holdfast {
namespace {

constexpr const char* kLongWait = "SET SESSION innodb_lock_wait_timeout = 60";
constexpr int kLongWait_s = 60;
constexpr const char* kOwnDatabase = "explore_real_waits";

Reply must_succeed(MySqlConnection& db, const std::string& sql) {
  Reply reply = db.query(sql);
  if (!reply.ok()) throw HarnessError("the explorer's real waits: " + reply.message + " in: " + sql);
  return reply;
}

class MySqlWaitingSession : public WaitingSession {
 public:
  MySqlWaitingSession(MySqlAddress address, MySqlConnection& beside) : db_(std::move(address)), beside_(beside) {
    db_.connect();
  }
  Reply run(const std::string& text, std::int64_t now_us) override {
    return db_.query(time_setting(now_us) + with_wait(text, kLongWait_s));
  }
  bool waits() override { return shows_row_wait() || shows_other_wait(); }
  void interrupt() override { must_succeed(beside_, "KILL QUERY " + std::to_string(db_.thread_id())); }
  void end() override { must_succeed(db_, "ROLLBACK; SET autocommit = DEFAULT; DO RELEASE_ALL_LOCKS()"); }

 private:
  bool shows_row_wait();
  bool shows_other_wait();

  MySqlConnection db_;
  MySqlConnection& beside_;
};

bool MySqlWaitingSession::shows_row_wait() {
  return !must_succeed(beside_, fmt::format("SELECT 1 FROM information_schema.innodb_trx "
                                            "WHERE trx_state = 'LOCK WAIT' AND trx_mysql_thread_id = {}",
                                            db_.thread_id()))
              .rows.empty();
}

// A lock name of GET_LOCK, or a table that another session has locked or is changing.
bool MySqlWaitingSession::shows_other_wait() {
  constexpr std::size_t kId = 0;
  constexpr std::size_t kState = 6;
  const Reply list = must_succeed(beside_, "SHOW PROCESSLIST");
  for (std::size_t i = 0; i < list.rows.size(); ++i) {
    if (list.field(i, kId) != std::to_string(db_.thread_id())) continue;
    const std::string state = list.field(i, kState).value_or("");
    return state == "User lock" || state.rfind("Waiting for ", 0) == 0;
  }
  return false;
}

class MySqlWaits : public WaitingServer {
 public:
  MySqlWaits(StoreSpec spec, std::string host);
  ~MySqlWaits() override;
  MySqlWaits(const MySqlWaits&) = delete;
  MySqlWaits& operator=(const MySqlWaits&) = delete;
  std::unique_ptr<WaitingSession> open() override {
    return std::make_unique<MySqlWaitingSession>(
        sql_address(spec_, host_, kOwnDatabase, first_of_client(spec_, kLongWait)), beside_);
  }
  bool is_deadlock(const Reply& reply) const override { return reply.error == kDeadlock; }

 private:
  StoreSpec spec_;
  std::string host_;
  MySqlConnection beside_;
};

MySqlWaits::MySqlWaits(StoreSpec spec, std::string host)
    : spec_(std::move(spec)), host_(std::move(host)), beside_(sql_address(spec_, host_, "", kLongWait)) {
  const std::string name = kOwnDatabase;
  must_succeed(beside_, "DROP DATABASE IF EXISTS " + name + "; CREATE DATABASE " + name + "; USE " + name);
  const SqlFile statements = SqlFile::parse(spec_.file);
  if (statements.has("schema")) must_succeed(beside_, statements.bind("schema", {}, nullptr));
  must_succeed(beside_,
               "START TRANSACTION WITH CONSISTENT SNAPSHOT");  // as in the stepped store: deleted rows are kept
}

MySqlWaits::~MySqlWaits() {
  try {
    must_succeed(beside_, std::string("COMMIT; DROP DATABASE ") + kOwnDatabase);
  } catch (const std::exception&) {  // the server and its data are about to be removed
  }
}

}  // namespace

std::unique_ptr<WaitingServer> mysql_waits(const StoreSpec& spec, const std::string& host) {
  return std::make_unique<MySqlWaits>(spec, host);
}

}  // namespace holdfast
