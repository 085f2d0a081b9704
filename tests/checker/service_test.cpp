// Measures of a lock's service, on made-up histories whose numbers can be counted on one's fingers.
#include "checker/service.hpp"

#include <gtest/gtest.h>

#include "tests/checker/history_builder.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kMs = 1'000'000;

Service measured(const HistoryBuilder& history) {
  const TemporaryFolder folder;
  history.save(folder.file("h.jsonl"));
  return measure_service(folder.file("h.jsonl"));
}

HistoryBuilder load_until(HistoryBuilder history, std::int64_t end_ms) {
  return history.nemesis(FaultStep::load_end, end_ms);
}

TEST(Service, UnavailableFromTheFirstRefusalWhileFreeToTheNextGrant) {
  // Held to 100; refused at 120..125 and 150..155 though free; granted at 185.
  const auto s = measured(load_until(HistoryBuilder::run(1000)
                                         .acquire(1, 10, 20)
                                         .release(1, 100, 110)
                                         .refused(2, 120, 125)
                                         .refused(2, 150, 155)
                                         .acquire(2, 180, 185),
                                     1000));
  EXPECT_EQ(s.unavailable_ns, 65 * kMs);
  EXPECT_EQ(s.longest_gap_ns, 65 * kMs);
  ASSERT_EQ(s.gaps.size(), 1U);
  EXPECT_EQ(s.gaps[0].from_ns, 120 * kMs);
  EXPECT_EQ(s.gaps[0].to_ns, 185 * kMs);
}

TEST(Service, RefusalDuringAHoldIsNotAnOutage) {
  const auto s = measured(load_until(
      HistoryBuilder::run(1000).acquire(1, 10, 20).refused(2, 50, 55).release(1, 100, 110).acquire(2, 180, 185), 1000));
  EXPECT_EQ(s.unavailable_ns, 0);
}

TEST(Service, AttemptBegunDuringAHoldIsNotAnOutage) {
  const auto s = measured(load_until(
      HistoryBuilder::run(1000).acquire(1, 10, 20).refused(2, 95, 130).release(1, 100, 110).acquire(2, 180, 185),
      1000));
  EXPECT_EQ(s.unavailable_ns, 0);
}

TEST(Service, DeadHoldersRemainingLeaseIsAnOutage) {
  const auto s = measured(load_until(HistoryBuilder::run(1000)
                                         .acquire(1, 10, 20)
                                         .nemesis(FaultStep::kill, 50, "kill", "", {1})
                                         .refused(2, 60, 65)
                                         .acquire(2, 1020, 1030),
                                     2000));
  EXPECT_EQ(s.unavailable_ns, (1030 - 60) * kMs);
}

TEST(Service, ASleeperHoldsNothingOnceItsLeaseIsOver) {
  const auto s = measured(load_until(HistoryBuilder::run(1000)
                                         .acquire(1, 10, 20)
                                         .refused(2, 500, 505)    // its lease runs still
                                         .refused(2, 1100, 1105)  // it is over
                                         .acquire(2, 1300, 1310)
                                         .release(1, 1400, 1410),
                                     2000));
  EXPECT_EQ(s.unavailable_ns, (1310 - 1100) * kMs);
}

TEST(Service, AnOutageEndsWithTheLoad) {
  const auto s = measured(load_until(HistoryBuilder::run(1000).refused(1, 100, 105), 400).acquire(1, 600, 610));
  EXPECT_EQ(s.unavailable_ns, 300 * kMs);
  EXPECT_EQ(s.load_ns, 400 * kMs);
  EXPECT_EQ(s.grants, 0) << "what is granted after the load is no throughput";
}

TEST(Service, SeparatesUncontendedFromContendedWaits) {
  const auto s = measured(load_until(HistoryBuilder::run(1000)
                                         .acquire(1, 10, 14)  // no other client
                                         .release(1, 20, 22)
                                         .acquire(1, 30, 36)  // another asks meanwhile
                                         .refused(2, 32, 35)
                                         .release(1, 40, 42)
                                         .acquire(2, 50, 51),  // after a refusal: since 32
                                     1000));
  EXPECT_EQ(s.uncontended_ns, (std::vector<std::int64_t>{4 * kMs}));
  EXPECT_EQ(s.contended_ns, (std::vector<std::int64_t>{6 * kMs, 19 * kMs}));
}

