// nowait_lease_reentrant on a table in memory that does what its statements say: entries are counted, the last release
// deletes, and what the document prints beside its plan goes wrong as it must.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>

#include "lock/lock.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kSecond_ns = 1'000'000'000;

struct Row {
  std::string owner;
  std::string expires;
  std::int64_t entries = 0;
};

struct Table {
  std::optional<Row> row;
  std::int64_t time_ns = 1'700'000'000 * kSecond_ns;
};

// The session of one thread.
class ThreadSession : public Session {
 public:
  explicit ThreadSession(Table& table) : table_(table) {}
  Reply attempt(std::string_view statement, Params params) override {
    std::map<std::string, Value, std::less<>> given;
    for (const auto& param : params) given[std::string(param.name)] = param.value;
    const auto text = [&](const char* name) { return std::get<std::string>(given.at(name)); };
    const auto whole_seconds = [&] { return text("expires").substr(0, 19); };
    std::optional<Row>& row = table_.row;
    Reply reply;
    if (statement == "select") {
      if (row) reply.rows = {{Field("k0"), Field(row->owner), Field(row->expires), Field("0")}};
    } else if (statement == "insert") {
      row = Row{text("owner"), whole_seconds(), 0};
      reply.affected = 1;
    } else if (statement == "take_over" && row && row->expires == text("read")) {
      row->owner = text("owner");  // and the count stays
      row->expires = whole_seconds();
      reply.affected = 1;
    } else if (row && row->owner == text("owner")) {
      reply.affected = statement == "leave_inner" && row->entries == 0 ? 0 : 1;
      if (statement == "enter_again") ++row->entries;
      if (statement == "leave_inner" && row->entries > 0) --row->entries;
      if (statement == "release") row.reset();
    }
    return reply;
  }
  std::int64_t now_ns() override { return table_.time_ns; }
  std::int64_t steady_ns() override { return table_.time_ns; }
  void sleep_ms(std::int64_t ms) override { table_.time_ns += ms * 1'000'000; }
  std::string address() const override { return "10.0.0.1"; }

 private:
  Table& table_;
};

class Reentrant : public testing::Test {
 protected:
  struct Thread {
    ThreadSession session;
    Claim claim;
  };
  Thread thread(const std::string& owner) {
    Claim claim;
    claim.key = "k0";
    claim.owner = owner;
    claim.lease_ms = 2000;
    return {ThreadSession(table_), claim};
  }
  EventType acquire(Thread& thread) { return lock_->acquire(thread.session, thread.claim).type; }
  Answer release(Thread& thread) { return lock_->release(thread.session, thread.claim); }
  std::optional<Row>& row() { return table_.row; }
  void wait_ms(std::int64_t ms) { table_.time_ns += ms * 1'000'000; }

  Table table_;
  Thread mine_ = thread("me");
  Thread other_ = thread("other");
  std::unique_ptr<Lock> lock_ = find_entry(locks(), "nowait_lease_reentrant")->make();
};

TEST_F(Reentrant, LastReleaseDeletesTheRow) {
  for (int entry = 0; entry < 3; ++entry) EXPECT_EQ(acquire(mine_), EventType::ok) << entry;
  for (int left = 0; left < 3; ++left) {
    ASSERT_TRUE(row()) << left;
    EXPECT_EQ(acquire(other_), EventType::fail) << left;
    EXPECT_EQ(release(mine_).type, EventType::ok) << left;
  }
  EXPECT_FALSE(row());
  EXPECT_EQ(release(mine_).reason, Reason::not_held);
  EXPECT_EQ(acquire(other_), EventType::ok);
}

TEST_F(Reentrant, AnotherReleasesNothing) {
  acquire(mine_);
  acquire(mine_);
  EXPECT_EQ(release(other_).reason, Reason::not_held);
  EXPECT_EQ(row()->entries, 1);
}

// The document's flaw: an inner entry is granted a lease that the row does not have.
TEST_F(Reentrant, AnInnerEntryDoesNotProlongTheRow) {
  acquire(mine_);
  const std::string expires = row()->expires;
  wait_ms(1500);
  EXPECT_EQ(acquire(mine_), EventType::ok);
  EXPECT_EQ(row()->expires, expires);
  wait_ms(600);
  EXPECT_EQ(acquire(other_), EventType::ok) << "600 ms after a grant for 2 s";
}

// The document's flaw: the update that takes over does not name the count.
TEST_F(Reentrant, ADeadOwnersEntriesPassToTheNext) {
  acquire(mine_);
  acquire(mine_);
  wait_ms(2500);
  EXPECT_EQ(acquire(other_), EventType::ok);
  EXPECT_EQ(release(other_).type, EventType::ok) << "it only counted down";
  EXPECT_TRUE(row()) << "released, and still held";
}

}  // namespace
}  // namespace holdfast
