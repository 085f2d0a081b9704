#include "lock/statement_lock.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <map>

#include "artifact/error.hpp"
#include "tests/refusal.hpp"

namespace holdfast {
namespace {

// A session with given answers that records its calls.
class ToldSession : public Session {
 public:
  Reply attempt(std::string_view statement, Params params) override {
    asked.emplace_back(statement);
    for (const auto& param : params) {
      if (!param.name.empty()) given[std::string(param.name)] = param.value;
    }
    if (replies.empty()) return {};
    Reply out = replies.front();
    replies.pop_front();
    return out;
  }
  std::int64_t now_ns() override {
    ++clock_reads;
    return 1'893'499'200'250'000'000;
  }
  std::int64_t steady_ns() override { return steady; }
  void sleep_ms(std::int64_t) override {}
  std::string address() const override { return "10.0.0.7"; }

  std::deque<Reply> replies;
  std::vector<std::string> asked;
  std::map<std::string, Value> given;
  int clock_reads = 0;
  std::int64_t steady = 1'000'000'000;
};

Reply changed(std::int64_t rows) {
  Reply out;
  out.affected = rows;
  return out;
}

Reply row(std::vector<Field> fields) {
  Reply out;
  out.only_read = true;
  out.rows.push_back(std::move(fields));
  return out;
}

Reply no_rows() {
  Reply out;
  out.only_read = true;
  return out;
}

// As Redis answers ':7', '+OK' and '$-1'.
Reply number(std::int64_t value) {
  Reply out = changed(value);
  out.form = ReplyForm::number;
  return out;
}

Reply status_ok() {
  Reply out = changed(1);
  out.form = ReplyForm::ok;
  return out;
}

Reply nil() {
  Reply out;
  out.form = ReplyForm::nil;
  return out;
}

const std::string kRelease =
    "-- name: release\n-- done when: affected > 0\nDELETE FROM t WHERE k = @key AND o = @owner;\n";

LockFile read(const std::string& text, const std::string& path = "my_lock.sql") {
  return read_lock_file(text, path);
}

void expect_refused(const std::string& text, const std::string& words, const std::string& path = "my_lock.sql") {
  const std::string said = refusal([&] { read(text, path); });
  EXPECT_TRUE(contains(said, words)) << said;
}

struct Held {
  std::shared_ptr<const LockFile> file;
  std::unique_ptr<Lock> lock;
  ToldSession session;
  Claim claim;

