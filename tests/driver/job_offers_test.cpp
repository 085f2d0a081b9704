// Jobs that a scheduler began: each is taken once, in its order, and not once it is lost; the receiver of a loss
// notice; and the client's owner name.
#include "driver/job_offers.hpp"

#include <gtest/gtest.h>

#include "driver/leader_owner.hpp"
#include "driver/loss_reports.hpp"

namespace holdfast {
namespace {

AdapterSaid unasked(MessageName name, const std::string& lock, std::optional<std::int64_t> thread = std::nullopt,
                    std::optional<std::uint64_t> token = std::nullopt) {
  AdapterSaid out;
  out.message.name = name;
  out.message.lock = lock;
  out.message.thread = thread;
  out.message.token = token;
  out.read_ns = 7;
  return out;
}

TEST(JobOffers, AreTakenOnceInTheirOrder) {
  JobOffers offers;
  EXPECT_FALSE(offers.take("a", 0));
  offers.hear(unasked(MessageName::granted, "a", 1, 10));
  offers.hear(unasked(MessageName::granted, "a", 2, 11));
  offers.hear(unasked(MessageName::granted, "b"));
  const auto first = offers.take("a", 0);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->token, std::optional<std::uint64_t>(10));
  EXPECT_EQ(first->thread, std::optional<std::int64_t>(1));
  EXPECT_EQ(first->read_ns, 7);
  EXPECT_EQ(offers.take("a", 0)->token, std::optional<std::uint64_t>(11));
  EXPECT_FALSE(offers.take("a", 0));
  EXPECT_TRUE(offers.take("b", 0));
}

TEST(JobOffers, JobLostBeforeItIsTakenIsDropped) {
  JobOffers offers;
  offers.hear(unasked(MessageName::granted, "a", 1));
  offers.hear(unasked(MessageName::granted, "a", 2));
  offers.hear(unasked(MessageName::lost, "a", 1));
  EXPECT_EQ(offers.take("a", 0)->thread, std::optional<std::int64_t>(2));
  offers.hear(unasked(MessageName::granted, "a", 3));
  offers.hear(unasked(MessageName::lost, "b"));
  offers.hear(unasked(MessageName::lost, "a"));
  EXPECT_FALSE(offers.take("a", 0));
}

TEST(JobOffers, TooManyOffersAreRefused) {
  JobOffers offers;
  const auto offered = [&offers](int most) {
    for (int i = 0; i < most; ++i) offers.hear(unasked(MessageName::granted, "a"));
  };
  EXPECT_NO_THROW(offered(1'000));
  EXPECT_THROW(offered(1), BadMessage);
  EXPECT_TRUE(offers.take("a", 0));
  EXPECT_NO_THROW(offered(1)) << "one of them is taken";
}

TEST(LossReports, KeepsTheNewestNoticesOfManyThreads) {
  LossReports said;
  constexpr int kThreads = 3'000;
  for (int thread = 0; thread < kThreads; ++thread) {
    AdapterSaid notice = unasked(MessageName::lost, "a", thread);
    notice.read_ns = 7 + thread;
    said.hear(notice);
  }
  EXPECT_FALSE(said.lost_since("a", 0, 6)) << "the oldest is dropped";
  EXPECT_TRUE(said.lost_since("a", kThreads - 1, 6));
  EXPECT_TRUE(said.lost_since("a", kThreads - 900, 6));
}

TEST(LossReports, NoticeIsForItsThreadOrForAll) {
  LossReports said;
  said.hear(unasked(MessageName::granted, "a", 1));
  EXPECT_FALSE(said.lost_since("a", 1, 6));
  said.hear(unasked(MessageName::lost, "a", 1));
  EXPECT_TRUE(said.lost_since("a", 1, 6));
  EXPECT_FALSE(said.lost_since("a", 1, 7)) << "a grant that came later";
  EXPECT_FALSE(said.lost_since("a", 2, 6));
  EXPECT_FALSE(said.lost_since("b", 1, 6));
  said.hear(unasked(MessageName::lost, "b"));
  EXPECT_TRUE(said.lost_since("b", 1, 6));
  EXPECT_TRUE(said.lost_since("b", 2, 6));
}

TEST(LossReports, ClientWithoutThreadSeesANoticeForAThread) {
  LossReports said;
  said.hear(unasked(MessageName::lost, "a", 0));
  EXPECT_TRUE(said.lost_since("a", std::nullopt, 6));
  EXPECT_FALSE(said.lost_since("a", std::nullopt, 7));
  JobOffers offers;
  offers.hear(unasked(MessageName::granted, "a"));
  offers.hear(unasked(MessageName::lost, "a", 0));
  EXPECT_FALSE(offers.take("a", 0));
}

TEST(LeaderOwner, ParsesClientEmptyAndMistakes) {
  EXPECT_EQ(client_of_owner(owner_of_client(12)), std::optional<std::uint32_t>(12));
  EXPECT_FALSE(client_of_owner(""));
  for (const char* wrong : {"client-", "client-01", "client-99999", "client--1", "me", "client-1 "}) {
    EXPECT_THROW(client_of_owner(wrong), BadMessage) << wrong;
  }
}

}  // namespace
}  // namespace holdfast
