// progress: a call that had not come back when its client was ended, long after everything was healed.
#include <gtest/gtest.h>

#include "tests/checker/history_builder.hpp"

namespace holdfast {
namespace {

const char* const kJudged = "progress";

// Healed at 1 s. Client 2 was refused before and is granted after; client 1's release, called at `called`, is open when
// it is ended at `ended`. A lease of 2 s and a progress bound of 3 s: 5 s are allowed.
HistoryBuilder hung(std::int64_t called, std::int64_t ended, std::vector<std::uint32_t> clients = {1}) {
  auto story = HistoryBuilder::run(2000).header([](HistoryHeader& header) {
    header.progress_bound_ns = 3'000'000'000;
    header.faults_planned = false;
  });
  story.acquire(1, 0, 10).refused(2, 20, 30);
  story.nemesis(FaultStep::healed, 1000, "run");
  story.invoke(1, Op::release, called).acquire(2, 4500, 4510).release(2, 4520, 4530);
  story.nemesis(FaultStep::unanswered, ended, "run", "", std::move(clients));
  return story;
}

TEST(NoReturn, CallOpenPastLeaseAndBoundIsViolated) {
  const auto v = hung(500, 6100).check();
  EXPECT_EQ(said(v, kJudged), "violated:no_return");
  const Witness& witness = v.find(kJudged)->witnesses.at(0);
  EXPECT_EQ(witness.clients, std::vector<std::uint32_t>{1});
  EXPECT_NE(witness.text.find("Client 1 called release for \"k0\" at 0.500 s (#"), std::string::npos) << witness.text;
  EXPECT_NE(witness.text.find("5100 ms after 1.000 s, from when on no fault was active."), std::string::npos)
      << witness.text;
}

TEST(NoReturn, CountsFromTheHealAndFromTheCall) {
  EXPECT_EQ(said(hung(500, 6000).check(), kJudged), "undecided") << "5 s after the heal";
  EXPECT_EQ(said(hung(2000, 7000).check(), kJudged), "undecided") << "5 s after the call";
  EXPECT_EQ(said(hung(2000, 7100).check(), kJudged), "violated:no_return");
}

TEST(NoReturn, ClientOutsideACallIsUndecided) {
  const auto v = hung(500, 9000, {2}).check();
  EXPECT_EQ(said(v, kJudged), "undecided");
  EXPECT_EQ(v.find(kJudged)->reason, "client 2 did not end, although it had no open call");
}

TEST(NoReturn, WriteIsNotALockCall) {
  auto story = HistoryBuilder::run(2000).header([](HistoryHeader& header) { header.faults_planned = false; });
  story.acquire(1, 0, 10).refused(2, 20, 30).nemesis(FaultStep::healed, 1000, "run").invoke(1, Op::write, 1100);
  story.acquire(2, 4500, 4510).release(2, 4520, 4530).nemesis(FaultStep::unanswered, 99'000, "run", "", {1});
  EXPECT_EQ(said(story.check(), kJudged), "undecided");
}

TEST(NoReturn, MissingHealIsUndecided) {
  auto story = HistoryBuilder::run(2000).acquire(1, 0, 10).refused(2, 20, 30).invoke(1, Op::release, 500);
  story.acquire(2, 4500, 4510).release(2, 4520, 4530).nemesis(FaultStep::unanswered, 99'000, "run", "", {1});
  EXPECT_EQ(said(story.check(), kJudged), "undecided");
}

TEST(NoReturn, WaitsForAProcessorMakeItUndecided) {
  EXPECT_EQ(said(hung(500, 6100).stall({1}, 2000, 3000, 500).check(), kJudged), "undecided");
}

}  // namespace
}  // namespace holdfast
