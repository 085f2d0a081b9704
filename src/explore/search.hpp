// Explores a world.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "explore/world.hpp"

namespace holdfast {

// The search: every schedule of a world within bounds, the cheapest first.
//
//   SearchResult found = search({&world}, {.bounds = {2, 2, 1}, .budget_s = 30});
//
// Cost is preemptions + time jumps + faults. All schedules of cost 0 come first, then all of cost 1, and so on; within
// a cost depth first. A schedule goes on from the place where it branches off another: a word, then the choices that
// cost nothing; every other choice on the way is kept for later. Where two schedules come to the same state, only one
// of them is followed, unless the other has more left to spend. One schedule in a thousand is run from its beginning as
// well, and must come to the same state; if it does not, HarnessError.
//
// So the first find of an invariant costs the least that it can; the search goes on to the bounds, because other
// invariants may be violated too, and the same one for other reasons: of each story of an invariant, as its world tells
// stories, the cheapest schedule is kept. What has the same state as an earlier schedule is not followed, so of two
// ways to one state only the first tells its story. `complete`: everything within the bounds was run. What the budget
// cuts off is tried by random walks in its last fifth.
//
// Several worlds are driven side by side, each by a thread of its own. With more than one, which of several equally
// cheap schedules is found first may differ from run to run.
//
// Source: iterative context bounding (Musuvathi and Qadeer, 2007), with time and faults as further costs.

struct SearchLimits {
  Cost bounds{2, 2, 1};
  double budget_s = 30;
  bool merge = true;       // follow equal states once
  bool prove = true;       // that places are where their words lead; not where going there proves it
  std::uint64_t seed = 1;  // of the random walks
  std::uint32_t part = 0;  // of `parts`, which are searched in processes of their own; see search.cpp
  std::uint32_t parts = 1;
  std::function<bool()> stop = nullptr;     // asked between schedules
  std::function<double()> clock = nullptr;  // seconds, towards the budget; null: the steady clock's

  static const JsonForm<SearchLimits>& form();
};

struct Find {
  Violation violation;
  std::vector<Word> words;
  Cost cost;
  std::uint64_t story = 0;  // as the world tells it; of what is not severe there is one
};

struct SearchResult {
  bool complete = false;
  bool stopped = false;  // by `stop`
  int levels = 0;        // costs that were run to their end: 0 ... levels - 1
  std::uint64_t schedules = 0;
  std::uint64_t merged = 0;  // of them, ended early at a state that was known
  std::uint64_t walks = 0;   // random ones, beside these
  std::uint64_t states = 0;
  std::uint64_t left = 0;  // schedules that were known to be there and were not run
  double seconds = 0;
  std::vector<Word> first{};  // the schedule that costs nothing, off which all others branch
  // The cheapest of each story of an invariant, then with fewest faults, then shortest; severe ones first.
  std::vector<Find> finds;
};

double seconds_now(const SearchLimits& limits);

SearchResult search(const std::vector<SearchWorld*>& worlds, const SearchLimits& limits);

}  // namespace holdfast
