// mutual_exclusion and lease_exclusion: when they fire, when they stay silent, and what they call it.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "checker/causes.hpp"
#include "nemesis/fault.hpp"
#include "tests/checker/history_builder.hpp"
#include "tests/refusal.hpp"

namespace holdfast {
namespace {

TEST(Exclusion, HoldsIfHoldsDoNotOverlap) {
  const auto v =
      HistoryBuilder::run(2000).acquire(1, 0, 10).release(1, 100, 110).acquire(2, 90, 120).release(2, 200, 210).check();
  EXPECT_EQ(said(v, kBelief), "holds");
  EXPECT_EQ(said(v, kLease), "holds");
}

TEST(Exclusion, OverlapInsideBothLeasesIsAlgorithm) {
  const auto v =
      HistoryBuilder::run(2000).acquire(1, 0, 10).acquire(2, 20, 30).release(1, 100, 110).release(2, 200, 210).check();
  EXPECT_EQ(said(v, kBelief), "violated:algorithm");
  EXPECT_EQ(said(v, kLease), "violated:algorithm");
  EXPECT_EQ(v.judgement, Judgement::violated);
  const Witness& w = v.find(kLease)->witnesses.at(0);
  EXPECT_EQ(w.clients, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(w.indices, (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 6}));
  EXPECT_EQ(w.from_ns, 30'000'000);
  EXPECT_EQ(w.to_ns, 100'000'000);
  EXPECT_EQ(v.find(kLease)->total_ns, 70'000'000);
  EXPECT_EQ(w.text,
            "Client 1 held \"k0\" from 0.010 s (acquire #1) to 0.100 s (release #4); its lease would have lasted until "
            "2.000 s. "
            "Client 2 held "
            "\"k0\" from 0.030 s (acquire #3) to 0.200 s (release #6); its lease would have lasted until 2.020 s. From "
            "0.030 s to "
            "0.100 s both "
            "held it within their leases.");
}

TEST(Exclusion, WitnessNamesTheUnansweredRelease) {
  const auto text = [](const TrialVerdict& v) { return v.find(kLease)->witnesses.at(0).text; };
  const auto with = HistoryBuilder::run(2000)
                        .acquire(3, 0, 10)
                        .uncertain(3, Op::release, 20, 25)
                        .acquire(1, 30, 40)
                        .acquire(2, 50, 60)
                        .release(1, 100, 110)
                        .uncertain(2, Op::release, 120, 130)
                        .check();
  EXPECT_TRUE(contains(text(with),
                       " Before that, a release by client 3, sent at 0.020 s (#2), had no answer: it may have "
                       "taken effect late."))
      << text(with);
  const auto without = HistoryBuilder::run(2000).acquire(1, 0, 10).acquire(2, 20, 30).uncertain(1, Op::release, 40, 50);
  EXPECT_FALSE(contains(text(HistoryBuilder(without).check()), "Before that"));
}

TEST(Exclusion, EqualTimesAreConcurrentAndOverlapNothing) {
  const auto v =
      HistoryBuilder::run(2000).acquire(1, 0, 10).release(1, 100, 110).acquire(2, 50, 100).release(2, 200, 210).check();
  EXPECT_EQ(said(v, kBelief), "holds");
}

TEST(Exclusion, AGrantAtTheVeryEndOfALeaseIsLegal) {
  const auto v =
      HistoryBuilder::foreign("lease").lease(100).acquire(1, 0, 10).acquire(2, 50, 100).release(2, 120, 130).check();
  EXPECT_EQ(said(v, kLease), "holds");
  EXPECT_EQ(said(v, kBelief), "violated:overrun");
  EXPECT_EQ(v.judgement, Judgement::holds) << "model lease: its verdict is the service's";
}

TEST(Exclusion, ALapsedHolderIsAnOverrunWhenAFaultStruckIt) {
  auto story = HistoryBuilder::run(2000);
  story.acquire(1, 0, 10).acquire(2, 2100, 2110).release(2, 2200, 2210).release(1, 4000, 4010);
  EXPECT_EQ(said(story.check(), kBelief), "undecided") << "nothing planned explains it: the machine stalled";
  EXPECT_NE(story.check().find(kBelief)->reason.find("the machine may have stalled 200 ms"), std::string::npos);
  story.fault("pause", "", {3}, 50, 3000);
  EXPECT_EQ(said(story.check(), kBelief), "undecided") << "a pause of somebody else explains nothing";
  story.fault("pause", "", {1}, 50, 3000);
  const auto v = story.check();
  EXPECT_EQ(said(v, kBelief), "violated:overrun");
  EXPECT_EQ(said(v, kLease), "holds");
}

TEST(Exclusion, FaultInForceGivesTheKind) {
  const auto told = [](std::int64_t from, std::int64_t to, const std::string& cause) {
    auto story = HistoryBuilder::run(2000);
    story.acquire(1, 100, 110).fault("skew", cause, {2}, from, to).acquire(2, 200, 210).release(1, 300, 310);
    return said(story.release(2, 400, 410).check(), kLease);
  };
  EXPECT_EQ(told(120, 500, "client_skew"), "violated:client_skew");
  EXPECT_EQ(told(0, 100, "client_skew"), "violated:client_skew") << "still in force when the grant was sent";
  EXPECT_EQ(told(0, 99, "client_skew"), "violated:algorithm") << "it ended before";
  EXPECT_EQ(told(211, 500, "client_skew"), "violated:algorithm") << "it began afterwards";
  EXPECT_EQ(told(120, 500, ""), "violated:algorithm") << "it excuses nothing";
}

TEST(Exclusion, OnlyFaultsThatStruckAPartyAreSuspected) {
  const auto told = [](std::vector<std::uint32_t> clients) {
    auto story = HistoryBuilder::run(2000);
    story.acquire(1, 100, 110).fault("skew", "client_skew", clients, 120, 500).acquire(2, 200, 210);
    return story.release(1, 300, 310).release(2, 400, 410).check();
  };
  const auto text = [](const TrialVerdict& v) { return v.find(kLease)->witnesses.at(0).text; };
  EXPECT_EQ(said(told({1}), kLease), "violated:client_skew");
  EXPECT_EQ(said(told({2}), kLease), "violated:client_skew");
  EXPECT_EQ(said(told({}), kLease), "violated:client_skew") << "the server";
  EXPECT_EQ(said(told({3}), kLease), "violated:algorithm") << "a bystander";
  EXPECT_TRUE(text(told({2})).ends_with(" Suspected cause: the fault skew, which struck client 2 at 0.120 s (#2)."));
  EXPECT_TRUE(text(told({})).ends_with(" Suspected cause: the fault skew, which struck the server at 0.120 s (#2)."));
  EXPECT_FALSE(contains(text(told({3})), "Suspected"));
  EXPECT_EQ(told({2}).timeline.faults.at(0).cause, "client_skew");
}

TEST(Exclusion, VerdictHasTheMostSevereKind) {
  const auto v = HistoryBuilder::run(1000)
                     .fault("pause", "", {1}, 50, 3000)
                     .acquire(1, 0, 10)
                     .acquire(2, 1100, 1110)
                     .release(1, 1200, 1210)
                     .acquire(3, 1300, 1310)
                     .release(2, 1400, 1410)
                     .release(3, 1500, 1510)
                     .check();
  EXPECT_EQ(said(v, kBelief), "violated:algorithm");
  EXPECT_EQ(v.find(kBelief)->kinds, (std::map<std::string, std::int64_t>{{"algorithm", 1}, {"overrun", 1}}));
  EXPECT_EQ(v.find(kBelief)->count, 2);
}

TEST(Exclusion, AKillEndsTheBelief) {
  auto story = HistoryBuilder::run(2000);
  story.acquire(1, 0, 10).acquire(2, 200, 210).release(2, 300, 310);
  EXPECT_EQ(said(story.check(), kBelief), "violated:algorithm");
  story.nemesis(FaultStep::kill, 100, "kill", "", {1});
  EXPECT_EQ(said(story.check(), kBelief), "holds");
}

TEST(Exclusion, KilledClientsLateAnswerStartsNoBelief) {
  const auto v = HistoryBuilder::run(0)
                     .nemesis(FaultStep::kill, 5, "kill", "", {1})
                     .acquire(1, 0, 10)
                     .acquire(2, 20, 30)
                     .release(2, 40, 50)
                     .check();
  EXPECT_EQ(said(v, kBelief), "holds");
}

TEST(Exclusion, LeaveEndsTheBeliefAndAnIndeterminateRenewalDoesNot) {
  auto left = HistoryBuilder::run(2000).acquire(1, 0, 10).leave(1, 100);
  EXPECT_EQ(said(left.acquire(2, 200, 210).release(2, 300, 310).check(), kBelief), "holds");
  auto unsure = HistoryBuilder::run(2000).acquire(1, 0, 10).uncertain(1, Op::renew, 50, 100);
  EXPECT_EQ(said(unsure.acquire(2, 200, 210).release(2, 300, 310).check(), kBelief), "violated:algorithm");
  auto lost = HistoryBuilder::run(2000).acquire(1, 0, 10).not_held(1, Op::renew, 50, 100);
  EXPECT_EQ(said(lost.acquire(2, 200, 210).release(2, 300, 310).check(), kBelief), "holds");
}

TEST(Exclusion, RenewalExtendsThePromise) {
  auto story = HistoryBuilder::run(1000).acquire(1, 0, 10).renew(1, 900, 910).acquire(2, 1500, 1510);
  story.release(1, 1600, 1610).release(2, 1700, 1710);
  EXPECT_EQ(said(story.check(), kLease), "violated:renewed_in_vain");
  auto without = HistoryBuilder::run(1000).acquire(1, 0, 10).acquire(2, 1500, 1510);
  without.release(1, 1600, 1610).release(2, 1700, 1710);
  EXPECT_EQ(said(without.check(), kLease), "holds");
}

TEST(Exclusion, RenewalAfterALapseCountsFromItsAnswer) {
  auto story = HistoryBuilder::run(1000).acquire(1, 0, 10).acquire(2, 1500, 1510);
  story.renew(1, 1600, 1610).release(1, 2000, 2010).release(2, 2100, 2110);
  const auto v = story.check();
  EXPECT_EQ(said(v, kLease), "violated:algorithm");
  EXPECT_EQ(v.find(kLease)->witnesses.at(0).from_ns, 1'610'000'000);
}

TEST(Exclusion, AGrantAfterItsOwnLeaseIsLate) {
  auto story = HistoryBuilder::run(1000).acquire(2, 1100, 1110).acquire(1, 0, 1200);
  story.release(1, 1300, 1310).release(2, 1400, 1410);
  const auto v = story.check();
  EXPECT_EQ(said(v, kLease), "holds");
  EXPECT_EQ(said(v, kBelief), "violated:late_grant");
  EXPECT_EQ(v.find(kBelief)->coverage.at("late_grants"), 1);
  story.stall({2}, 100, 1200, 1000);
  EXPECT_EQ(said(story.check(), kBelief), "violated:late_grant") << "somebody else waited";
  story.stall({}, 100, 1200, 1000);
  EXPECT_EQ(said(story.check(), kBelief), "undecided") << "the server was kept from its processor";
}

// A waiter's turn, and so the begin of its lease, is unknown.
TEST(Exclusion, WaitingGrantIsNotLate) {
  const auto waits = [](HistoryHeader& header) { header.waits = true; };
  // Its turn may have come before the other's.
  auto story = HistoryBuilder::run(1000).header(waits).acquire(2, 1100, 1110).acquire(1, 0, 1200);
  story.release(1, 1300, 1310).release(2, 1400, 1410);
  const auto v = story.check();
  EXPECT_EQ(said(v, kLease), "holds");
  EXPECT_EQ(said(v, kBelief), "violated:overrun");
  EXPECT_EQ(v.find(kBelief)->coverage.at("late_grants"), 0);
  EXPECT_TRUE(
      contains(v.find(kBelief)->witnesses.at(0).text, "the end of its lease is unknown: its turn may have come later"))
      << v.find(kBelief)->witnesses.at(0).text;
  // It may not: it asked after the other had been granted it, for longer than it waited.
  auto within = HistoryBuilder::run(1000).header(waits).lease(9000).acquire(2, 50, 60);
  within.lease(1000).acquire(1, 100, 1200).release(1, 1300, 1310).release(2, 1400, 1410);
  EXPECT_EQ(said(within.check(), kBelief), "violated:algorithm");
}

TEST(Exclusion, WaitingGrantWithKnownTurnIsLate) {
  auto story = HistoryBuilder::run(1000).header([](HistoryHeader& header) { header.waits = true; });
  story.acquire(2, 1700, 1710).statement(10, 600, 1).acquire(1, 0, 1800);
  story.release(1, 1900, 1910).release(2, 2000, 2010);
  const auto v = story.check();
  EXPECT_EQ(said(v, kBelief), "violated:late_grant") << "answered at 0.600 s, heard at 1.800 s";
  EXPECT_EQ(v.find(kBelief)->coverage.at("late_grants"), 1);
  EXPECT_TRUE(contains(v.find(kBelief)->witnesses.at(0).text, "its lease had expired at 1.600 s, before the grant"))
      << v.find(kBelief)->witnesses.at(0).text;
}

TEST(Exclusion, WaitersLeaseCountsFromItsTurn) {
  auto story = HistoryBuilder::run(1000).header([](HistoryHeader& header) { header.waits = true; });
  story.fault("pause", "", {1}, 1250, 3000).acquire(1, 0, 1200).acquire(2, 2300, 2310);
  story.release(2, 2400, 2410).release(1, 3000, 3010);
  const auto v = story.check();
  EXPECT_EQ(said(v, kBelief), "violated:overrun") << "counted from its request it was over before it arrived";
  const std::string text = v.find(kBelief)->witnesses.at(0).text;
  EXPECT_FALSE(contains(text, "before the grant arrived")) << text;
  EXPECT_TRUE(contains(text, "its turn may have come later")) << text;
  const Span& span = v.timeline.spans.back();
  EXPECT_TRUE(v.timeline.spans.front().doubts.waited || span.doubts.waited);
}

// The server's reply cannot have been a grant.
TEST(Exclusion, BeliefWithoutReplyIsNamed) {
  const auto believed = [](const char* fault, std::vector<std::uint32_t> clients, std::int64_t from, std::int64_t to) {
    auto story = HistoryBuilder::run(1500).acquire(1, 0, 10).acquire(2, 50, 100).fault(fault, "", clients, from, to);
    const auto v = story.release(1, 300, 310).release(2, 400, 410).check();
    EXPECT_EQ(said(v, kLease), said(v, kBelief)) << fault;
    return said(v, kBelief);
  };
  EXPECT_EQ(believed("reply_lost", {2}, 80, 85), "violated:believed_unanswered");
  EXPECT_EQ(believed("request_lost", {2}, 60, 65), "violated:believed_unanswered");
  EXPECT_EQ(believed("reply_lost", {2}, 20, 30), "violated:algorithm") << "before it asked";
  EXPECT_EQ(believed("reply_lost", {3}, 80, 85), "violated:algorithm") << "of another";
  EXPECT_EQ(believed("server_read_only", {}, 20, 200), "violated:believed_unanswered");
  EXPECT_EQ(believed("server_read_only", {}, 60, 200), "violated:algorithm") << "it may have been granted just before";
}

TEST(Exclusion, GrantThatFoundNoRowIsNamed) {
  const auto granted = [](std::int64_t rows) {
    auto story = HistoryBuilder::run(1500).acquire(1, 0, 10).statement(51, 59, rows).acquire(2, 50, 60);
    return said(story.release(1, 300, 310).release(2, 400, 410).check(), kBelief);
  };
  EXPECT_EQ(granted(0), "violated:locked_nothing");
  EXPECT_EQ(granted(1), "violated:algorithm");
  EXPECT_EQ(granted(-1), "violated:algorithm") << "its answer was not seen";
}

// A client that asks before the renewal was answered may have been served before it.
TEST(Exclusion, GrantAfterAnAnsweredRenewalIsNamed) {
  const auto asked = [](std::int64_t sent) {
    auto story = HistoryBuilder::run(1500).acquire(1, 0, 10).renew(1, 500, 510);
    return story.acquire(2, sent, 700).release(1, 800, 810).release(2, 900, 910).check();
  };
  const auto v = asked(520);
  EXPECT_EQ(said(v, kBelief), "violated:renewed_in_vain");
  EXPECT_EQ(said(v, kLease), "violated:renewed_in_vain");
  EXPECT_EQ(said(asked(505), kBelief), "violated:algorithm");
  auto first = HistoryBuilder::run(1500).acquire(1, 0, 10).renew(1, 500, 510).release(1, 520, 530).acquire(1, 540, 550);
  EXPECT_EQ(said(first.acquire(2, 560, 570).release(1, 800, 810).release(2, 900, 910).check(), kBelief),
            "violated:algorithm")
      << "the renewal was of the grant before";
}

// Client 3 holds until 1.3 s; client 1 has waited since 0.1 s, longer than its lease of 1 s.
TEST(Exclusion, WaiterPastItsLeaseHoldsFromItsGrant) {
  const auto waited = [](std::int64_t other, std::int64_t let_go) {
    auto story = HistoryBuilder::run(1000).header([](HistoryHeader& header) { header.waits = true; }).measured();
    story.lease(1400).acquire(3, 0, 10).release(3, 1300, 1310);
    story.lease(1000).acquire(1, 100, 1320).acquire(2, other, other + 10);
    return story.release(1, let_go, let_go + 10).release(2, let_go + 50, let_go + 60);
  };
  EXPECT_EQ(said(waited(1330, 1500).check(), kBelief), "violated:waited_out");
  EXPECT_EQ(said(waited(2310, 2500).check(), kBelief), "violated:overrun") << "it held for longer than a lease";
  EXPECT_EQ(said(waited(1330, 1500).fault("pause", "", {1}, 1000, 1315).check(), kBelief), "violated:overrun")
      << "a fault kept the answer";
}

// Renewals by the lock itself are unseen: the end of its lease is unknown, and is not reported.
TEST(Exclusion, UnseenRenewalsLeaveTheLeaseEndOpen) {
  const auto unseen = [](HistoryHeader& header) { header.renews_unseen = true; };
  auto story = HistoryBuilder::run(1000).header(unseen).measured().acquire(1, 0, 10).acquire(2, 1500, 1510);
  story.release(1, 1800, 1810).release(2, 1900, 1910);
  const auto v = story.check();
  EXPECT_EQ(said(v, kBelief), "violated:renewals_ended") << "no fault kept it from renewing";
  EXPECT_EQ(said(v, kLease), "holds") << "no more than one lease is known to be promised";
  const std::string text = v.find(kBelief)->witnesses.at(0).text;
  EXPECT_TRUE(
      contains(text, "it was promised until 1.000 s, counted from its request; the lock may have renewed it by itself"))
      << text;
  EXPECT_FALSE(contains(text, "lease ended")) << text;
  EXPECT_TRUE(v.timeline.spans.at(0).doubts.renews_unseen);
  // It held on for 290 ms after the other came; the earlier end of its lease is unknown.
  story.stall({1}, 700, 1500, 250);
  EXPECT_EQ(said(story.check(), kBelief), "undecided");
  auto late = HistoryBuilder::run(1000).header(unseen).acquire(2, 1100, 1110).acquire(1, 0, 1200);
  late.release(1, 1300, 1310).release(2, 1400, 1410);
  EXPECT_EQ(late.check().find(kBelief)->coverage.at("late_grants"), 0) << "it may have renewed before it answered";
}

// With unseen renewals the end of a lease is unknown: a wrong clock is suspected, as inside a lease.
TEST(Exclusion, WrongClockIsSuspectedBesideUnseenRenewals) {
  const auto said_with = [](bool unseen, const std::function<void(HistoryBuilder&)>& faults) {
    auto story = HistoryBuilder::run(1000).header([&](HistoryHeader& header) { header.renews_unseen = unseen; });
    faults(story.measured());
    story.acquire(1, 0, 10).acquire(2, 1500, 1510).release(1, 1800, 1810).release(2, 1900, 1910);
    return said(story.check(), kBelief);
  };
  const auto skew = [](std::uint32_t client) {
    return [client](HistoryBuilder& story) { story.fault("client_skew", "client_skew", {client}, 900, 1600); };
  };
  EXPECT_EQ(said_with(true, skew(2)), "violated:client_skew");
  EXPECT_EQ(said_with(true, skew(1)), "violated:client_skew") << "the holder's own";
  EXPECT_EQ(said_with(true, skew(3)), "violated:overrun") << "of somebody who had no part in it";
  EXPECT_EQ(said_with(false, skew(2)), "violated:overrun") << "its lease was over, and it had not renewed";
  for (const char* name : {"pause", "partition", "kill"}) {
    const std::string cause = name == std::string("partition") ? name : "";
    EXPECT_EQ(said_with(true,
                        [&](HistoryBuilder& story) {
                          skew(2)(story);
                          story.fault(name, cause, {1}, 200, 1400);
                        }),
              "violated:overrun")
        << name << " kept it from renewing";
  }
}

// A fault that is over explains nothing of a lease that was asked for after it.
TEST(Exclusion, RenewalsEndByThemselvesOnlyWhereNoFaultActed) {
  const auto said_with = [](bool unseen, std::int64_t fault_ms) {
    auto story = HistoryBuilder::run(1000).header([&](HistoryHeader& header) { header.renews_unseen = unseen; });
    if (fault_ms >= 0) story.fault("partition", "partition", {3}, fault_ms, fault_ms + 100);
    story.measured().acquire(1, 500, 510).acquire(2, 2000, 2010).release(1, 2300, 2310).release(2, 2400, 2410);
    return said(story.check(), kBelief);
  };
  EXPECT_EQ(said_with(true, -1), "violated:renewals_ended");
  EXPECT_EQ(said_with(true, 100), "violated:renewals_ended");
  EXPECT_EQ(said_with(true, 450), "violated:overrun") << "it was in force as the holder asked";
  EXPECT_EQ(said_with(true, 900), "violated:overrun");
  EXPECT_EQ(said_with(false, -1), "violated:overrun") << "whoever renews is seen to";
}

TEST(Exclusion, ClientClockFaultsAreKnown) {
  for (const auto& [name, fault] : faults()) {
    const auto of_clocks = [](Capability need) {
      return need == Capability::client_clocks || need == Capability::client_drift;
    };
    const bool only = !fault->needs.empty() && std::all_of(fault->needs.begin(), fault->needs.end(), of_clocks);
    EXPECT_EQ(is_of_client_clocks(fault->cause), only) << name;
  }
}

TEST(Exclusion, PromiseWithoutALeaseHasNoEnd) {
  const auto v = HistoryBuilder::run(0).acquire(1, 0, 10).acquire(2, 900'000, 900'010).check();
  EXPECT_EQ(said(v, kLease), "violated:algorithm");
}

TEST(Exclusion, KeysAreIndependent) {
  const auto v = HistoryBuilder::run(2000).acquire(1, 0, 10).on(1).acquire(2, 20, 30).release(2, 200, 210).check();
  EXPECT_EQ(said(v, kBelief), "holds");
  EXPECT_EQ(said(v, kLease), "holds");
}

TEST(Exclusion, OverlapAtTheEndOfTheHistoryIsFound) {
  const auto v = HistoryBuilder::foreign("owner").acquire(1, 0, 10).acquire(2, 20, 30).check();
  EXPECT_EQ(said(v, kBelief), "violated:algorithm");
}

TEST(Exclusion, AReentrantHoldEndsWithItsOutermostRelease) {
  const auto told = [](const std::string& model) {
    auto story = HistoryBuilder::foreign(model);
    story.acquire(1, 0, 10).acquire(1, 20, 30).release(1, 40, 50).acquire(2, 60, 70).release(1, 80, 90);
    return said(story.check(), kBelief);
  };
  EXPECT_EQ(told("reentrant"), "violated:algorithm");
  EXPECT_EQ(told("owner"), "holds");
}

}  // namespace
}  // namespace holdfast
