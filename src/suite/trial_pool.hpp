// The pool of trials: runs some in parallel, since they mostly sleep; a trial spoiled by stalls is repeated alone.
//
//   TrialWork work;
//   work.next = in_order(jobs);
//   work.done = [&](std::size_t job, StoredResult ended) { ...; return undecided(ended); };   // true: repeat alone
//   run_trials(work, 4, interrupted, environment);
//
// `run`, `compare`, the doctor and the controls of causes use it. They choose the next job: from a list, or by a
// function called each time, if earlier results decide what is still needed.
//
// After an interrupt no job begins, and jobs that end are not reported, since they were cut off. After an exception
// none begins either; running jobs end, and the first exception is rethrown.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "suite/stored_result.hpp"

namespace holdfast {

// Servers used by the trials, and the number of stalls of the machine.
struct TrialEnvironment {
  void add(const StoredResult& ended);

  std::set<std::string> servers;  // server_text() makes one text of them
  std::int64_t stalls = 0;
};

struct PoolJob {
  std::size_t number = 0;
  std::function<StoredResult(bool alone)> run;  // in parallel with others, unless `alone`
};

// Functions are called by one thread at a time, except the jobs.
struct TrialWork {
  std::function<std::optional<PoolJob>()> next;  // the next job; empty: none now
  bool brings_more = false;                      // a finished job may produce more, so `next` is called again then
  // returns true to repeat the job alone; called for first attempts
  std::function<bool(std::size_t job, StoredResult ended)> done;
  std::function<bool()> over = [] { return false; };  // true: no more begin, since a budget is spent or enough is known
  std::vector<PoolJob> spoilt = {};                   // from earlier: also repeated alone
  std::function<bool(std::size_t job)> worth_another = [](std::size_t) { return true; };  // called after all have ended
  std::function<void(std::size_t jobs)> alone_begins = [](std::size_t) {};
};

std::function<std::optional<PoolJob>()> in_order(std::vector<PoolJob> jobs);

void run_trials(const TrialWork& work, int side_by_side, const std::atomic<bool>& interrupted,
                TrialEnvironment& environment);

}  // namespace holdfast
