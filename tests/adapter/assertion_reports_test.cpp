// Assertions of an adapter: what is passed on of many, and what is refused.
#include "adapter/assertion_reports.hpp"

#include <gtest/gtest.h>

#include "tests/refusal.hpp"

namespace holdfast {
namespace {

class AssertionReportsTest : public testing::Test {
 protected:
  void hear(MessageName is, const std::string& name, std::optional<bool> holds, std::int64_t count = 1) {
    AdapterSaid said;
    said.message.name = is;
    said.message.assertion = name;
    said.message.holds = holds;
    said.message.count = count;
    said.message.why = "because";
    said.read_ns = ++now_ns_;
    reports_.hear(said);
  }
  std::vector<AssertionReport> of(AssertionResult result) const {
    std::vector<AssertionReport> out;
    for (const auto& one : passed_) {
      if (one.result == result) out.push_back(one);
    }
    return out;
  }
  std::string refused(MessageName is, const std::string& name) {
    try {
      hear(is, name, true);
    } catch (const BadMessage& wrong) {
      return wrong.what();
    }
    return "accepted";
  }

  std::int64_t now_ns_ = 0;
  std::vector<AssertionReport> passed_;
  AssertionReports reports_{[this](const AssertionReport& one) { passed_.push_back(one); }};
};

TEST_F(AssertionReportsTest, FirstOfEachResultIsPassedOnAtOnce) {
  hear(MessageName::always, "a", true);
  hear(MessageName::always, "a", false);
  ASSERT_EQ(passed_.size(), 3U) << "announced, held, failed";
  EXPECT_EQ(passed_[2].result, AssertionResult::failed);
  EXPECT_EQ(passed_[2].read_ns, 2);
  EXPECT_EQ(passed_[2].why, "because");
}

TEST_F(AssertionReportsTest, ManyAreCountedInFewReports) {
  for (int i = 0; i < 100'000; ++i) hear(MessageName::always, "a", true);
  EXPECT_LT(passed_.size(), 20U);
  reports_.finish(now_ns_);
  EXPECT_EQ(of(AssertionResult::held).back().count, 100'000);
  const std::size_t all = passed_.size();
  reports_.finish(now_ns_);
  EXPECT_EQ(passed_.size(), all) << "nothing new";
}

TEST_F(AssertionReportsTest, CountsAreAddedAndBounded) {
  hear(MessageName::reached, "a", std::nullopt, kMostEvaluations - 1);
  hear(MessageName::reached, "a", std::nullopt, kMostEvaluations - 1);
  reports_.finish(now_ns_);
  EXPECT_EQ(of(AssertionResult::held).back().count, kMostEvaluations);
}

TEST_F(AssertionReportsTest, AnnouncedAssertionIsKnownOnce) {
  reports_.announce({{AssertionKind::sometimes, "a"}}, 1);
  reports_.announce({{AssertionKind::sometimes, "a"}}, 2);
  EXPECT_EQ(of(AssertionResult::announced).size(), 1U);
  EXPECT_TRUE(of(AssertionResult::held).empty());
}

TEST_F(AssertionReportsTest, NameHasOneKind) {
  hear(MessageName::always, "a", true);
  EXPECT_TRUE(contains(refused(MessageName::sometimes, "a"), "as `always` and as `sometimes`; remedy: "));
}

TEST_F(AssertionReportsTest, NamesAreBounded) {
  for (std::size_t i = 0; i < kMostAssertions; ++i) hear(MessageName::always, "a" + std::to_string(i), true);
  EXPECT_EQ(refused(MessageName::always, "a0"), "accepted");
  EXPECT_TRUE(contains(refused(MessageName::always, "one more"), "more than 100 assertions"));
}

TEST_F(AssertionReportsTest, OtherMessagesAreIgnored) {
  AdapterSaid lost;
  lost.message.name = MessageName::lost;
  reports_.hear(lost);
  EXPECT_TRUE(passed_.empty());
}

}  // namespace
}  // namespace holdfast
