// progress: stuck keys in runs of our own, unexplained `busy` answers in foreign histories.
#include <gtest/gtest.h>

#include "tests/checker/history_builder.hpp"

namespace holdfast {
namespace {

const char* const kProgress = "progress";

// Held until 0.1 s; then client 2 is refused every 500 ms until `until`. Lease 1.5 s: free by 0.1 + 2 + 1 + 3 = 6.1 s.
HistoryBuilder refused_until(std::int64_t until, Reason why = Reason::conflict) {
  auto story = HistoryBuilder::run(1500).acquire(1, 0, 10).release(1, 100, 110);
  for (std::int64_t t = 200; t <= until; t += 500) story.refused(2, t, t + 10, why);
  return story;
}

TEST(Stuck, KeyRefusedToAllBeyondItsBound) {
  const auto v = refused_until(6700).check();
  EXPECT_EQ(said(v, kProgress), "violated:stuck");
  const PropertyVerdict& p = *v.find(kProgress);
  EXPECT_EQ(p.count, 1) << "one stuck time, however many refusals";
  EXPECT_EQ(p.witnesses.at(0).from_ns, 100'000'000);
  EXPECT_EQ(p.witnesses.at(0).to_ns, 6'700'000'000);
  EXPECT_NE(p.witnesses.at(0).text.find("6600 ms, where a correct lock may take 6000 ms"), std::string::npos)
      << p.witnesses.at(0).text;
  EXPECT_EQ(said(refused_until(6700, Reason::busy).check(), kProgress), "violated:stuck");
  EXPECT_EQ(refused_until(6700, Reason::busy).check().find(kProgress)->kinds.size(), 1U)
      << "and not refused_free beside";
}

TEST(Stuck, AReleaseThatDidNotSucceedIsNamed) {
  const auto told = [](EventType type, Reason reason) {
    auto story = HistoryBuilder::run(1500).acquire(1, 0, 10).op(1, Op::release, 100, 110, type, reason);
    for (std::int64_t t = 200; t <= 6700; t += 500) story.refused(2, t, t + 10, Reason::busy);
    return story.check().find(kProgress)->witnesses.at(0).text;
  };
  const std::string name = " The last release by client 1, sent at 0.100 s (#2), ";
  EXPECT_TRUE(told(EventType::fail, Reason::conflict).ends_with(name + "failed."));
  EXPECT_TRUE(told(EventType::info, Reason::timeout).ends_with(name + "had no answer."));
  EXPECT_EQ(told(EventType::ok, Reason::none).find("The last release"), std::string::npos);
}

TEST(Stuck, RenewalsThatOutliveTheReleaseAreNamed) {
  const auto told = [](EventType type, bool renews, const char* fault) {
    auto story = HistoryBuilder::run(1500).acquire(1, 0, 10).op(1, Op::release, 100, 110, type, Reason::timeout);
    story.header([renews](HistoryHeader& header) { header.renews_unseen = renews; });
    for (std::int64_t t = 200; t <= 6700; t += 500) story.refused(2, t, t + 10, Reason::busy);
    if (*fault != '\0') story.fault(fault, "", {1}, 50, 150);
    return said(story.check(), kProgress);
  };
  EXPECT_EQ(told(EventType::info, true, ""), "violated:renewed_after_release");
  EXPECT_EQ(told(EventType::info, true, "pause"), "violated:renewed_after_release");
  EXPECT_EQ(told(EventType::info, true, "kill"), "violated:stuck") << "a killed client renews nothing";
  EXPECT_EQ(told(EventType::info, false, ""), "violated:stuck") << "the lock does not renew by itself";
  EXPECT_EQ(told(EventType::ok, true, ""), "violated:stuck") << "the release succeeded";
}

TEST(Stuck, RefusalsInsideTheBoundHold) {
  EXPECT_EQ(said(refused_until(5700).acquire(2, 6200, 6210).check(), kProgress), "holds");
}

TEST(Stuck, ErrorsToAllCountAsRefusals) {
  const auto v = refused_until(6700, Reason::other).check();
  EXPECT_EQ(said(v, kProgress), "violated:always_errs");
  EXPECT_EQ(said(refused_until(6700, Reason::other).refused(3, 300, 310).check(), kProgress), "violated:stuck")
      << "one was told that it is busy";
  EXPECT_NE(
      v.find(kProgress)->witnesses.at(0).text.find("14 times, 14 of them with an error that does not mean \"busy\""),
      std::string::npos)
      << v.find(kProgress)->witnesses.at(0).text;
  EXPECT_EQ(said(refused_until(5700, Reason::other).acquire(2, 6200, 6210).check(), kProgress), "holds");
  EXPECT_EQ(said(refused_until(6700, Reason::other).acquire(2, 3000, 3010).release(2, 3020, 3030).check(), kProgress),
            "holds")
      << "one got in";
}

// The key was never held. Client 1 waits for it from 40 ms on, is refused at 1060 ms, and asks again.
HistoryBuilder waited_in_vain() {
  auto story = HistoryBuilder::run(1500).header([](HistoryHeader& header) { header.waits = true; });
  return story.refused(1, 40, 1060).acquire(1, 1100, 1120).release(1, 1200, 1210);
}

TEST(RefusedFree, RefusalAfterAProcessorWaitIsUndecided) {
  EXPECT_EQ(said(waited_in_vain().measured().check(), kProgress), "violated:refused_free");
  const auto v = waited_in_vain().stall({1}, 0, 1100, 990).check();
  EXPECT_EQ(said(v, kProgress), "undecided");
  EXPECT_EQ(v.find(kProgress)->reason,
            "machine stalled 990 ms: client 1 waited for \"k0\" from 0.040 s until 1.060 s and was refused, and the "
            "client or the server could run for less than half of that time");
  EXPECT_EQ(said(waited_in_vain().stall({}, 0, 1100, 990).check(), kProgress), "undecided") << "the server's wait";
  EXPECT_EQ(said(waited_in_vain().stall({2}, 0, 1100, 990).check(), kProgress), "violated:refused_free");
}

TEST(RefusedFree, ShortWaitsExplainNothing) {
  EXPECT_EQ(said(waited_in_vain().stall({1}, 0, 1100, 510).check(), kProgress), "undecided");
  EXPECT_EQ(said(waited_in_vain().stall({1}, 0, 1100, 509).check(), kProgress), "violated:refused_free");
  EXPECT_EQ(said(waited_in_vain().stall({1}, 960, 2000, 990).check(), kProgress), "violated:refused_free")
      << "100 ms of it at most";
}

TEST(RefusedFree, NonWaitingLockIsNotExcusedByWaits) {
  auto story = waited_in_vain().header([](HistoryHeader& header) { header.waits = false; });
  EXPECT_EQ(said(story.stall({1}, 0, 1100, 990).check(), kProgress), "violated:refused_free");
}

TEST(Stuck, RefusalsOfStarvedClientsDoNotCount) {
  const auto starved = [](std::int64_t waited) {
    auto story = HistoryBuilder::run(1500).header([](HistoryHeader& header) { header.waits = true; });
    story.acquire(1, 0, 10).release(1, 100, 110);
    for (std::int64_t t = 200; t <= 7000; t += 1100) {
      story.refused(2, t, t + 1000).stall({2}, t, t + 1000, waited);
    }
    return story.check();
  };
  EXPECT_EQ(said(starved(490), kProgress), "violated:stuck");
  const auto v = starved(510);
  EXPECT_EQ(said(v, kProgress), "undecided");
  EXPECT_NE(v.find(kProgress)->reason.find("(and "), std::string::npos)
      << "each of them: " << v.find(kProgress)->reason;
}

TEST(RefusedFree, BusyLongAfterTheLastUse) {
  const auto v = refused_until(5700, Reason::busy).acquire(2, 6200, 6210).check();
  EXPECT_EQ(said(v, kProgress), "violated:refused_free");
  EXPECT_EQ(v.find(kProgress)->count, 1) << "one gap";
  EXPECT_GE(v.measures.spurious_refusals, 6) << "what is judged is counted";
  const std::string& text = v.find(kProgress)->witnesses.at(0).text;
  EXPECT_NE(
      text.find("Client 2 asked for \"k0\" at 3.200 s and was refused as busy at 3.210 s (#17), although a holder "
                "last held or asked for it at 0.110 s"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("This happened 6 times in a row."), std::string::npos) << text;
  EXPECT_EQ(said(refused_until(2700, Reason::busy).acquire(2, 6200, 6210).check(), kProgress), "holds");
}

TEST(RefusedFree, NamesTheOtherKeyThatIsHeld) {
  const auto v = HistoryBuilder::run(1500).on(1).acquire(1, 0, 10).on(0).refused(2, 200, 210).check();
  EXPECT_EQ(said(v, kProgress), "violated:refused_free");
  const std::string& text = v.find(kProgress)->witnesses.at(0).text;
  EXPECT_NE(text.find("Another key was held at that time: client 1 had held \"k1\" since 0.010 s (#1)."),
            std::string::npos)
      << text;
}

// A lock that does not answer cannot be distinguished from a machine that does not.
TEST(Stuck, UnansweredAttemptsAreUndecided) {
  for (const Reason none : {Reason::unavailable, Reason::timeout}) {
    const auto v = refused_until(6700, none).check();
    EXPECT_EQ(said(v, kProgress), "undecided");
    EXPECT_NE(v.find(kProgress)->reason.find("no client was granted"), std::string::npos) << v.find(kProgress)->reason;
    EXPECT_EQ(said(refused_until(5700, none).check(), kProgress), "not_exercised") << "within the bound";
    EXPECT_EQ(said(refused_until(6700).refused(3, 300, 310, none).check(), kProgress), "violated:stuck") << "beside";
    EXPECT_EQ(said(refused_until(5700).refused(3, 6700, 6710, none).acquire(2, 6800, 6810).check(), kProgress), "holds")
        << "one says nothing";
  }
}

TEST(Stuck, AGrantABeliefAnUncertainAcquireOrAFaultRestartTheClock) {
  EXPECT_EQ(said(refused_until(6700).on(0).acquire(3, 3000, 3010).release(3, 3020, 3030).check(), kProgress),
            "not_exercised");
  EXPECT_EQ(said(refused_until(6700).acquire(3, 3000, 3010).check(), kProgress), "not_exercised")
      << "somebody believes";
  EXPECT_EQ(said(refused_until(6700).uncertain(3, Op::acquire, 2000, 3000).check(), kProgress), "not_exercised");
  EXPECT_EQ(said(refused_until(6700).fault("cut", "", {}, 300, 3000).check(), kProgress), "not_exercised");
  EXPECT_EQ(said(refused_until(6700).nemesis(FaultStep::healed, 3000).check(), kProgress), "violated:stuck")
      << "there was nothing to heal";
  EXPECT_EQ(said(refused_until(6700).on(1).acquire(3, 3000, 3010).check(), kProgress), "violated:stuck")
      << "another key";
}

TEST(Stuck, SilenceIsNotARefusal) {
  EXPECT_EQ(said(HistoryBuilder::run(1500).acquire(1, 0, 10).release(1, 100, 110).acquire(2, 90'000, 90'010).check(),
                 kProgress),
            "not_exercised");
}

TEST(Stuck, WaiterAcrossTheHealExercisesIt) {
  auto story = HistoryBuilder::run(1000).acquire(1, 0, 10).refused(2, 20, 30).release(1, 100, 110).acquire(2, 500, 510);
  EXPECT_EQ(said(story.check(), kProgress), "holds") << "no faults planned: refused and later granted";
  story.header([](HistoryHeader& h) { h.faults_planned = true; });
  EXPECT_EQ(said(story.check(), kProgress), "not_exercised");
  auto early = story;
  EXPECT_EQ(said(early.nemesis(FaultStep::healed, 15).check(), kProgress), "not_exercised")
      << "refused after the heal only";
  const auto v = story.nemesis(FaultStep::healed, 200).check();
  EXPECT_EQ(said(v, kProgress), "holds");
  EXPECT_EQ(v.find(kProgress)->coverage.at("waiters_across_heal"), 1);
}

std::string foreign(const HistoryBuilder& story) {
  return said(story.check(), kProgress);
}
HistoryBuilder owner() {
  return HistoryBuilder::foreign("owner");
}
const char* const kAnomaly = "violated:refused_while_free";

TEST(Busy, IsLegalDuringAHold) {
  EXPECT_EQ(foreign(owner().acquire(1, 0, 10).refused(2, 20, 30).release(1, 40, 50)), "holds");
  EXPECT_EQ(foreign(owner().acquire(1, 0, 10).refused(2, 20, 60).release(1, 40, 50)), "holds")
      << "it touches the belief";
  EXPECT_EQ(foreign(owner().acquire(1, 0, 10).refused(1, 20, 30)), "holds") << "to the holder itself";
}

TEST(Busy, IsIllegalWhileTheLockIsProvablyFree) {
  EXPECT_EQ(foreign(owner().acquire(1, 0, 10).release(1, 40, 50).refused(2, 60, 70)), kAnomaly);
  EXPECT_EQ(foreign(owner().acquire(1, 0, 10).release(1, 40, 50).refused(2, 60, 70).acquire(3, 80, 90)), kAnomaly);
  EXPECT_EQ(foreign(owner().refused(2, 0, 5).acquire(1, 10, 20)), kAnomaly) << "before anybody";
  EXPECT_EQ(foreign(owner().refused(2, 0, 5)), kAnomaly) << "a violation wins over no client was granted the lock";
}

TEST(Busy, ALateReleaseOrAnEarlyAcquireExplainsIt) {
  EXPECT_EQ(foreign(owner().acquire(1, 0, 10).release(1, 40, 60).refused(2, 50, 70)), "holds");
  EXPECT_EQ(foreign(owner().acquire(1, 0, 10).release(1, 40, 60).refused(2, 60, 70)), "holds") << "at the same time";
  EXPECT_EQ(foreign(owner().acquire(1, 0, 10).release(1, 40, 50).refused(2, 60, 80).acquire(3, 70, 90)), "holds");
  EXPECT_EQ(foreign(owner().acquire(1, 0, 10).release(1, 40, 50).refused(2, 60, 70).acquire(3, 70, 90)), "holds");
  EXPECT_EQ(foreign(owner().acquire(1, 0, 10).uncertain(1, Op::release, 40, 50).refused(2, 60, 70)), "holds");
  EXPECT_EQ(foreign(owner().acquire(1, 0, 10).leave(1, 40).refused(2, 60, 70)), "holds") << "nobody told the lock";
}

TEST(Busy, AnIndeterminateAcquireMayHold) {
  const auto acquire = [] { return owner().acquire(1, 0, 10).release(1, 40, 50).uncertain(4, Op::acquire, 52, 55); };
  EXPECT_EQ(foreign(acquire().refused(2, 60, 70)), "holds") << "after the last belief it may hold for ever";
  EXPECT_EQ(foreign(acquire().refused(2, 60, 70).acquire(3, 80, 90)), kAnomaly) << "then nobody could have followed";
  EXPECT_EQ(foreign(acquire().refused(2, 60, 70).release(4, 72, 75).acquire(3, 80, 90)), "holds")
      << "it was cleaned up";
  EXPECT_EQ(foreign(acquire().release(4, 56, 58).refused(2, 60, 70)), kAnomaly) << "cleaned up before";
  EXPECT_EQ(foreign(owner().acquire(1, 0, 10).release(1, 40, 50).invoke(4, Op::acquire, 52).refused(2, 60, 70)),
            "holds");
  EXPECT_EQ(foreign(owner().acquire(1, 0, 10).release(1, 40, 50).refused(2, 60, 70).invoke(4, Op::acquire, 71)),
            kAnomaly);
}

TEST(Busy, IndeterminateAcquireLapsesWithItsLease) {
  auto story = HistoryBuilder::foreign("lease").lease(1000).acquire(1, 0, 10).release(1, 40, 50).uncertain(
      4, Op::acquire, 52, 55);
  EXPECT_EQ(foreign(story.refused(2, 60, 70).acquire(3, 1100, 1110)), "holds");
}

TEST(Busy, OwnRunMeasuresItAsSpurious) {
  const auto v =
      HistoryBuilder::run(1000).acquire(1, 0, 10).release(1, 40, 50).refused(2, 60, 70).acquire(2, 80, 90).check();
  EXPECT_EQ(v.measures.spurious_refusals, 1);
  EXPECT_EQ(said(v, kProgress), "holds");
}

}  // namespace
}  // namespace holdfast