  explicit Held(const std::string& text, const std::string& path = "my_lock.sql")
      : file(std::make_shared<const LockFile>(read(text, path))), lock(make_statement_lock(file)) {
    claim.key = "orders";
    claim.owner = "me";
    claim.lease_ms = 1500;
  }
  Answer acquire(std::deque<Reply> replies) {
    session.replies = std::move(replies);
    return lock->acquire(session, claim);
  }
};

std::string sql(const std::string& notes, const std::string& head = "-- lease: server\n") {
  return head + "-- name: acquire\n" + notes + "INSERT INTO t VALUES (@key, @owner, @ttl_us);\n" + kRelease;
}

TEST(StatementLock, FirstMatchingRuleDecides) {
  Held lock(sql("-- granted when: affected = 1\n-- busy when: duplicate key\n"));
  EXPECT_EQ(lock.acquire({changed(1)}).type, EventType::ok);
  EXPECT_EQ(std::get<std::int64_t>(lock.session.given["ttl_us"]), 1'500'000);
  EXPECT_EQ(lock.acquire({Reply::refused(ErrorKind::duplicate, 1062, "duplicate")}).reason, Reason::busy);
  EXPECT_EQ(lock.acquire({changed(0)}).reason, Reason::busy);  // it came to its end
  EXPECT_EQ(lock.acquire({Reply::refused(ErrorKind::conflict, 1213, "deadlock")}).reason, Reason::conflict);
  EXPECT_THROW(lock.acquire({Reply::refused(ErrorKind::unknown, 1064, "syntax")}), StatementFailed);
}

TEST(StatementLock, ReleaseAnswersByItsChange) {
  Held lock(sql("-- granted when: affected = 1\n"));
  lock.session.replies = {changed(1), changed(0)};
  EXPECT_EQ(lock.lock->release(lock.session, lock.claim).type, EventType::ok);
  EXPECT_EQ(lock.lock->release(lock.session, lock.claim).reason, Reason::not_held);
  EXPECT_TRUE(lock.file->type.releases);
  EXPECT_FALSE(lock.file->type.renews);
  EXPECT_FALSE(lock.file->type.fenced);
}

TEST(StatementLock, StatementsKeepReadValues) {
  Held lock(
      "-- lease: none\n-- name: look\n-- of: acquire\n-- keep: version = value 2\n-- busy when: value != NULL\n"
      "SELECT owner, version FROM t WHERE k = @key;\n"
      "-- name: take\n-- of: acquire\n-- granted when: affected = 1\nUPDATE t SET o = @owner WHERE v = @version;\n" +
      kRelease);
  EXPECT_EQ(lock.acquire({row({std::nullopt, "7"}), changed(1)}).type, EventType::ok);
  EXPECT_EQ(lock.session.asked, (std::vector<std::string>{"look", "take"}));
  EXPECT_EQ(std::get<std::string>(lock.session.given["version"]), "7");
  EXPECT_EQ(lock.acquire({row({"other", "7"})}).reason, Reason::busy);
  EXPECT_EQ(lock.acquire({row({std::nullopt, "7"}), changed(0)}).reason, Reason::busy);
}

TEST(StatementLock, ATokenIsRead) {
  Held lock(
      "-- lease: none\n-- name: acquire\n-- next when: affected > 0\n-- busy when: always\nINSERT INTO t VALUES "
      "(@key);\n"
      "-- name: mine\n-- of: acquire\n-- granted when: rows = 1\n-- token: value\nSELECT token FROM t WHERE o = "
      "@owner;\n" +
      kRelease);
  EXPECT_TRUE(lock.file->type.fenced);
  const Answer granted = lock.acquire({changed(1), row({"41"})});
  EXPECT_EQ(granted.token, 41U);
  EXPECT_EQ(lock.claim.token, 41U);
  EXPECT_EQ(lock.acquire({changed(1), no_rows()}).reason, Reason::busy);
  EXPECT_EQ(lock.acquire({changed(0)}).reason, Reason::busy);
}

TEST(StatementLock, ValuesAreComparedWithParameters) {
  Held lock(
      "-- lease: none\n-- name: acquire\n-- granted when: value = @owner\n-- busy when: value = NULL\nSELECT o FROM t "
      "WHERE k = @key;\n");
  EXPECT_EQ(lock.acquire({row({"me"})}).type, EventType::ok);
  EXPECT_EQ(lock.acquire({row({"other"})}).reason, Reason::busy);
  EXPECT_FALSE(lock.file->type.lease);
  EXPECT_FALSE(lock.file->type.releases);
}

TEST(StatementLock, OnRedisAReplyIsANumberOrAStatus) {
  Held lock(
      "# lease: server\n# name: acquire\n# granted when: reply = OK\nredis-cli SET \"$key\" \"$owner\" NX PX "
      "\"$ttl_ms\"\n"
      "# name: release\n# done when: value = 1\nredis-cli DEL \"$key\"\n",
      "my_lock.redis");
  EXPECT_EQ(lock.file->type.server, "redis");
  EXPECT_EQ(lock.acquire({status_ok()}).type, EventType::ok);
  EXPECT_EQ(lock.acquire({nil()}).reason, Reason::busy);
  EXPECT_EQ(lock.acquire({number(1)}).reason, Reason::busy);  // not the status OK
  lock.session.replies = {number(1), number(0), status_ok()};
  EXPECT_EQ(lock.lock->release(lock.session, lock.claim).type, EventType::ok);
  EXPECT_EQ(lock.lock->release(lock.session, lock.claim).reason, Reason::not_held);
  EXPECT_EQ(lock.lock->release(lock.session, lock.claim).reason, Reason::not_held);  // nor is OK the number 1
}

// The replies that meet the test, by their names.
std::string met_by(const std::string& test) {
  const std::vector<std::pair<std::string, Reply>> replies{
      {"no_change", changed(0)},     {"one_change", changed(1)}, {"no_row", no_rows()},
      {"null", row({std::nullopt})}, {"row_0", row({"0"})},      {"row_1", row({"1"})},
      {"number_0", number(0)},       {"number_1", number(1)},    {"nil", nil()},
      {"ok", status_ok()},           {"select", Reply{}}};
  std::string out;
  for (const auto& [name, reply] : replies) {
    Held lock("# lease: none\n# name: acquire\n# granted when: " + test + "\nredis-cli GET \"$key\"\n",
              "my_lock.redis");
    if (lock.acquire({reply}).type == EventType::ok) out += (out.empty() ? "" : " ") + name;
  }
  return out;
}

// An SQL server answers a query that finds no row as `no_row` or `select`: it counts as no change either.
TEST(StatementLock, AnswerWithoutValueMatchesOnlyNull) {
  EXPECT_EQ(met_by("value = 0"), "row_0 number_0");
  EXPECT_EQ(met_by("value = 1"), "row_1 number_1");
  EXPECT_EQ(met_by("value < 1"), "row_0 number_0");
  EXPECT_EQ(met_by("value != 0"), "null row_1 number_1 nil");
  EXPECT_EQ(met_by("value = NULL"), "null nil");
  EXPECT_EQ(met_by("value 2 = 0"), "");
  EXPECT_EQ(met_by("reply = OK"), "ok");
  EXPECT_EQ(met_by("reply = nil"), "nil");
  EXPECT_EQ(met_by("reply != nil"), "no_change one_change no_row null row_0 row_1 number_0 number_1 ok select");
}

TEST(StatementLock, ATokenMayBeANumber) {
  Held lock(
      "# lease: server\n# name: acquire\n# granted when: value > 0\n# busy when: value = -1\n# token: value\n"
      "redis-cli EVAL 'return 1' 1 \"$key\" \"$ttl_ms\"\n",
      "my_lock.redis");
  EXPECT_EQ(lock.acquire({number(41)}).token, 41U);
  EXPECT_EQ(lock.acquire({number(-1)}).reason, Reason::busy);
  EXPECT_EQ(lock.claim.token, 41U);
  EXPECT_EQ(lock.acquire({nil()}).reason, Reason::busy);
  EXPECT_EQ(lock.acquire({row({"42"})}).token, 42U);
}

TEST(StatementLock, NumbersAreKeptAsNumbers) {
  Held lock(
      "# lease: none\n# name: look\n# of: acquire\n# keep: seen = value\nredis-cli EXISTS \"$key\"\n"
      "# name: acquire\n# granted when: reply = OK\nredis-cli SET \"$key\" \"$seen\"\n",
      "my_lock.redis");
  EXPECT_EQ(lock.acquire({number(0), status_ok()}).type, EventType::ok);
  EXPECT_EQ(std::get<std::string>(lock.session.given["seen"]), "0");
  lock.acquire({nil(), status_ok()});
  EXPECT_TRUE(std::holds_alternative<std::nullptr_t>(lock.session.given["seen"]));
}

TEST(StatementLock, ClocksAreAskedOnlyWhereTheyAreUsed) {
  Held server(sql("-- granted when: affected = 1\n"));
  server.acquire({changed(1)});
  EXPECT_EQ(server.session.clock_reads, 0);
  Held client(
      "-- lease: client\n-- name: acquire\n-- granted when: affected = 1\nINSERT INTO t VALUES (@key, @now, "
      "@expires_ms);\n");
  client.acquire({changed(1)});
  EXPECT_EQ(client.session.clock_reads, 1);
  EXPECT_EQ(std::get<std::string>(client.session.given["now"]), "2030-01-01 12:00:00.250000");
  EXPECT_EQ(std::get<std::int64_t>(client.session.given["expires_ms"]), 1'893'499'201'750);
}

TEST(StatementLock, ADeadlineIsLookedAtOnItsClock) {
  Held lock(sql("-- granted when: affected = 1\n", "-- lease: server\n-- deadline: steady\n"));
  EXPECT_EQ(lock.acquire({changed(1)}).type, EventType::ok);
  EXPECT_TRUE(lock.lock->still_held(lock.session, lock.claim));
  lock.session.steady += 1'500'000'000;
  EXPECT_FALSE(lock.lock->still_held(lock.session, lock.claim));
  Held careless(sql("-- granted when: affected = 1\n"));
  careless.acquire({changed(1)});
  careless.session.steady += 9'000'000'000;
  EXPECT_TRUE(careless.lock->still_held(careless.session, careless.claim));
}

TEST(StatementLock, ATransactionIsBegunAndCommitted) {
  const std::string ends = "-- name: commit\nCOMMIT;\n-- name: rollback\nROLLBACK;\n";
  Held lock(
      "-- lease: none\n-- name: begin\n-- of: acquire\nSTART TRANSACTION;\n-- name: acquire\n-- granted when: "
      "affected = 1\n"
      "INSERT INTO t VALUES (@key);\n" +
      ends);
  lock.acquire({changed(0), changed(1), changed(0)});
  EXPECT_EQ(lock.session.asked, (std::vector<std::string>{"begin", "acquire", "commit"}));
  expect_refused(
      "-- lease: none\n-- name: begin\n-- of: acquire\nSTART TRANSACTION;\n-- name: acquire\n"
      "-- granted when: affected = 1\nINSERT INTO t VALUES (@key);\n",
      "'begin' without 'commit'");
}

TEST(LockFile, MistakesNameFileLineAndRemedy) {
  expect_refused(sql("-- grantd when: affected = 1\n"),
                 "my_lock.sql:3: unknown word 'grantd when' (did you mean 'granted when'?)");
  expect_refused(sql("-- granted when: afected = 1\n"),
                 "my_lock.sql:3: 'afected = 1' is not a test for 'granted when'");
  expect_refused(sql("-- granted when: affected = one\n"), "remedy: affected and a number");
  expect_refused(sql("-- granted when: affected\n"), "remedy: ");
  expect_refused(sql(""), "no rule says when the lock is granted");
  expect_refused(sql("-- done when: affected = 1\n"),
                 "my_lock.sql:2: 'acquire' has a result that its operation does not have");
  expect_refused(sql("-- granted when: affected = 1\n", ""), "does not say what ends a grant");
  expect_refused(sql("-- granted when: affected = 1\n", "-- lease: for ever\n"), "remedy: one of server, client, none");
  expect_refused(sql("-- granted when: affected = 1\n", "-- lease: none\n-- lease: none\n"),
                 "my_lock.sql:2: a second 'lease'");
  expect_refused("-- lease: server\n", "names no statement");
  expect_refused("-- lease: none\n-- name: acquire\n-- granted when: always\nSELECT @kee;\n", "did you mean 'key'?");
  expect_refused("-- lease: none\n-- name: acquire\n-- granted when: always\nSELECT @token;\n",
                 "unknown parameter 'token'");
  expect_refused("-- lease: server\n-- name: acquire\n-- granted when: always\nSELECT @now;\n",
                 "is the client's clock");
  expect_refused("-- lease: none\n-- name: acquire\n-- granted when: always\nSELECT 'open;\n", "my_lock.sql:2:");
  expect_refused("-- lease: none\n-- name: take\n-- granted when: always\nSELECT 1;\n",
                 "is not an operation of a lock");
  expect_refused("-- lease: none\n-- name: acquire\n-- lease: none\nSELECT 1;\n", "put it before the first statement");
  expect_refused("-- granted when: always\n-- name: acquire\nSELECT 1;\n", "below the name of its statement");
  // With a blank too many the server's reader passes over it.
  expect_refused("-- lease: none\n-- name :acquire\n-- granted when: always\nSELECT 1;\n",
                 "my_lock.sql:2: this line does not name a statement; remedy: write it as '-- name: acquire'");
  expect_refused("# lease: none\n# name : acquire\n# granted when: always\nGET \"$key\"\n",
                 "write it as '# name: acquire'", "my_lock.redis");
  expect_refused("\x01", "control character");
  expect_refused(std::string(kLargestLockFile + 1, ' '), "larger than 64 KiB");
}

TEST(LockFile, ALeaseIsTakenByAcquire) {
  const std::string rules = "-- name: acquire\n-- granted when: affected = 1\n";
  const std::string fixed = rules + "INSERT INTO t VALUES (@key, NOW(6) + INTERVAL 30 SECOND);\n";
  expect_refused(
      "-- about: x\n-- lease: server\n" + fixed,
      "my_lock.sql:2: the file says that a grant ends by itself, but no statement of acquire uses the lease's "
      "length; remedy: the line 'expires_at = UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND': @ttl_ms, @ttl_us");
  expect_refused("-- lease: client\n" + fixed, "@ttl_s, or its end, @expires, instead of");
  expect_refused("-- lease: server\n" + fixed, ":'ttl_ms', :'ttl_us' or :'ttl_s' instead of", "my_lock.postgres");
  expect_refused("# lease: server\n# name: acquire\n# granted when: reply = OK\nredis-cli SET \"$key\" x NX EX 30\n",
                 "\"$ttl_ms\"", "my_lock.redis");
  // A renewal alone does not begin a lease.
  expect_refused(
      "-- lease: server\n" + fixed + "-- name: renew\n-- done when: always\nUPDATE t SET e = @ttl_us MICROSECOND;\n",
      "my_lock.sql:1:");
  read("-- lease: none\n" + fixed);
  for (const char* name : {"@ttl_s", "@ttl_ms", "@ttl_us", "@expires", "@expires_s", "@expires_ms"}) {
    read("-- lease: client\n" + rules + "INSERT INTO t VALUES (@key, " + name + ");\n");
  }
  read("-- lease: server\n-- name: look\n-- of: acquire\n-- busy when: value < @ttl_s\nSELECT age FROM t;\n" + fixed);
}

std::string pasted(const std::string& statement) {
  return "-- lease: none\n-- name: acquire\n-- granted when: affected = 1\n" + statement;
}

TEST(LockFile, AProgramsPlaceholdersAreRefused) {
  expect_refused(pasted("INSERT INTO t\nVALUES (?, ?);\n"),
                 "my_lock.sql:5: in 'acquire': '?' is a driver's placeholder");
  for (const char* value : {"?", "%s", "%d", "%(key)s", "$1", ":key"}) {
    const std::string said = std::string("4: in 'acquire': '") + value + "' is a driver's placeholder";
    expect_refused(pasted(std::string("INSERT INTO t VALUES (@owner, ") + value + ");\n"), said);
    expect_refused(pasted(std::string("UPDATE t SET o = @owner WHERE k = ") + value + ";\n"), said);
  }
  expect_refused(pasted("UPDATE t SET x = NOW() + INTERVAL ? SECOND;\n"), "'?' is a driver's placeholder");
  expect_refused(pasted("SELECT 1 FROM t WHERE k = ? AND o = 'x';\n"), "'?' is a driver's placeholder",
                 "my_lock.postgres");
  expect_refused(pasted("SELECT 1 FROM t WHERE k = $1;\n"), "use a named parameter: :'key', :'owner'",
                 "my_lock.postgres");
  const std::string redis = "# lease: none\n# name: acquire\n# granted when: reply = OK\nredis-cli SET ";
  for (const char* value : {"?", "%s", "$key", "${key}"}) {
    expect_refused(redis + value + " \"$owner\" NX\n", "remedy: use a named parameter: \"$key\", \"$owner\"",
                   "my_lock.redis");
  }
}

TEST(LockFile, LookalikePlaceholdersAreAccepted) {
  for (const char* statement :
       {"INSERT INTO t VALUES (@key, 'why? %s :key $1', \"?\", `?`);\n", "UPDATE t SET a = b % s, c = d %size;\n",
        "UPDATE t SET a = 1 -- really? %s\n WHERE k = @key;\n", "UPDATE t SET a = 1 /* ? \n :key */ WHERE k = @key;\n",
        "UPDATE t SET a = 1 # is it?\n WHERE k = @key;\n", "-- is it ?\nUPDATE t SET a = 10 % 3;\n"}) {
    EXPECT_NO_THROW(read(pasted(statement))) << statement;
  }
  for (const char* statement :
       {"UPDATE t SET a = b WHERE data ? 'k' AND data ?| array['a'] AND data ?& (:'key') AND d @? '$.a';\n",
        "UPDATE t SET a = :'key'::text WHERE b = :key AND c = $$ ? $1 $$ AND d = $x$ ? $x$;\n"}) {
    EXPECT_NO_THROW(read(pasted(statement), "my_lock.postgres")) << statement;
  }
  EXPECT_NO_THROW(
      read("# lease: none\n# name: acquire\n# granted when: reply = OK\n"
           "redis-cli EVAL 'return redis.call(\"set\", KEYS[1], \"? %s\")' 1 \"$key\"\n",
           "my_lock.redis"));
}

// The note `answers` is of etcd's files alone.
TEST(LockFile, ServersReaderParsesItsOwnNotes) {
  const std::string rest = "\n# granted when: rows = 1\netcdctl get \"$key\"\n";
  const LockFile file = read_lock_file("# lease: none\n# name: acquire\n# answers: value" + rest, "my_lock.etcd");
  EXPECT_EQ(file.type.server, "etcd");
  ASSERT_EQ(file.acquire.steps.size(), 1u);
  EXPECT_EQ(file.acquire.steps[0].rules.size(), 1u);
  expect_refused("# lease: none\n# name: acquire\n# answers: valeu" + rest, "valeu", "my_lock.etcd");
  expect_refused("-- lease: none\n-- name: acquire\n-- answers: value\n-- granted when: always\nSELECT 1;\n",
                 "applies to the whole file");
}

TEST(LockFile, FileNameGivesLockAndLanguage) {
  EXPECT_EQ(read(sql("-- granted when: always\n"), "/a/b/good_one.sql").name, "good_one");
  expect_refused("", "a name that ends with", "my_lock.txt");
  expect_refused("", "is not a valid lock name", "My-Lock.sql");
  expect_refused("-- lease: none\n-- server: mysqll\n-- name: acquire\n-- granted when: always\nSELECT 1;\n",
                 "did you mean 'mysql'?");
}

}  // namespace
}  // namespace holdfast
