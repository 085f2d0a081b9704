// Each action at a stop, on a real MariaDB with its own client library; and real programs.
#include <gtest/gtest.h>
#include <mysql.h>
#include <sched.h>

#include <functional>
#include <future>
#include <thread>

#include "lab/process.hpp"
#include "tests/refusal.hpp"
#include "tests/relay/relay_lab.hpp"

namespace holdfast {
namespace {

const std::string kAdd = "UPDATE t.locks SET count = count + 1 WHERE name = 'orders'";

// A connection of the client library; made, and used, by threads that are in the node.
class Session {
 public:
  explicit Session(int network) : network_(network) {
    in_node([this] {
      handle_ = ::mysql_init(nullptr);
      const unsigned seconds = 20;
      ::mysql_options(handle_, MYSQL_OPT_CONNECT_TIMEOUT, &seconds);
      ::mysql_options(handle_, MYSQL_OPT_READ_TIMEOUT, &seconds);
      connected_ = ::mysql_real_connect(handle_, kLockAddress, "root", "", nullptr, kMariaDbPort, nullptr,
                                        CLIENT_MULTI_STATEMENTS) != nullptr;
    });
  }
  ~Session() { ::mysql_close(handle_); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  bool connected() const { return connected_; }
  // "error 2013", or the number of rows that it changed, or the first field of the first row of the last result.
  std::string ask(const std::string& sql) {
    std::string out;
    if (::mysql_real_query(handle_, sql.data(), sql.size()) != 0) return error();
    do {
      MYSQL_RES* result = ::mysql_store_result(handle_);
      out = std::to_string(::mysql_affected_rows(handle_));
      if (result == nullptr) continue;
      MYSQL_ROW row = ::mysql_fetch_row(result);
      out = row == nullptr || row[0] == nullptr ? "nothing" : row[0];
      ::mysql_free_result(result);
    } while (::mysql_next_result(handle_) == 0);
    return ::mysql_errno(handle_) != 0 ? error() : out;
  }
  // Prepares, and executes twice.
  bool prepared_twice(const std::string& sql) {
    MYSQL_STMT* statement = ::mysql_stmt_init(handle_);
    bool good = ::mysql_stmt_prepare(statement, sql.data(), sql.size()) == 0;
    for (int n = 0; n < 2; ++n) {
      good = good && ::mysql_stmt_execute(statement) == 0 && ::mysql_stmt_store_result(statement) == 0;
      ::mysql_stmt_free_result(statement);
    }
    ::mysql_stmt_close(statement);
    return good;
  }

 private:
  std::string error() { return "error " + std::to_string(::mysql_errno(handle_)); }
  void in_node(const std::function<void()>& work) {
    std::thread([&] {
      if (::setns(network_, CLONE_NEWNET) == 0) work();
    }).join();
  }
  int network_;
  MYSQL* handle_ = nullptr;
  bool connected_ = false;
};

class MySqlActions : public testing::Test {
 protected:
  MySqlActions() : lab_("mysql", {"orders"}) {
    lab_.start_mariadb();
    real_ = std::make_unique<Session>(lab_.server_node());
    EXPECT_EQ(real_->ask("CREATE DATABASE t; CREATE TABLE t.locks (name VARCHAR(40) PRIMARY KEY, count INT) "
                         "ENGINE=InnoDB; INSERT INTO t.locks VALUES ('orders', 0)"),
              "1");
    session_ = std::make_unique<Session>(lab_.node(0));
    EXPECT_TRUE(session_->connected());
    lab_.relay().operation_begins(lab_.client(0), RelayOperation::acquire);
  }
  std::string count() { return real_->ask("SELECT count FROM t.locks"); }
  std::future<std::string> begin(const std::string& sql) {
    return std::async(std::launch::async, [this, sql] { return session_->ask(sql); });
  }
  RequestPointId stop(When when) { return lab_.relay().arm({.client = lab_.client(0), .when = when}); }

