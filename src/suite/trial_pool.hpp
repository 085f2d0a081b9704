// The pool of trials: some side by side, since they mostly sleep; one that the machine spoilt once more, alone.
//
//   TrialWork work;
//   work.next = in_order(jobs);
//   work.done = [&](std::size_t job, StoredResult ended) { ...; return undecided(ended); };   // true: once more, alone
//   run_trials(work, 4, interrupted, met);
//
// `run`, `compare`, the doctor and the controls of causes all fill it. What begins next is theirs to say: a list in
// some order, or a question that is asked anew each time, when earlier answers tell what is to be asked still.
//
// After an interrupt no job begins, and one that ends is not told of: it was cut off. After an exception none begins
// either; those that are running end, and the first exception is thrown again.
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

// What the trials met: the servers, and how often the machine stood still.
struct TrialEnvironment {
  void add(const StoredResult& ended);

  std::set<std::string> servers;  // server_text() makes one text of them
  std::int64_t stalls = 0;
};

struct PoolJob {
  std::size_t number = 0;
  std::function<StoredResult(bool alone)> run;  // beside others, unless it is alone
};

// All is called by one thread at a time, but for the jobs.
struct TrialWork {
  std::function<std::optional<PoolJob>()> next;                   // what begins now; nothing: none
  bool brings_more = false;                                       // a job that ends may, so `next` is asked again then
  std::function<bool(std::size_t job, StoredResult ended)> done;  // true: once more, alone; asked of a first attempt
  std::function<bool()> over = [] { return false; };              // no more begin: a budget is spent, enough is known
  std::vector<PoolJob> spoilt = {};                               // before this: also once more, alone
  std::function<bool(std::size_t job)> worth_another = [](std::size_t) { return true; };  // asked when all have ended
  std::function<void(std::size_t jobs)> alone_begins = [](std::size_t) {};
};

std::function<std::optional<PoolJob>()> in_order(std::vector<PoolJob> jobs);

void run_trials(const TrialWork& work, int side_by_side, const std::atomic<bool>& interrupted,
                TrialEnvironment& environment);

}  // namespace holdfast
