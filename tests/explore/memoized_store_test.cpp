// Memoized answers must match the real store: tried on a small store in memory.
#include "explore/memoized_store.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "explore/hidden_state.hpp"
#include "explore/names.hpp"
#include "tests/explore/shelf_store.hpp"

namespace holdfast {
namespace {

const std::string kKey = "orders" + kNumberOfNames;

struct Remembered {
  Remembered() : store(std::unique_ptr<SteppedStore>(real), std::make_shared<StoreMemory>(), 0) {
    store.trust_content(true);
  }
  std::string run(const std::string& text, std::int64_t now_us = 0, std::size_t session = 0) {
    const Executed out = store.run(session, store.bind(session, text, {}), now_us);
    return out.reply.rows.at(0).at(0).value();
  }
  ShelfStore* real = new ShelfStore;
  MemoizedStore store;
};

TEST(MemoizedStore, AsksTheRealStoreOnce) {
  Remembered it;
  for (int schedule = 0; schedule < 3; ++schedule) {
    it.store.begin(0, Beginning::new_names);
    EXPECT_EQ(it.run("set " + kKey + " A"), "");
    EXPECT_EQ(it.run("get " + kKey), "A");
  }
  EXPECT_EQ(it.real->asked, 2);
}

TEST(MemoizedStore, ReplaysToBringTheRealStoreUpToDate) {
  Remembered it;
  it.store.begin(0, Beginning::new_names);
  it.run("set " + kKey + " A");
  it.store.begin(0, Beginning::new_names);
  it.run("set " + kKey + " A");
  EXPECT_EQ(it.run("set " + kKey + " B"), "A");
  EXPECT_EQ(it.real->asked, 3);
}

TEST(MemoizedStore, AnyPathToAStateGivesItsAnswers) {
  Remembered it;
  it.store.begin(0, Beginning::new_names);
  it.run("set " + kKey + " A");
  it.run("get " + kKey);
  it.store.begin(0, Beginning::new_names);
  it.run("set " + kKey + " B");
  it.run("set " + kKey + " A");
  const int before = it.real->asked;
  EXPECT_EQ(it.run("get " + kKey), "A");
  EXPECT_EQ(it.real->asked, before);
}

TEST(MemoizedStore, SessionStateKeepsPathsApart) {
  Remembered it;
  std::vector<std::uint64_t> held, free;
  for (const char* value : {"A", "B"}) {
    it.store.begin(0, Beginning::new_names);
    it.run("hold");
    it.run("set " + kKey + " " + value);
    it.run("drop " + kKey);
    held.push_back(it.store.state(0));
    EXPECT_TRUE(it.store.holds_session(0));
    it.store.end_session(0);
    free.push_back(it.store.state(0));
  }
  EXPECT_NE(held[0], held[1]);
  EXPECT_EQ(free[0], free[1]);
}

TEST(MemoizedStore, ExpiredRowDoesNotChangeTheState) {
  Remembered it;
  it.store.begin(0, Beginning::new_names);
  const auto empty = it.store.state(0);
  it.run("set " + kKey + " A");
  EXPECT_NE(it.store.state(10), empty);
  EXPECT_EQ(it.store.state(11), empty);
}

TEST(MemoizedStore, ComesBackToAPointWithoutAsking) {
  Remembered it;
  it.store.begin(0, Beginning::new_names);
  it.run("set " + kKey + " A");
  const StorePoint here = it.store.point();
  it.run("set " + kKey + " B");
  it.store.go_to(here);
  const int before = it.real->asked;
  EXPECT_EQ(it.run("set " + kKey + " B"), "A");
  EXPECT_EQ(it.real->asked, before);
  EXPECT_EQ(it.run("get " + kKey), "B");
  it.store.go_to(here);
  EXPECT_EQ(it.run("get " + kKey), "A");  // for which the real store begins again
}

TEST(MemoizedStore, RestoresContentAndReplaysAFraction) {
  int statements = 0;
  Remembered it;
  it.real->puts = true;
  constexpr int kBranches = 64;
  for (int branch = 0; branch < kBranches; ++branch) {
    it.store.begin(0, Beginning::new_names);
    for (const char* value : {"A", "B", "C"}) it.run("set " + kKey + " " + value);
    const int before = it.real->asked;
    EXPECT_EQ(it.run("set " + kKey + " " + std::to_string(branch)), "C");
    statements += it.real->asked - before;
  }
  EXPECT_GT(statements, kBranches);          // some went the long way
  EXPECT_LT(statements, kBranches * 3 / 2);  // few did
}

TEST(MemoizedStore, AStatementWithoutTimeIsAskedOnceForAllTimes) {
  Remembered it;
  for (const bool at_any_time : {true, false}) {
    it.store.forget();
    const int before = it.real->asked;
    for (const std::int64_t now_us : {0, 1, 2}) {
      it.store.begin(0, Beginning::new_names);
      Command command = it.store.bind(0, "get " + kKey, {});
      command.at_any_time = at_any_time;
      it.store.run(0, command, now_us);
    }
    EXPECT_EQ(it.real->asked - before, at_any_time ? 1 : 3);
  }
}

TEST(MemoizedStore, AnAnswerThatDiffersIsAnError) {
  Remembered it;
  it.store.begin(0, Beginning::new_names);
  it.run("get " + kKey);
  it.real->lies = true;
  it.store.begin(0, Beginning::new_names);
  it.run("get " + kKey);
  EXPECT_THROW(it.run("get other"), HiddenInStore);
}

TEST(MemoizedStore, TablesAreRecreatedOnRequest) {
  Remembered it;
  for (const bool wanted : {false, true}) {
    it.store.renew_tables(wanted);
    it.store.forget();
    it.store.begin(0, Beginning::new_names);
    it.run("set " + kKey + " A");
    EXPECT_EQ(it.real->new_tables, wanted ? 1 : 0);
  }
}

TEST(MemoizedStore, EmptyTablesMakeAllRowsTheSchedules) {
  Remembered it;
  it.store.renew_tables(true);
  it.store.begin(0, Beginning::new_names);
  const std::uint64_t nothing = it.store.state(0);
  it.run("set stripe7 A");
  const std::uint64_t set = it.store.state(0);
  EXPECT_NE(set, nothing) << "its name is not the schedule's";
  it.store.begin(0, Beginning::new_names);
  it.run("set stripe7 B");
  it.run("set stripe7 A");
  EXPECT_EQ(it.store.state(0), set);
}

TEST(MemoizedStore, RealStoreGetsFreshNames) {
  Remembered it;
  for (const char* value : {"A", "B", "C"}) {
    it.store.begin(0, Beginning::new_names);
    it.run("set " + kKey + " " + value);
  }
  EXPECT_EQ(it.real->names_seen.size(), 3U);
  EXPECT_EQ(it.real->names_seen.count(kKey), 0U);
}

// Against the same store without a memory.
RC_GTEST_PROP(MemoizedStore, AnswersLikeTheRealStore, ()) {
  Remembered it;
  it.store.trust_content(*rc::gen::arbitrary<bool>());
  it.real->puts = *rc::gen::arbitrary<bool>();
  for (int schedule = 0; schedule < 12; ++schedule) {
    ShelfStore plain;
    plain.begin(0, Beginning::new_names);
    it.store.begin(0, Beginning::new_names);
    std::int64_t now_us = 0;
    const int length = *rc::gen::inRange(1, 8);
    for (int i = 0; i < length; ++i) {
      const auto session = *rc::gen::inRange<std::size_t>(0, 2);
      now_us += *rc::gen::element(0, 0, 5, 11);
      const std::string text = *rc::gen::element<std::string>("set " + kKey + " A", "set " + kKey + " B", "get " + kKey,
                                                              "drop " + kKey, "hold x", "end");
      if (text == "end") {
        plain.end_session(session);
        it.store.end_session(session);
      } else {
        const Executed expected = plain.run(session, plain.bind(session, text, {}), now_us);
        RC_ASSERT(it.run(text, now_us, session) == expected.reply.rows.at(0).at(0).value());
      }
      RC_ASSERT(it.store.holds_session(session) == plain.holds_session(session));
    }
  }
}

}  // namespace
}  // namespace holdfast
