// progress during the load: keys that stay refused beside a fault, waiters beside a free key, clients kept out for
// ever.
#include <gtest/gtest.h>

#include "tests/checker/history_builder.hpp"

namespace holdfast {
namespace {

const char* const kProgressInLoad = "progress";

// Client 1 has let go by 0.11 s; client 2 is refused from then on. Lease 1.5 s: free by 0.1 + 2 + 1 + 3 = 6.1 s.
HistoryBuilder refused_for(std::int64_t until = 6700) {
  auto story = HistoryBuilder::run(1500).acquire(1, 0, 10).release(1, 100, 110);
  for (std::int64_t t = 200; t <= until; t += 500) story.refused(2, t, t + 10, Reason::conflict);
  return story;
}

std::string judged(const HistoryBuilder& story) {
  return said(story.check(), kProgressInLoad);
}

TEST(StuckInLoad, AFaultOfAnotherClientExcusesNothing) {
  const auto v = refused_for().fault("pause", "", {3}, 300, 9000).check();
  EXPECT_EQ(said(v, kProgressInLoad), "violated:stuck");
  const std::string& text = v.find(kProgressInLoad)->witnesses.at(0).text;
  EXPECT_NE(text.find("no fault struck the waiting clients"), std::string::npos) << text;
  EXPECT_EQ(judged(refused_for(5700).fault("pause", "", {3}, 300, 9000).acquire(2, 6200, 6210)), "not_exercised")
      << "within the bound";
}

TEST(StuckInLoad, RefusalsUnderAFaultDoNotCount) {
  EXPECT_EQ(judged(refused_for().fault("cut", "partition", {2}, 300, 9000)), "not_exercised");
  EXPECT_EQ(judged(refused_for().fault("server_pause", "", {}, 300, 9000)), "not_exercised") << "it reaches all";
  EXPECT_EQ(judged(refused_for().fault("client_skew", "client_skew", {3}, 300, 9000)), "not_exercised")
      << "others depend on what a wrong clock wrote";
}

TEST(StuckInLoad, AFaultThatReachesAllRestartsTheClock) {
  EXPECT_EQ(judged(refused_for().fault("server_pause", "", {}, 300, 1000)), "not_exercised");
  EXPECT_EQ(judged(refused_for(7700).fault("server_pause", "", {}, 300, 1000)), "violated:stuck");
}

TEST(StuckInLoad, StruckClientsOperationMayActUntilTheFaultEnds) {
  const auto left = [](std::int64_t over, std::int64_t until) {
    return refused_for(until).uncertain(3, Op::acquire, 300, 400).fault("cut", "partition", {3}, 250, over);
  };
  EXPECT_EQ(judged(left(9000, 6700)), "not_exercised");
  EXPECT_EQ(judged(left(1000, 6700)), "not_exercised") << "it may have been granted the key at 1 s";
  EXPECT_EQ(judged(left(1000, 7700)), "violated:stuck");
}

TEST(StuckInLoad, NothingIsJudgedWhileAStruckClientAsks) {
  EXPECT_EQ(judged(refused_for().refused(3, 300, 8900).fault("pause", "", {3}, 350, 9000)), "not_exercised");
  EXPECT_EQ(judged(refused_for().refused(3, 300, 8900).fault("pause", "", {4}, 350, 9000)), "violated:stuck")
      << "who asks is not struck";
}

// Without a lease a key stays taken until a client notices that its holder has gone.
TEST(StuckInLoad, AReleaseWithoutAnAnswerKeepsAKeyThatHasNoLease) {
  const auto left = [](std::int64_t lease) {
    auto story = HistoryBuilder::run(lease).acquire(1, 0, 10).uncertain(1, Op::release, 100, 200);
    for (std::int64_t t = 250; t <= 6750; t += 500) story.refused(2, t, t + 10);
    return story.fault("cut", "partition", {1}, 50, 9000);
  };
  EXPECT_EQ(judged(left(0)), "not_exercised");
  EXPECT_EQ(judged(left(1500)), "violated:stuck");
}

TEST(StuckInLoad, AReleaseInTransitKeepsAKeyThatHasNoLease) {
  const auto held = [](std::int64_t lease, std::int64_t last) {
    auto story = HistoryBuilder::run(lease).acquire(1, 0, 10).release(1, 100, 6000);
    for (std::int64_t t = 250; t <= last; t += 500) story.refused(2, t, t + 10);
    return story.fault("hold_request", "late_request", {1}, 110, 5990);
  };
  EXPECT_EQ(judged(held(0, 6300)), "not_exercised");
  EXPECT_EQ(judged(held(1500, 6300)), "violated:stuck") << "its lease is over";
  EXPECT_EQ(judged(held(0, 13000)), "violated:stuck") << "long after the release was answered";
}

TEST(AlwaysErrs, NamesTheStatementAndItsError) {
  auto story = HistoryBuilder::run(1500).acquire(1, 0, 10).release(1, 100, 110);
  for (std::int64_t t = 200; t <= 6700; t += 500) {
    story.failing("insert", 23505).failing("put_off", 252502).refused(2, t, t + 10, Reason::other);
  }
  const auto v = story.check();
  EXPECT_EQ(said(v, kProgressInLoad), "violated:always_errs");
  const std::string& text = v.find(kProgressInLoad)->witnesses.at(0).text;
  EXPECT_NE(text.find("put_off failed with SQLSTATE 25P02 (the transaction is aborted"), std::string::npos) << text;
}

// Client 2 asks at 50 ms, and client 1 lets go at 100 ms. Bound 3 s: asleep from 0.11 + 1 + 3 = 4.11 s on.
HistoryBuilder slept_until(std::int64_t until) {
  auto story = HistoryBuilder::run(8000).header([](HistoryHeader& header) { header.waits = true; });
  return story.acquire(1, 0, 10).release(1, 100, 110).acquire(2, 50, until).release(2, until + 10, until + 20);
}

TEST(Asleep, WaiterBesideAFreeKeyIsAsleep) {
  const auto v = slept_until(4200).check();
  EXPECT_EQ(said(v, kProgressInLoad), "violated:asleep");
  const Witness& witness = v.find(kProgressInLoad)->witnesses.at(0);
  EXPECT_EQ(witness.from_ns, 110'000'000);
  EXPECT_NE(witness.text.find("4090 ms, where a correct lock may take 4000 ms"), std::string::npos) << witness.text;
  EXPECT_EQ(judged(slept_until(4100)), "holds");
  EXPECT_EQ(judged(slept_until(4200).header([](HistoryHeader& h) { h.guard_ns = 500'000'000; })), "holds")
      << "the lock keeps a key for its guard time";
}

TEST(Asleep, KeyThatMayBeTakenExcuses) {
  EXPECT_EQ(judged(slept_until(4200).acquire(3, 3000, 3010).release(3, 3100, 3110)), "holds") << "another had it";
  EXPECT_EQ(judged(slept_until(4200).uncertain(3, Op::acquire, 300, 400)), "holds") << "another may have it";
  EXPECT_EQ(judged(slept_until(4200).fault("pause", "", {2}, 200, 1000)), "not_exercised") << "it was stopped itself";
  EXPECT_EQ(judged(slept_until(5200).fault("pause", "", {2}, 200, 1000)), "violated:asleep");
  EXPECT_EQ(judged(slept_until(4200).nemesis(FaultStep::kill, 300, "kill", "", {3})), "holds")
      << "what was killed may have asked for it";
}

// A stopped client's open transaction keeps the rows that it has read.
TEST(Asleep, AnothersStruckAttemptExcusesUntilItsAnswer) {
  const auto beside = [](std::int64_t answered, std::int64_t until) {
    return judged(slept_until(until).refused(3, 200, answered).fault("pause", "", {3}, 300, 4000).stopping());
  };
  EXPECT_EQ(beside(4050, 4200), "not_exercised") << "from its answer on, client 2 waited for 150 ms";
  EXPECT_EQ(beside(4050, 8000), "not_exercised");
  EXPECT_EQ(beside(4050, 8060), "violated:asleep") << "for 4010 ms after that answer";
  EXPECT_EQ(beside(9000, 7990), "not_exercised") << "that attempt is open";
  EXPECT_EQ(beside(9000, 8010), "violated:asleep") << "for 4010 ms after the fault";
  EXPECT_EQ(beside(250, 4200), "violated:asleep") << "it was not struck";
  EXPECT_EQ(judged(slept_until(8010).refused(3, 200, 9000).fault("cut", "", {3}, 300, 4000)), "not_exercised")
      << "what a cut kept may still arrive";
  const auto all_struck = slept_until(4500).refused(3, 200, 4050).fault("server_pause", "", {}, 300, 350);
  EXPECT_EQ(judged(all_struck), "violated:asleep") << "for 4150 ms after a fault that held up no client alone";
}

TEST(Asleep, OnesOwnStruckAttemptExcusesUntilTheFaultIsOver) {
  const auto refused_at = [](std::int64_t answered) {
    auto story = HistoryBuilder::run(8000).header([](HistoryHeader& header) { header.waits = true; });
    story.acquire(1, 0, 10).release(1, 100, 110).refused(2, 50, answered).fault("pause", "", {2}, 200, 1000);
    return judged(story);
  };
  EXPECT_EQ(refused_at(4900), "not_exercised");
  EXPECT_EQ(refused_at(5100), "violated:asleep");
}

// Client 2 is refused every 300 ms, while client 1 holds for 50 ms of them. Bound 3 s.
HistoryBuilder kept_out_until(std::int64_t until) {
  auto story = HistoryBuilder::run(1500);
  for (std::int64_t t = 0; t <= until; t += 300) {
    story.acquire(1, t, t + 10).release(1, t + 60, t + 70).refused(2, t + 100, t + 110);
  }
  return story;
}

TEST(KeptOut, OneClientRefusedToTheEnd) {
  const auto v = kept_out_until(3300).check();
  EXPECT_EQ(said(v, kProgressInLoad), "violated:client_kept_out");
  const Witness& witness = v.find(kProgressInLoad)->witnesses.at(0);
  EXPECT_EQ(witness.clients, std::vector<std::uint32_t>{2});
  EXPECT_NE(witness.text.find("12 of these refusals"), std::string::npos) << witness.text;
  EXPECT_NE(witness.text.find("were granted the key 11 times"), std::string::npos) << witness.text;
}

TEST(KeptOut, AllButOneAreKeptOutByAKeyThatIsNeverGivenBack) {
  auto story = kept_out_until(3300);
  for (std::int64_t t = 0; t <= 3300; t += 300) story.refused(3, t + 150, t + 160);
  auto v = story.check();
  EXPECT_EQ(said(v, kProgressInLoad), "violated:never_given_back");
  const Witness& witness = v.find(kProgressInLoad)->witnesses.at(0);
  EXPECT_NE(witness.text.find("only client 1 was granted the key, 11 times"), std::string::npos) << witness.text;
  EXPECT_EQ(said(story.acquire(4, 1020, 1030).release(4, 1040, 1045).check(), kProgressInLoad),
            "violated:client_kept_out")
      << "another was granted it, too";
}

TEST(KeptOut, AnotherRefusedClientShowsAnUnreleasedKey) {
  EXPECT_EQ(judged(kept_out_until(3300).refused(3, 3150, 3160)), "violated:never_given_back");
  EXPECT_EQ(judged(kept_out_until(3300).refused(3, 2730, 2740)), "violated:client_kept_out")
      << "it asked while another held the key";
}

TEST(KeptOut, BoundOrLaterGrantExcuses) {
  EXPECT_NE(judged(kept_out_until(2700)), "violated:client_kept_out");
  EXPECT_EQ(judged(kept_out_until(3300).acquire(2, 3500, 3510)), "holds");
  EXPECT_NE(judged(kept_out_until(3300).acquire(2, 1020, 1030).release(2, 1040, 1050)), "violated:client_kept_out")
      << "once in between";
}

// A holder is known by its thread here, so an acquire whose reply was lost may have entered once more than its client
// knows: its releases leave the key taken.
TEST(KeptOut, AReentrantClientWithAnUnansweredAcquireMayHoldOn) {
  const auto entered = [](bool reenters, bool another) {
    auto story = HistoryBuilder::run(1500).header([=](HistoryHeader& header) { header.reenters = reenters; });
    story.uncertain(1, Op::acquire, 0, 20);
    if (another) story.acquire(4, 30, 35).release(4, 40, 45);
    for (std::int64_t t = 60; t <= 3700; t += 300) {
      story.acquire(1, t, t + 10).release(1, t + 60, t + 70).refused(2, t + 100, t + 110);
    }
    return judged(story);
  };
  EXPECT_EQ(entered(true, false), "not_exercised");
  EXPECT_EQ(entered(true, true), "violated:client_kept_out") << "another was granted it, so it was free";
  EXPECT_EQ(entered(false, false), "violated:client_kept_out");
}

TEST(KeptOut, AReentrantClientWithAnUnansweredReleaseMayHoldOn) {
  const auto left = [](bool reenters) {
    auto story = HistoryBuilder::run(1500).header([=](HistoryHeader& header) { header.reenters = reenters; });
    story.acquire(1, 0, 10).uncertain(1, Op::release, 20, 40);
    for (std::int64_t t = 60; t <= 3700; t += 300) {
      story.acquire(1, t, t + 10).release(1, t + 60, t + 70).refused(2, t + 100, t + 110);
    }
    return judged(story);
  };
  EXPECT_EQ(left(true), "not_exercised");
  EXPECT_EQ(left(false), "violated:client_kept_out");
}

TEST(KeptOut, AReentrantClientWhoseAcquireWasStruckMayHoldOn) {
  const auto twice = [](bool reenters) {
    auto story = HistoryBuilder::run(1500).header([=](HistoryHeader& header) { header.reenters = reenters; });
    story.fault("duplicate", "duplicate", {1}, 2, 5);
    for (std::int64_t t = 0; t <= 3700; t += 300) {
      story.acquire(1, t, t + 10).release(1, t + 60, t + 70).refused(2, t + 100, t + 110);
    }
    return judged(story);
  };
  EXPECT_EQ(twice(true), "not_exercised");
  EXPECT_EQ(twice(false), "violated:client_kept_out");
}

// An unfair lock, or a slow one, is met while others have the key or ask for it.
TEST(KeptOut, RefusalsBesideOtherOperationsDoNotCount) {
  const auto beside = [](std::int64_t from, std::int64_t to) {
    auto story = HistoryBuilder::run(1500);
    for (std::int64_t t = 0; t <= 3300; t += 300) {
      story.acquire(1, t, t + 10).release(1, t + 60, t + 70).refused(2, t + from, t + to);
    }
    return story;
  };
  EXPECT_NE(judged(beside(20, 110)), "violated:client_kept_out") << "asked while it was held";
  EXPECT_NE(judged(beside(65, 110)), "violated:client_kept_out") << "asked before the release was answered";
  EXPECT_NE(judged(beside(100, 305)), "violated:client_kept_out") << "another asked meanwhile";
  EXPECT_EQ(judged(beside(100, 290)), "violated:client_kept_out");
}

TEST(KeptOut, ClientReachedByAFaultMayBeRefused) {
  EXPECT_NE(judged(kept_out_until(3300).fault("cut", "partition", {2}, 50, 9000)), "violated:client_kept_out");
  EXPECT_NE(judged(kept_out_until(3300).fault("cut", "partition", {2}, 50, 1000)), "violated:client_kept_out")
      << "the bound counts from the fault's end";
  EXPECT_EQ(judged(kept_out_until(4500).fault("cut", "partition", {2}, 50, 1000)), "violated:client_kept_out");
}

TEST(KeptOut, NotIfAllClientsAreRefused) {
  auto story = HistoryBuilder::run(1500).acquire(1, 0, 10).release(1, 60, 70);
  for (std::int64_t t = 100; t <= 5000; t += 300) story.refused(2, t, t + 10);
  EXPECT_NE(judged(story), "violated:client_kept_out");
}

}  // namespace
}  // namespace holdfast
