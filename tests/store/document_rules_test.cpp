// Rules of the documents' code that no statement shows: what is caught, what is ignored, what is forgotten.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "lock/lock.hpp"
#include "lock/nowait_row.hpp"
#include "servers/mysql/mysql_errors.hpp"

namespace holdfast {
namespace {

// Answers by the statement's name; keeps what was sent.
class Answering : public Session {
 public:
  Reply attempt(std::string_view statement, Params) override {
    sent.emplace_back(statement);
    const auto lost = lose.find(std::string(statement));
    if (lost != lose.end()) throw StatementFailed(lost->second, Reason::timeout, 0, "no answer");
    return answers[std::string(statement)];
  }
  std::int64_t now_ns() override { return 1'893'499'200'000'000'000; }
  std::int64_t steady_ns() override { return 0; }
  void sleep_ms(std::int64_t) override {}
  std::string address() const override { return "10.0.0.1"; }

  std::map<std::string, Reply> answers;
  std::map<std::string, bool> lose;  // true: the failure is definite
  std::vector<std::string> sent;
};

Reply error(int number) {
  return number == 0 ? Reply{} : mysql_refused(number, "");
}

std::unique_ptr<Lock> lock(const std::string& name) {
  return find_entry(locks(), name)->make();
}

Claim claim() {
  Claim out;
  out.key = "k0";
  out.owner = "me";
  out.lease_ms = 2000;
  return out;
}

using Sent = std::vector<std::string>;

// Document 000: a duplicate key is caught, so the method returns and its transaction is committed; what else the server
// says is thrown, and rolls back.
TEST(DocumentRules, AnAttemptOfInsertLeaseIsATransactionOfItsOwn) {
  Answering session;
  Claim mine = claim();
  EXPECT_EQ(lock("insert_lease")->acquire(session, mine).type, EventType::ok);
  EXPECT_EQ(session.sent, (Sent{"begin", "delete_expired", "acquire", "commit"}));
  session.sent.clear();
  session.answers["acquire"] = error(kDuplicateKey);
  EXPECT_EQ(lock("insert_lease")->acquire(session, mine).reason, Reason::busy);
  EXPECT_EQ(session.sent.back(), "commit");
  session.answers["acquire"] = error(kDeadlock);
  EXPECT_THROW(lock("insert_lease")->acquire(session, mine), StatementFailed);
  EXPECT_EQ(session.sent.back(), "rollback");
}

TEST(DocumentRules, AutocommitFormReportsConflict) {
  Answering session;
  Claim mine = claim();
  session.answers["delete_expired"] = error(kDeadlock);
  EXPECT_EQ(lock("insert_lease_autocommit")->acquire(session, mine).reason, Reason::conflict);
  EXPECT_EQ(session.sent, (Sent{"delete_expired"}));
}

// Document 004: what the insert and the update came to is not looked at.
TEST(DocumentRules, IpLeaseIsGrantedForAnyWriteResult) {
  Answering session;
  Claim mine = claim();
  for (const int number : {0, kDuplicateKey, kDeadlock, kNoSuchTable}) {
    session.answers["insert"] = error(number);
    EXPECT_EQ(lock("ip_lease")->acquire(session, mine).type, EventType::ok) << number;
  }
  session.lose["insert"] = false;
  EXPECT_EQ(lock("ip_lease")->acquire(session, mine).type, EventType::ok) << "no answer at all";
  session.answers["select"].rows = {{Field("10.0.0.9"), Field("2030-01-01 11:59:57")}};
  session.lose["update"] = true;
  EXPECT_EQ(lock("ip_lease")->acquire(session, mine).type, EventType::ok) << "it has expired";
  session.answers["select"].rows = {{Field("10.0.0.9"), Field("2030-01-01 11:59:58")}};
  EXPECT_EQ(lock("ip_lease")->acquire(session, mine).reason, Reason::busy) << "2 s old, and its lease is 2 s";
  session.lose["select"] = true;
  EXPECT_THROW(lock("ip_lease")->acquire(session, mine), StatementFailed) << "the read is looked at";
}

// Document 003: `finally ThreadLocalContext.remove()`.
TEST(DocumentRules, AThreadForgetsItsOwnerAtEachRelease) {
  Answering one;
  Answering other;
  ThreadOwner owners;
  EXPECT_EQ(owners.of(one, "u1"), "u1");
  EXPECT_EQ(owners.of(one, "u2"), "u1") << "one for all its keys";
  EXPECT_EQ(owners.of(other, "u3"), "u3");
  owners.forget(one);
  EXPECT_NE(owners.of(one, "u1"), "u1") << "no owner is ever made twice";
  EXPECT_EQ(owners.of(other, "u4"), "u3");
}

TEST(DocumentRules, NowaitLeaseForgetsItsOwnerThoughTheReleaseFailed) {
  Answering session;
  const auto row = lock("nowait_lease");
  Claim mine = claim();
  EXPECT_EQ(row->acquire(session, mine).type, EventType::ok);
  const std::vector<Field> own{Field("k0"), Field("me"), Field("2030-01-01 12:00:02"), Field("0")};
  session.answers["select"].rows = {own};
  EXPECT_EQ(row->acquire(session, mine).type, EventType::ok) << "its own row";
  session.lose["release"] = false;
  EXPECT_THROW(row->release(session, mine), StatementFailed);
  EXPECT_EQ(row->acquire(session, mine).reason, Reason::busy) << "its own row, which it no longer knows";
}

// Document 003: a client that does not find the table creates it.
TEST(DocumentRules, MissingTableIsCreated) {
  Answering session;
  Claim mine = claim();
  EXPECT_EQ(lock("nowait_lease_creating")->acquire(session, mine).type, EventType::ok);
  EXPECT_EQ(session.sent, (Sent{"find_table", "select", "insert"}));
  session.sent.clear();
  session.answers["find_table"] = error(1146);
  EXPECT_EQ(lock("nowait_lease_creating")->acquire(session, mine).type, EventType::ok);
  EXPECT_EQ(session.sent, (Sent{"find_table", "create_table", "select", "insert"}));
  session.answers["create_table"] = error(1050);
  EXPECT_THROW(lock("nowait_lease_creating")->acquire(session, mine), StatementFailed) << "not caught, as printed";
}

// Document 001: all but PROMOTED and STAY ends a leadership here.
TEST(DocumentRules, OtherRepliesEndTheLeadership) {
  Answering session;
  const auto leader = lock("leader_version_cas");
  Claim mine = claim();
  mine.lease_ms = 3000;
  const auto row = [](const char* owner, const char* age) {
    return std::vector<std::vector<Field>>{{Field(owner), Field("7"), Field(age)}};
  };
  session.answers["select"].rows = row("10.0.0.1", "3");
  EXPECT_EQ(leader->renew(session, mine).reason, Reason::not_held) << "LEAVE: no row was changed";
  session.answers["keep_alive"].affected = 1;
  EXPECT_EQ(leader->renew(session, mine).type, EventType::ok) << "STAY";
  session.answers["select"].rows = row("10.0.0.2", "3");
  EXPECT_EQ(leader->renew(session, mine).reason, Reason::not_held) << "UNKNOWN";
  session.answers["select"].rows = row("10.0.0.2", "4");
  session.answers["promote"].affected = 1;
  EXPECT_EQ(leader->renew(session, mine).type, EventType::ok) << "PROMOTED";
}

}  // namespace
}  // namespace holdfast
