// The pool of trials, with jobs that only pretend: starts, their order and number, and reports.
#include "suite/trial_pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "artifact/poll_until.hpp"

namespace holdfast {
namespace {

constexpr int kLong_ms = 10'000;

class TrialPool : public testing::Test {
 protected:
  using Behave = std::function<void(std::size_t number, bool alone)>;

  static void nothing(std::size_t, bool) {}

  // Each job reports its start, a server of its own number and one stall.
  PoolJob job(std::size_t number, const Behave& behave = nothing) {
    const auto run = [this, number, behave](bool alone) {
      {
        const std::lock_guard guard(mutex_);
        begun.push_back(number);
        if (alone) begun_alone.push_back(number);
        most_at_once = std::max(most_at_once, ++running);
      }
      behave(number, alone);
      const std::lock_guard guard(mutex_);
      --running;
      StoredResult ended;
      ended.server = "server " + std::to_string(number);
      ended.stalls = 1;
      return ended;
    };
    return {number, run};
  }

  std::vector<PoolJob> jobs(std::size_t count, const Behave& behave = nothing) {
    std::vector<PoolJob> out;
    for (std::size_t i = 0; i < count; ++i) out.push_back(job(i, behave));
    return out;
  }

  // Jobs in `spoilt` are invalidated by every run.
  TrialWork work_of(std::vector<PoolJob> list, const std::vector<std::size_t>& spoilt = {}) {
    TrialWork work;
    work.next = in_order(std::move(list));
    work.done = [this, spoilt](std::size_t number, const StoredResult&) {
      told.push_back(number);
      return std::find(spoilt.begin(), spoilt.end(), number) != spoilt.end();
    };
    return work;
  }

  std::size_t begun_so_far() {
    const std::lock_guard guard(mutex_);
    return begun.size();
  }

  std::vector<std::size_t> begun;
  std::vector<std::size_t> begun_alone;
  std::vector<std::size_t> told;
  int running = 0;
  int most_at_once = 0;
  std::atomic<bool> interrupted{false};
  TrialEnvironment environment;

