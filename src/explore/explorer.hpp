// Explores one lock: makes its worlds, searches them, runs every find again as people will read it, and says what came
// of it.
//
//   Explored e = explore(job, [&](int worker) { return make_sql_store({job.settings.lock, n, worker}, host); });
//   if (e.verdict() == "violated") std::puts(columns(e.finds.front().trace, 120).c_str());
//
// A find that does not come out again is an error of the harness: something in the world is not as determined as it
// must be, and what the search says of that lock cannot be believed.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "explore/explore_settings.hpp"
#include "explore/search.hpp"
#include "explore/stepped_store.hpp"
#include "explore/trace.hpp"

namespace holdfast {

struct ExploreJob {
  ExploreSettings settings;
  SearchLimits limits;
  int jobs = 1;
};

struct Counterexample {
  Violation violation;
  std::vector<Word> words;
  Cost cost;
  Trace trace;
  bool waits = false;  // row locks matter in it
};

struct Explored {
  ExploreJob job;
  SearchResult numbers;
  std::vector<Counterexample> finds;
  std::uint64_t grants = 0;  // in all schedules; where there is none, nothing was tried
  StatementCounts statements{};

  std::string verdict() const;  // holds | violated | undecided
};

using StoreMaker = std::function<std::unique_ptr<SteppedStore>(int worker)>;

Explored explore(const ExploreJob& job, const StoreMaker& make_store);

// Runs words once, in plain names; what is violated, and the trace. Throws BadInput when they do not fit the lock.
Counterexample replay(const ExploreSettings& settings, const std::vector<Word>& words, const StoreMaker& make_store);

nlohmann::json to_json(const ExploreSettings&);
ExploreSettings settings_from_json(const nlohmann::json&);
nlohmann::json to_json(const ExploreJob&);
ExploreJob job_from_json(const nlohmann::json&);
nlohmann::json to_json(const Explored&);

}  // namespace holdfast
