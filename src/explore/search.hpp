// Explores a world.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "explore/world.hpp"

namespace holdfast {

// The search: runs every schedule of a world within bounds, the cheapest first.
//
//   SearchResult found = search({&world}, {.bounds = {2, 2, 1}, .budget_s = 30});
//
// Cost is preemptions + time jumps + faults. All schedules of cost 0 come first, then all of cost 1, and so on; within
// a cost depth first. A schedule continues from the place where it branches off another one: a word, then the choices
// that are free; every other choice on the way is stored for later. If two schedules reach the same state, only one is
// followed, unless the other has more left to spend. One schedule in a thousand is also run from its beginning and must
// reach the same state; otherwise HarnessError is thrown.
//
// So the first find of an invariant has minimum cost; the search continues to the bounds, because other invariants may
// be violated too, and the same one for other reasons: the cheapest schedule is kept for each story of an invariant, as
// its world defines stories. Of two ways to one state only the first is followed and tells its story. `complete`:
// everything within the bounds was run. What the budget cuts off is sampled by random walks in its last fifth.
//
// Several worlds are driven in parallel, each by its own thread. With more than one, which of several equally cheap
// schedules is found first may vary.
//
// Source: iterative context bounding (Musuvathi and Qadeer, 2007), with time and faults as further costs.

struct SearchLimits {
  Cost bounds{2, 2, 1};
  double budget_s = 30;
  bool merge = true;       // follow equal states once
  bool prove = true;       // verify that places equal the result of their words; off if going there proves it
  std::uint64_t seed = 1;  // for the random walks
  std::uint32_t part = 0;  // number of this part; other processes search the others (search.cpp)
  std::uint32_t parts = 1;
  std::function<bool()> stop = nullptr;     // checked between schedules
  std::function<double()> clock = nullptr;  // seconds, for the budget; null: the steady clock

  static const JsonForm<SearchLimits>& form();
};

struct Find {
  Violation violation;
  std::vector<Word> words;
  Cost cost;
  std::uint64_t story = 0;  // as the world defines it; one for all that is not severe
};

struct SearchResult {
  bool complete = false;
  bool stopped = false;  // by `stop`
  int levels = 0;        // costs that were searched completely: 0 ... levels - 1
  std::uint64_t schedules = 0;
  std::uint64_t merged = 0;  // schedules that ended early at a known state
  std::uint64_t walks = 0;   // random ones, in addition
  std::uint64_t states = 0;
  std::uint64_t left = 0;  // known schedules that were not run
  double seconds = 0;
  std::vector<Word> first{};  // the schedule that costs nothing, off which all others branch
  // The cheapest of each story of an invariant, then with fewest faults, then shortest; severe ones first.
  std::vector<Find> finds;
};

double seconds_now(const SearchLimits& limits);

SearchResult search(const std::vector<SearchWorld*>& worlds, const SearchLimits& limits);

}  // namespace holdfast