 private:
  std::mutex mutex_;
};

using Numbers = std::vector<std::size_t>;

TEST_F(TrialPool, RunsInTheGivenOrder) {
  run_trials(work_of({job(2), job(0), job(1)}), 1, interrupted, environment);
  EXPECT_EQ(begun, (Numbers{2, 0, 1}));
  EXPECT_EQ(told, begun);
  EXPECT_EQ(most_at_once, 1);
}

TEST_F(TrialPool, LimitsParallelTrials) {
  const Behave until_three = [this](std::size_t number, bool) {
    if (number < 3) poll_until([this] { return begun_so_far() >= 3; }, 1, after_ms(kLong_ms));
  };
  run_trials(work_of(jobs(12, until_three)), 3, interrupted, environment);
  EXPECT_EQ(most_at_once, 3);
  std::sort(told.begin(), told.end());
  EXPECT_EQ(told, (Numbers{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
}

TEST_F(TrialPool, SumsUpServersAndStalls) {
  run_trials(work_of(jobs(3)), 1, interrupted, environment);
  EXPECT_EQ(environment.servers, (std::set<std::string>{"server 0", "server 1", "server 2"}));
  EXPECT_EQ(environment.stalls, 3);
}

TEST_F(TrialPool, InvalidatedTrialsRunAgainAloneAtTheEnd) {
  std::size_t asked = 0;
  TrialWork work = work_of(jobs(4), {1, 3});
  work.alone_begins = [&](std::size_t count) { asked = count; };
  run_trials(work, 2, interrupted, environment);
  std::sort(begun_alone.begin(), begun_alone.end());
  EXPECT_EQ(begun_alone, (Numbers{1, 3})) << "once more, not again and again";
  EXPECT_EQ(asked, 2U);
  ASSERT_EQ(begun.size(), 6U);
  EXPECT_TRUE(std::is_permutation(begun.begin() + 4, begun.end(), begun_alone.begin())) << "after all others";
  EXPECT_EQ(told.size(), 6U);
}

// The decision may depend on how others of its cell ended, so it is made last.
TEST_F(TrialPool, UnneededTrialsAreNotRunAgain) {
  TrialWork work = work_of(jobs(4), {1, 3});
  std::size_t asked = 0;
  work.worth_another = [this](std::size_t number) { return told.size() == 4 && number == 3; };
  work.alone_begins = [&](std::size_t count) { asked = count; };
  run_trials(work, 2, interrupted, environment);
  EXPECT_EQ(begun_alone, (Numbers{3}));
  EXPECT_EQ(asked, 1U);
}

TEST_F(TrialPool, ValidTrialsAreNotRunAgain) {
  run_trials(work_of(jobs(4)), 2, interrupted, environment);
  EXPECT_TRUE(begun_alone.empty());
}

TEST_F(TrialPool, EarlierInvalidatedTrialsRunAloneToo) {
  TrialWork work = work_of({job(0)});
  work.spoilt = {job(7)};
  run_trials(work, 2, interrupted, environment);
  EXPECT_EQ(begun, (Numbers{0, 7}));
  EXPECT_EQ(begun_alone, (Numbers{7}));
}

TEST_F(TrialPool, InterruptStopsStartsAndReports) {
  const Behave interrupts = [this](std::size_t number, bool) {
    if (number == 1) interrupted.store(true);
  };
  run_trials(work_of(jobs(5, interrupts), {0}), 1, interrupted, environment);
  EXPECT_EQ(begun, (Numbers{0, 1}));
  EXPECT_EQ(told, (Numbers{0})) << "1 was cut off";
  EXPECT_EQ(environment.stalls, 1);
}

TEST_F(TrialPool, StopRuleStopsStartsButReportsTheLast) {
  TrialWork work = work_of(jobs(5), {0});
  work.over = [this] { return told.size() == 2; };
  run_trials(work, 1, interrupted, environment);
  EXPECT_EQ(begun, (Numbers{0, 1}));
  EXPECT_EQ(told, (Numbers{0, 1}));
  EXPECT_TRUE(begun_alone.empty());
}

// The others take two seconds together, if they begin.
TEST_F(TrialPool, ExceptionStopsStarts) {
  const Behave throws = [this](std::size_t number, bool) {
    poll_until([this] { return begun_so_far() >= 2; }, 1, after_ms(kLong_ms));
    if (number == 1) throw std::runtime_error("the disk is full");
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  };
  EXPECT_THROW(run_trials(work_of(jobs(100, throws), {0}), 2, interrupted, environment), std::runtime_error);
  EXPECT_LT(begun.size(), 100U);
  EXPECT_TRUE(begun_alone.empty());
}

TEST_F(TrialPool, RunningTrialsFinishAfterAnException) {
  const Behave throws = [this](std::size_t number, bool) {
    poll_until([this] { return begun_so_far() == 2; }, 1, after_ms(kLong_ms));
    if (number == 1) throw std::runtime_error("the disk is full");
  };
  EXPECT_THROW(run_trials(work_of(jobs(2, throws)), 2, interrupted, environment), std::runtime_error);
  EXPECT_EQ(told, (Numbers{0}));
}

// As controls of causes do: what is to be asked depends on what was answered.
TEST_F(TrialPool, FinishedTrialMayAddMore) {
  std::atomic<int> in_vain{0};
  const Behave until_another = [&](std::size_t number, bool) {
    if (number == 0) poll_until([&] { return in_vain.load() >= 2; }, 1, after_ms(kLong_ms));
    if (number > 0) poll_until([this] { return begun_so_far() >= 3; }, 1, after_ms(kLong_ms));
  };
  std::size_t brought = 1;
  std::size_t taken = 0;
  TrialWork work = work_of({});
  work.next = [&]() -> std::optional<PoolJob> {
    if (taken == brought) {
      ++in_vain;
      return std::nullopt;
    }
    return job(taken++, until_another);
  };
  work.brings_more = true;
  work.done = [&](std::size_t number, const StoredResult&) {
    told.push_back(number);
    if (brought < 6) brought += 2;
    return false;
  };
  run_trials(work, 3, interrupted, environment);
  EXPECT_GT(most_at_once, 1) << "who found nothing to do at first waited for it";
  std::sort(told.begin(), told.end());
  EXPECT_EQ(told, (Numbers{0, 1, 2, 3, 4, 5, 6}));
}

}  // namespace
}  // namespace holdfast