TEST(Service, KilledWaiterDoesNotContend) {
  const auto s = measured(load_until(HistoryBuilder::run(1000)
                                         .invoke(2, Op::acquire, 5)
                                         .nemesis(FaultStep::kill, 8, "kill", "", {2})
                                         .acquire(1, 10, 14),
                                     1000));
  EXPECT_EQ(s.uncontended_ns.size(), 1U);
}

TEST(Service, CountsStatementsOfTheLoad) {
  const auto s =
      measured(load_until(HistoryBuilder::run(1000).rows(1).acquire(1, 10, 14).rows(1).release(1, 20, 22), 50)
                   .rows(1)
                   .acquire(1, 60, 64));
  EXPECT_EQ(s.statements, 2);
  EXPECT_EQ(s.grants, 1);
}

TEST(Service, ARecoveryLastsFromTheFaultsEndToTheNextGrant) {
  const auto s = measured(load_until(HistoryBuilder::run(1000)
                                         .acquire(1, 10, 20)
                                         .release(1, 100, 110)
                                         .fault("partition", "partition", {2}, 150, 300)
                                         .refused(2, 320, 325)
                                         .acquire(2, 380, 385),
                                     1000));
  ASSERT_EQ(s.recoveries.size(), 1U);
  EXPECT_EQ(s.recoveries[0].fault, "partition");
  EXPECT_EQ(s.recoveries[0].took_ns, 85 * kMs);
}

TEST(Service, HeldKeyNeedsNoRecovery) {
  const auto s = measured(load_until(
      HistoryBuilder::run(1000).acquire(1, 10, 20).fault("pause", "", {2}, 50, 60).release(1, 100, 110), 1000));
  ASSERT_EQ(s.recoveries.size(), 1U);
  EXPECT_EQ(s.recoveries[0].took_ns, 0);
}

TEST(Service, AKeyThatIsNeverGrantedAgainIsNotRecovered) {
  const auto s = measured(load_until(HistoryBuilder::run(1000)
                                         .acquire(1, 10, 20)
                                         .release(1, 30, 40)
                                         .fault("pause", "", {2}, 50, 60)
                                         .refused(2, 70, 75),
                                     1000));
  ASSERT_EQ(s.recoveries.size(), 1U);
  EXPECT_EQ(s.recoveries[0].took_ns, -1);
}

TEST(Service, CountsWritesRefusedForOldTokens) {
  auto history = HistoryBuilder::run(1000);
  history.token(1).acquire(1, 10, 20).token(2).acquire(2, 1100, 1110);
  history.token(1).op(1, Op::write, 1200, 1210, EventType::fail);
  history.token(2).op(2, Op::write, 1220, 1230, EventType::fail);  // the newest: refused for another reason
  EXPECT_EQ(measured(load_until(history, 2000)).fencing_rejections, 1);
}

TEST(Service, CountsStruckHoldersAndAttempts) {
  const auto base = HistoryBuilder::run(1000).acquire(1, 10, 20).refused(2, 50, 55).release(1, 100, 110);
  const auto struck = [&](std::uint32_t client, std::int64_t from, std::int64_t to) {
    return measured(load_until(HistoryBuilder(base).fault("pause", "", {client}, from, to), 1000));
  };
  EXPECT_EQ(struck(1, 40, 60).struck_grants, 1);
  EXPECT_EQ(struck(1, 200, 300).struck_grants, 0) << "it held nothing then";
  EXPECT_EQ(struck(1, 2, 5).struck_grants, 0) << "the fault was over";
  EXPECT_EQ(struck(2, 2, 5).struck_attempts_in_hold, 0);
  EXPECT_EQ(struck(2, 40, 60).struck_attempts_in_hold, 1);
  EXPECT_EQ(struck(2, 60, 70).struck_attempts_in_hold, 0);
  EXPECT_EQ(struck(3, 40, 60).struck_grants + struck(3, 40, 60).struck_attempts_in_hold, 0);
}

}  // namespace
}  // namespace holdfast
