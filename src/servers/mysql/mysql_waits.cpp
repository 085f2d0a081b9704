#include "servers/mysql/mysql_waits.hpp"

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

void must_succeed(MySqlConnection& db, const std::string& sql) {
  const Reply reply = db.query(sql);
  if (!reply.ok()) throw HarnessError("the explorer's real waits: " + reply.message + " in: " + sql);
}

class MySqlWaitingSession : public WaitingSession {
 public:
  MySqlWaitingSession(MySqlAddress address, MySqlConnection& beside) : db_(std::move(address)), beside_(beside) {
    db_.connect();
  }
  Reply run(const std::string& text, std::int64_t now_us) override {
    return db_.query(time_setting(now_us) + with_wait(text, kLongWait_s));
  }
  void interrupt() override { must_succeed(beside_, "KILL QUERY " + std::to_string(db_.thread_id())); }
  void end() override { must_succeed(db_, "ROLLBACK; SET autocommit = DEFAULT; DO RELEASE_ALL_LOCKS()"); }

 private:
  MySqlConnection db_;
  MySqlConnection& beside_;
};

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
               "START TRANSACTION WITH CONSISTENT SNAPSHOT");  // as the stepped store does: what is deleted is kept
}

MySqlWaits::~MySqlWaits() {
  try {
    must_succeed(beside_, std::string("COMMIT; DROP DATABASE ") + kOwnDatabase);
  } catch (const std::exception&) {  // the server is about to end, and its data with it
  }
}

}  // namespace

std::unique_ptr<WaitingServer> mysql_waits(const StoreSpec& spec, const std::string& host) {
  return std::make_unique<MySqlWaits>(spec, host);
}

}  // namespace holdfast
