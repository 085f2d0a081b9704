// Holds that have not ended: with `first_violation`, a violation is found as soon as time has passed since the second
// grant, also while the source waits.
#include <gtest/gtest.h>

#include "artifact/units.hpp"
#include "checker/check.hpp"
#include "tests/checker/history_builder.hpp"
#include "tests/checker/said.hpp"

namespace holdfast {
namespace {

// Gives its events, then waits: time passes, a millisecond at each wait, until the reader has seen enough.
class WaitingSource : public HistorySource {
 public:
  WaitingSource(const std::string& model, std::vector<Event> events) : events_(std::move(events)) {
    header_.model = model;
    for (int i = 0; i < 10; ++i) names_.processes.id_of(std::to_string(i));
    names_.keys = {"k", "k1"};
  }
  const HistoryHeader& header() const override { return header_; }
  const Names& names() const override { return names_; }
  const std::string& path() const override { return path_; }
  std::uint64_t position() const override { return given_; }
  bool may_tie() const override { return given_ < events_.size() && events_[given_].time_ns == now_ns_; }
  void while_waiting(const Waiting& ends) override { ends_ = ends; }
  bool next(Event& event) override {
    if (given_ < events_.size()) {
      event = events_[given_++];
      now_ns_ = event.time_ns;
      return true;
    }
    while (waited_ < 100) {
      ++waited_;
      if (ends_ && ends_(now_ns_ + waited_ * kMillisecond_ns)) return false;
    }
    return false;
  }
  int waited() const { return waited_; }

 private:
  std::vector<Event> events_;
  HistoryHeader header_;
  Names names_;
  std::string path_ = "waiting";
  Waiting ends_;
  std::size_t given_ = 0;
  std::int64_t now_ns_ = 0;
  int waited_ = 0;
};

struct FollowedCheck {
  TrialVerdict verdict;
  int waited = 0;
};

FollowedCheck follow(const std::string& model, const HistoryBuilder& history) {
  WaitingSource source(model, history.events());
  FollowedCheck out;
  out.verdict = check_history(source, model, CheckScope::first_violation);
  out.waited = source.waited();
  return out;
}

TEST(OpenHolds, SecondGrantIsToldBeforeAnythingIsReleased) {
  for (const char* model : {"owner", "reentrant", "fenced"}) {
    const auto history = HistoryBuilder::foreign(model).acquire(1, 0, 10).acquire(2, 5, 20);
    const FollowedCheck followed = follow(model, history);
    EXPECT_EQ(said(followed.verdict, "mutual_exclusion"), "violated:algorithm") << model;
    EXPECT_EQ(followed.waited, 1) << model;
  }
}

TEST(OpenHolds, OneHolderIsNoViolation) {
  const auto once = HistoryBuilder::foreign("owner").acquire(1, 0, 10).refused(2, 15, 20);
  EXPECT_EQ(follow("owner", once).waited, 100);
  const auto in_turn = HistoryBuilder::foreign("owner").acquire(1, 0, 10).release(1, 20, 30).acquire(2, 15, 40);
  EXPECT_EQ(follow("owner", in_turn).waited, 100);
  const auto again = HistoryBuilder::foreign("reentrant").acquire(1, 0, 10).acquire(1, 15, 20);
  EXPECT_EQ(follow("reentrant", again).waited, 100);
}

// A release at the very time of the second grant comes before it.
TEST(OpenHolds, ReleaseAtTheSameTimeIsNoViolation) {
  auto history = HistoryBuilder::foreign("owner").acquire(1, 0, 10).release(1, 20, 30).acquire(2, 15, 20);
  const FollowedCheck followed = follow("owner", history);
  EXPECT_EQ(said(followed.verdict, "mutual_exclusion"), "holds");
  EXPECT_EQ(followed.waited, 100);
}

TEST(OpenHolds, LaterEventOfAnotherKeyIsEnough) {
  auto history = HistoryBuilder::foreign("owner").acquire(1, 0, 10).acquire(2, 5, 20).on(1).acquire(3, 30, 40);
  const FollowedCheck followed = follow("owner", history);
  EXPECT_EQ(said(followed.verdict, "mutual_exclusion"), "violated:algorithm");
  EXPECT_EQ(followed.waited, 0);
}

TEST(OpenHolds, LeaseThatIsOverExcludesNothing) {
  auto within = HistoryBuilder::foreign("lease").lease(1000).acquire(1, 0, 10).lease(1000).acquire(2, 5, 20);
  EXPECT_EQ(said(follow("lease", within).verdict, "lease_exclusion"), "violated:algorithm");
  EXPECT_LE(follow("lease", within).waited, 1);
  auto after = HistoryBuilder::foreign("lease").lease(100).acquire(1, 0, 10).lease(100).acquire(2, 110, 120);
  EXPECT_EQ(follow("lease", after).waited, 100);
}

TEST(OpenHolds, VerdictIsThatOfTheWholeHistory) {
  const auto history = HistoryBuilder::foreign("owner").acquire(1, 0, 10).acquire(2, 5, 20).release(2, 30, 31);
  EXPECT_EQ(said(history.check(), "mutual_exclusion"), "violated:algorithm");
  EXPECT_EQ(said(follow("owner", history).verdict, "mutual_exclusion"), "violated:algorithm");
}

}  // namespace
}  // namespace holdfast
