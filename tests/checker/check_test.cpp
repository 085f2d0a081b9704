// The check as a whole: which properties apply, how they add up, what a failing one does, measures and timeline.
#include "checker/check.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "artifact/error.hpp"
#include "checker/property_set.hpp"
#include "tests/checker/history_builder.hpp"

namespace holdfast {
namespace {

HistoryBuilder one_hold(HistoryBuilder story) {
  return story.token(1).lease(1000).acquire(1, 0, 10).release(1, 20, 30);
}

TEST(Check, UnpromisedPropertyIsNotApplicable) {
  auto story = HistoryBuilder::run(1000).acquire(1, 0, 10).acquire(2, 20, 30);
  story.header([](HistoryHeader& h) { h.promises = {"progress"}; });
  const auto v = story.check();
  EXPECT_EQ(said(v, "mutual_exclusion"), "not_applicable");
  EXPECT_EQ(v.find("mutual_exclusion")->reason, "the lock makes no such promise");
  EXPECT_EQ(v.judgement, Judgement::not_exercised) << "progress alone counts";
}

TEST(Check, ModelSelectsThePropertiesOfAForeignHistory) {
  const auto judged = [](const std::string& model) {
    std::string names;
    for (const auto& p : one_hold(HistoryBuilder::foreign(model)).check().properties) {
      if (p.judgement != Judgement::not_applicable) names += p.property + " ";
    }
    return names;
  };
  EXPECT_EQ(judged("owner"), "mutual_exclusion ownership progress ");
  EXPECT_EQ(judged("reentrant"), "mutual_exclusion ownership progress ");
  EXPECT_EQ(judged("fenced"), "fencing mutual_exclusion ownership progress ");
  EXPECT_EQ(judged("plain"), "plain_exclusion progress ");
  EXPECT_EQ(judged("lease"), "lease_exclusion lease_service mutual_exclusion ownership progress ");
  EXPECT_THROW(judged("onwer"), BadInput);
}

TEST(Check, ListsUnjudgedParts) {
  auto story =
      HistoryBuilder::foreign("owner").token(5).acquire(1, 0, 10).release(1, 20, 30).token(3).acquire(2, 40, 50);
  story.refused(3, 60, 70, Reason::none).renew(4, 80, 90);
  const auto v = story.check();
  ASSERT_EQ(v.not_judged.size(), 2U);
  EXPECT_EQ(v.not_judged[0],
            "tokens decrease 1 times, first at #5 after #1; model owner does not judge them, --model fenced would");
  EXPECT_EQ(v.not_judged[1].find("1 failed acquires give no reason (first #7);"), 0U) << v.not_judged[1];
  const auto permits = HistoryBuilder::foreign("semaphore:1").acquire(1, 0, 10).renew(4, 80, 90).check();
  ASSERT_EQ(permits.not_judged.size(), 1U) << "models with an owner judge it";
  EXPECT_EQ(permits.not_judged[0].find("1 renewals by processes that were not known to hold the lock were answered ok"),
            0U);
  auto fine = HistoryBuilder::foreign("owner").acquire(1, 0, 10).renew(1, 12, 15).release(1, 20, 30);
  fine.acquire(2, 40, 50).refused(3, 60, 70);
  EXPECT_TRUE(fine.check().not_judged.empty());
  auto fenced =
      HistoryBuilder::foreign("fenced").token(5).acquire(1, 0, 10).release(1, 20, 30).token(3).acquire(2, 40, 50);
  EXPECT_TRUE(fenced.check().not_judged.empty()) << "judged";
}

TEST(Check, ListsUnjudgedTokensAndLeases) {
  const auto told = [](const std::string& model) {
    auto story = HistoryBuilder::foreign(model).lease(1000).token(5).acquire(1, 0, 10).release(1, 20, 30);
    std::string out;
    for (const auto& what : story.token(6).acquire(2, 40, 50).release(2, 60, 70).check().not_judged) out += what + "\n";
    return out;
  };
  EXPECT_EQ(told("owner"),
            "2 grants have a token; model owner does not judge tokens, --model fenced would\n"
            "2 grants have a lease; model owner does not judge leases, --model lease would\n");
  EXPECT_EQ(told("fenced"), "2 grants have a lease; model fenced does not judge leases, --model lease would\n");
  EXPECT_EQ(told("lease"), "2 grants have a token; model lease does not judge tokens, --model fenced would\n");
  EXPECT_EQ(told("semaphore:2"),
            "2 grants have a token; model semaphore:2 does not judge tokens\n"
            "2 grants have a lease; model semaphore:2 does not judge leases\n")
      << "no other model judges a semaphore";
}

TEST(Check, WarnsOfASilentHolder) {
  auto story = HistoryBuilder::foreign("owner").acquire(1, 0, 10);
  for (std::int64_t ms = 100; ms < 20'000; ms += 100) story.refused(2, ms, ms + 50);
  auto verdict = story.check();
  ASSERT_EQ(verdict.warnings.size(), 1U);
  EXPECT_EQ(verdict.warnings[0].find("process 1 held"), 0U) << verdict.warnings[0];
  EXPECT_NE(verdict.warnings[0].find("from #1 on and has no line in the last 19.94"), std::string::npos)
      << verdict.warnings[0];
  EXPECT_TRUE(story.release(1, 20'100, 20'150).check().warnings.empty()) << "it goes on";
  auto short_one = HistoryBuilder::foreign("owner").acquire(1, 0, 10);
  for (std::int64_t ms = 100; ms < 900; ms += 100) short_one.refused(2, ms, ms + 50);
  EXPECT_TRUE(short_one.check().warnings.empty()) << "less than a second";
}

TEST(Check, RefusesUnknownPromise) {
  auto story = one_hold(HistoryBuilder::run(1000));
  story.header([](HistoryHeader& h) { h.promises = {"fencin"}; });
  EXPECT_THROW(story.check(), BadInput);
}

TEST(Check, ModelLeaseNeedsTimesAndLeases) {
  EXPECT_THROW(HistoryBuilder::foreign("lease").acquire(1, 0, 10).check(), BadInput);
  EXPECT_NO_THROW(one_hold(HistoryBuilder::foreign("lease")).check());
}

TEST(Check, WorstPropertyDecides) {
  auto story = one_hold(HistoryBuilder::run(1000));
  story.header([](HistoryHeader& h) { h.promises = {"mutual_exclusion", "ownership"}; });
  EXPECT_EQ(story.check().judgement, Judgement::not_exercised);
  auto undecided = story.acquire(1, 100, 110).acquire(2, 1200, 1210);
  EXPECT_EQ(undecided.check().judgement, Judgement::undecided);
  EXPECT_EQ(undecided.acquire(3, 1220, 1230).check().judgement, Judgement::violated);
  EXPECT_EQ(one_hold(HistoryBuilder::foreign("owner")).check().judgement, Judgement::holds);
}

HistoryBuilder cleaned_up(const char* model) {
  return HistoryBuilder::foreign(model)
      .acquire(2, 0, 1)
      .release(2, 2, 3)
      .uncertain(1, Op::acquire, 4, 10)
      .not_held(1, Op::release, 20, 30);
}

TEST(Check, ReusedIdentityWithoutOrderSearchIsUndecided) {
  EXPECT_EQ(cleaned_up("semaphore:1").check().judgement, Judgement::holds) << "one release may clean up";
  const auto v = cleaned_up("semaphore:1").acquire(1, 40, 50).check();
  EXPECT_EQ(said(v, "permits"), "undecided");
  EXPECT_NE(v.find("permits")->reason.find(":9: process 1 continues"), std::string::npos);
  EXPECT_EQ(said(cleaned_up("semaphore:1").acquire(1, 40, 50).acquire(2, 60, 70).check(), "permits"),
            "violated:too_many_holders")
      << "a violation wins";
}

TEST(Check, ReusedIdentityIsJudgedByAllOrders) {
  EXPECT_EQ(cleaned_up("owner").acquire(1, 40, 50).check().judgement, Judgement::holds);
  EXPECT_EQ(said(cleaned_up("owner").acquire(1, 40, 50).acquire(2, 60, 70).check(), "mutual_exclusion"),
            "violated:algorithm");
  // Too many for a search: it is unknown which of them took effect.
  auto story = HistoryBuilder::foreign("owner").acquire(2, 0, 1).release(2, 2, 3);
  for (int i = 0; i < 70; ++i) story.uncertain(10 + i, Op::acquire, 4, 10);
  const auto v = story.acquire(10, 40, 50).check();
  EXPECT_EQ(said(v, "ownership"), "undecided");
  EXPECT_NE(v.find("ownership")->reason.find("process 10 continues"), std::string::npos);
}

class Fails : public Property {
 public:
  explicit Fails(const PropertyContext&) {}
  void event(const Event&) override { throw std::runtime_error("out of luck"); }
  PropertyVerdict finish() override { return {}; }
};

class Counts : public Property {
 public:
  explicit Counts(const PropertyContext&) {}
  void event(const Event&) override { ++events_; }
  PropertyVerdict finish() override {
    PropertyVerdict verdict;
    verdict.judgement = Judgement::holds;
    verdict.count = events_;
    return verdict;
  }

 private:
  std::int64_t events_ = 0;
};

class CountsFewer : public Counts {
 public:
  using Counts::Counts;
  static EventFilter few() {
    return EventFilter::none()
        .with(Op::release)
        .without(EventType::ok, Op::release)
        .with(EventType::info)
        .with_others();
  }
  EventFilter events_wanted() const override { return few(); }
};

TEST(EventFilter, SelectsEventsByKind) {
  const auto told = [](Actor actor, EventType type, Op op) {
    Event event;
    event.actor = actor;
    event.type = type;
    event.op = op;
    return CountsFewer::few().has(EventFilter::kind(event));
  };
  EXPECT_TRUE(told(Actor::client, EventType::invoke, Op::release));
  EXPECT_FALSE(told(Actor::client, EventType::ok, Op::release));
  EXPECT_TRUE(told(Actor::client, EventType::info, Op::write));
  EXPECT_FALSE(told(Actor::client, EventType::fail, Op::write));
  EXPECT_TRUE(told(Actor::nemesis, EventType::ok, Op::acquire));
  EXPECT_TRUE(told(Actor::resource, EventType::ok, Op::write));
}

TEST(PropertySet, ThrowingPropertyIsUndecidedAndOthersContinue) {
  const PropertyWords words{.promised_by = PromisedBy::every_lock};
  const PropertyType fails{.words = &words, .models = "owner", .make = make_property<Fails>};
  const PropertyType counts{.words = &words, .models = "owner", .make = make_property<Counts>};
  const PropertyType few{.words = &words, .models = "owner", .make = make_property<CountsFewer>};
  const HistoryHeader header;
  const Names names;
  const FaultLog faults;
  const Story story(header, names);
  struct : HoldListener {
    void granted(const Hold&) override {}
    void ended(const Hold&) override {}
  } nobody;
  const Holds holds(header, nobody);
  const Causes causes(faults, holds);
  const StruckAcquires struck(header, holds, faults);
  const HoldCoverage coverage(header, holds, faults, struck);
  const PlainChanges plain;
  KeyOrders orders(header, holds, story);
  PropertySet properties({header, names, holds, faults, causes, story, coverage, struck, plain, orders},
                         {{"counts", &counts}, {"fails", &fails}, {"few", &few}});
  properties.event({});
  properties.event({});
  const auto verdicts = properties.finish();
  EXPECT_EQ(verdicts.at(0).judgement, Judgement::holds);
  EXPECT_EQ(verdicts.at(0).count, 2);
  EXPECT_EQ(verdicts.at(1).judgement, Judgement::undecided);
  EXPECT_EQ(verdicts.at(1).reason, "check failed: out of luck");
  EXPECT_EQ(verdicts.at(2).count, 0) << "it hears of no invoked acquire";
}

TEST(Measures, CountOperations) {
  auto story = HistoryBuilder::run(1000).acquire(1, 0, 10).refused(2, 20, 30).refused(2, 40, 50, Reason::conflict);
  story.release(1, 60, 70).acquire(2, 80, 120).uncertain(2, Op::renew, 130, 140).invoke(2, Op::release, 150);
  const Measures m = story.check().measures;
  EXPECT_EQ(m.operations, 7);
  EXPECT_EQ(m.grants, 2);
  EXPECT_EQ(m.refusals, 1);
  EXPECT_EQ(m.conflicts, 1);
  EXPECT_EQ(m.indeterminate, 2) << "the renewal, and the release that was never answered";
  EXPECT_NEAR(static_cast<double>(m.wait_p50_ns), 10e6, 0.2e6);
  EXPECT_NEAR(static_cast<double>(m.wait_p99_ns), 100e6, 2e6) << "from client 2's first attempt";
}

TEST(Timeline, ShowsHoldsFaultsAndWrites) {
  auto story = HistoryBuilder::run(1000).acquire(1, 0, 10).write(1, 12, 14).release(1, 20, 30).acquire(2, 40, 50);
  const Timeline t = story.fault("pause", "", {2}, 60, 90).check().timeline;
  EXPECT_EQ(t.end_ns, 90'000'000);
  EXPECT_FALSE(t.cut);
  ASSERT_EQ(t.spans.size(), 2u);
  EXPECT_EQ(t.spans[0].from_ns, 10'000'000);
  EXPECT_EQ(t.spans[0].to_ns, 20'000'000);
  EXPECT_EQ(t.spans[0].lease_end_ns, 1'000'000'000);
  EXPECT_EQ(t.spans[1].to_ns, 90'000'000) << "believed to the end";
  ASSERT_EQ(t.faults.size(), 1u);
  EXPECT_EQ(t.faults[0].from_ns, 60'000'000);
  EXPECT_EQ(t.faults[0].to_ns, 90'000'000);
  ASSERT_EQ(t.writes.size(), 1u);
  EXPECT_EQ(t.writes[0].result, "ok");
}

TEST(Timeline, LongHistoryKeepsTheFirstViolationsNeighbourhood) {
  auto story = HistoryBuilder::run(0);
  const auto holds = [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t t = from; t < to; t += 10) story.acquire(1, t, t + 1).release(1, t + 5, t + 6);
  };
  holds(0, 50'000);
  story.acquire(1, 50'000, 50'001).acquire(2, 50'002, 50'003).release(1, 50'004, 50'005).release(2, 50'006, 50'007);
  holds(50'010, 100'000);
  const Timeline t = story.check().timeline;
  EXPECT_TRUE(t.cut);
  EXPECT_LE(t.spans.size(), 4000u);
  EXPECT_LT(t.spans.front().from_ns, 50'000'000'000);
  EXPECT_GT(t.spans.back().from_ns, 50'003'000'000);
  EXPECT_LT(t.spans.back().from_ns, 80'000'000'000);
}

}  // namespace
}  // namespace holdfast
