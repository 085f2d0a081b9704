// The content of a stepped MariaDB, which includes all relevant state.
#include <gtest/gtest.h>

#include "tests/stepped/stepped.hpp"

namespace holdfast {
namespace {

std::unique_ptr<SteppedStore> store_of(const std::string& lock) {
  auto store = make_sql_store(spec_of(lock, 2), test_socket());
  store->begin(kNoon_us, Beginning::new_tables);
  return store;
}

void run(SteppedStore& store, std::size_t session, std::string_view statement, Params params) {
  ASSERT_TRUE(store.run(session, store.bind(session, statement, params), kNoon_us).reply.ok()) << statement;
}

void acquire(SteppedStore& store, const std::string& owner) {
  run(store, 0, "acquire", {{"key", "orders"}, {"owner", owner}, {"ttl_us", std::int64_t{2'000'000}}});
}

TEST(SqlStore, ContentRoundTrips) {
  const auto store = store_of("fenced_lease");
  acquire(*store, "A1");
  const auto rows = store->content("orders");
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), 1U);
  store->begin(kNoon_us, Beginning::emptied);
  EXPECT_TRUE(store->content("orders")->empty());
  ASSERT_TRUE(store->put(*rows));
  EXPECT_EQ(store->content("orders")->front().fields, rows->front().fields);
}

TEST(SqlStore, CountersAreLeftOutOfContent) {
  const auto store = store_of("fenced_lease");
  acquire(*store, "A1");
  const auto rows = store->content("orders").value();
  for (const auto& field : rows.front().fields) {
    EXPECT_EQ(field.find("writes"), std::string::npos) << field;
  }
}

TEST(SqlStore, OpenTransactionHasNoContent) {
  const auto store = store_of("unique_row_in_transaction");
  run(*store, 0, "begin", {});
  EXPECT_FALSE(store->content("orders"));
  store->end_session(0);
  EXPECT_TRUE(store->content("orders"));
}

// A row that was inserted and deleted is there for the locks of others, one whose insertion was undone is not.
TEST(SqlStore, ContentSeparatesRollbackFromDelete) {
  const auto content_after = [](bool commits) {
    const auto store = store_of("unique_row_in_transaction");
    run(*store, 0, "begin", {});
    run(*store, 0, "insert", {{"key", "orders"}, {"id", std::int64_t{1}}});
    run(*store, 0, "release", {{"id", std::int64_t{1}}});
    run(*store, 0, commits ? "commit" : "rollback", {});
    std::vector<std::vector<std::string>> out;
    const auto rows = store->content("orders").value();
    for (const auto& row : rows) out.push_back(row.fields);
    return out;
  };
  EXPECT_NE(content_after(true), content_after(false));
  EXPECT_EQ(content_after(true), content_after(true));
}

TEST(SqlStore, TimelessStatementIsMarked) {
  const auto store = store_of("fenced_lease");
  EXPECT_TRUE(store->bind(0, "token", {{"key", "orders"}, {"owner", "A1"}}).at_any_time);
  EXPECT_FALSE(
      store->bind(0, "acquire", {{"key", "orders"}, {"owner", "A1"}, {"ttl_us", std::int64_t{1}}}).at_any_time);
}

}  // namespace
}  // namespace holdfast