  RelayLab lab_;
  std::unique_ptr<Session> real_, session_;
};

TEST_F(MySqlActions, InvisibleWithoutAPlannedStop) {
  EXPECT_EQ(session_->ask("SELECT 1"), "1");
  EXPECT_EQ(session_->ask("DO 1; SELECT REPEAT('x', 5)"), "xxxxx");
  EXPECT_EQ(session_->ask(kAdd), "1");
  EXPECT_EQ(session_->ask("SELECT nonsense 'orders'"), "error 1054");
  EXPECT_EQ(session_->ask("SELECT REPEAT('orders', 100000)").size(), 600'000U);
  EXPECT_TRUE(session_->prepared_twice("SELECT count FROM t.locks WHERE name = 'orders'"));
  EXPECT_TRUE(session_->prepared_twice("SELECT 2"));
  const auto records = lab_.records();
  ASSERT_EQ(records.size(), 5U) << "two of them executed what was prepared";
  for (const auto& record : records) EXPECT_LT(record.sent_ns, record.answered_ns);
  EXPECT_EQ(lab_.relay().seen(lab_.client(0)).opaque, 0U);
}

TEST_F(MySqlActions, StopsBeforeAndAfterARequest) {
  RequestPointId here = stop(When::before);
  auto answer = begin(kAdd);
  EXPECT_EQ(lab_.reached().stop, here);
  EXPECT_EQ(count(), "0");
  lab_.relay().go_on(here, {});
  EXPECT_EQ(answer.get(), "1");
  here = stop(When::after);
  answer = begin(kAdd);
  EXPECT_TRUE(lab_.reached().reply_whole);
  EXPECT_EQ(count(), "2");
  EXPECT_EQ(answer.wait_for(std::chrono::milliseconds(100)), std::future_status::timeout);
  lab_.relay().go_on(here, {});
  EXPECT_EQ(answer.get(), "1");
}

TEST_F(MySqlActions, LoseReply) {
  const RequestPointId here = stop(When::before);
  auto answer = begin(kAdd);
  lab_.relay().go_on(lab_.reached().stop, {.kind = PointAction::lose_reply});
  EXPECT_EQ(answer.get(), "error 2013");
  const RequestPointOutcome outcome = lab_.outcome(here);
  EXPECT_TRUE(outcome.done);
  EXPECT_GT(outcome.bytes_swallowed, 7U);
  EXPECT_EQ(count(), "1");
}

TEST_F(MySqlActions, HoldRequest) {
  const RequestPointId here = stop(When::before);
  auto answer = begin(kAdd);
  lab_.relay().go_on(lab_.reached().stop, {.kind = PointAction::hold_request, .hold_ms = 150});
  EXPECT_EQ(count(), "0");
  EXPECT_EQ(answer.get(), "1");
  EXPECT_GE(lab_.outcome(here).held_ns, 150'000'000);
}

TEST_F(MySqlActions, DuplicateWithALargeResult) {
  for (const auto& [sql, wanted] :
       {std::pair<std::string, std::string>{kAdd, "1"}, {kAdd + "; SELECT 'orders', REPEAT('x', 100000)", "orders"}}) {
    const RequestPointId here = stop(When::before);
    auto answer = begin(sql);
    lab_.relay().go_on(lab_.reached().stop, {.kind = PointAction::duplicate});
    EXPECT_EQ(answer.get(), wanted);
    EXPECT_TRUE(lab_.outcome(here).done);
    EXPECT_GT(lab_.outcome(here).bytes_swallowed, wanted == "1" ? 7U : 100'000U);
    EXPECT_EQ(session_->ask("SELECT 7"), "7") << "the next reply is the next request's";
  }
  EXPECT_EQ(count(), "4");
}

TEST_F(MySqlActions, CommitOfALockStatementCounts) {
  session_->ask("BEGIN");
  session_->ask(kAdd);
  const RequestPointId here = stop(When::before);
  auto answer = begin("COMMIT");
  EXPECT_EQ(lab_.reached().stop, here);
  EXPECT_EQ(count(), "0");
  lab_.relay().go_on(here, {});
  answer.get();
  EXPECT_EQ(count(), "1");
  session_->ask("COMMIT");
  EXPECT_EQ(lab_.relay().seen(lab_.client(0)).counted, 2U) << "nothing was named since";
}

TEST_F(MySqlActions, RealPrograms) {
  const std::string program = find_program("mariadb", {"mariadb-client-core", "mariadb"});
  EXPECT_EQ(lab_.run(0, {program, "--no-defaults", "--skip-ssl", "-h", kLockAddress, "-uroot", "-N", "-e",
                         kAdd + "; SELECT 5"}),
            "5\n");
  EXPECT_EQ(count(), "1");
  EXPECT_GT(lab_.relay().seen(lab_.client(0)).counted, 0U);
  const std::string packed = lab_.run(0, {program, "--no-defaults", "--skip-ssl", "--compress", "-h", kLockAddress,
                                          "-uroot", "-N", "-e", kAdd + "; SELECT 5"});
  EXPECT_EQ(packed, "5\n") << "passes, though it cannot be read";
  EXPECT_EQ(lab_.relay().seen(lab_.client(0)).opaque, 1U);
  EXPECT_TRUE(contains(lab_.relay().seen(lab_.client(0)).why_opaque, "10.77.0.2:3306: the connection is compressed"));
  const std::string python =
      "import pymysql\n"
      "c = pymysql.connect(host='10.77.0.2', user='root').cursor()\n"
      "c.execute(\"SELECT GET_LOCK('orders', 1)\"); print(c.fetchone()[0])\n";
  const std::string said = lab_.run(0, {"/usr/bin/python3", "-c", python});
  if (contains(said, "No module named")) GTEST_SKIP() << "python3-pymysql is not installed";
  EXPECT_EQ(said, "1\n");
}

}  // namespace
}  // namespace holdfast
