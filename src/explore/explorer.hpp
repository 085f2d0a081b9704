// Explores one lock: makes its worlds, searches them, runs every find again as people will read it, and says what came
// of it.
//
//   Explored e = explore(job, {[&](int worker) { return make_sql_store({job.settings.lock, n, worker}, host); }});
//   if (e.verdict() == "violated") std::puts(columns(e.finds.front().trace, 120).c_str());
//
// A find that does not come out again is an error of the harness: something in the world is not as determined as it
// must be, and what the search says of that lock cannot be believed. One in which statements wait for row locks is run
// once more with waits that are real; where an answer is then another one, it is told and counts for nothing.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "explore/explore_settings.hpp"
#include "explore/search.hpp"
#include "explore/store_memory.hpp"
#include "explore/trace.hpp"
#include "lock/lock.hpp"

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
  bool waits = false;                    // row locks matter in it
  std::string real_waits = "not tried";  // where they do: "the same", or what was otherwise when waits were real
  bool counts() const { return violation.grave && (!waits || real_waits == "the same"); }
};

struct Explored {
  ExploreJob job;
  SearchResult numbers;
  std::vector<Counterexample> finds;
  std::uint64_t grants = 0;  // in all schedules; where there is none, nothing was tried
  StatementCounts statements{};
  bool lock_keeps_nothing = true;      // from one attempt to the next, in its object
  std::int64_t promised_lease_ms = 0;  // longer than the lease of the settings where the lock takes whole seconds

  std::string verdict() const;  // holds | violated | undecided
};

struct ExploreStores {
  std::function<std::unique_ptr<SteppedStore>(int worker)> make;
  // Runs the calls of a schedule with waits that are real; what was otherwise, or nothing. None where nothing can wait.
  std::function<std::string(const std::vector<StoreCall>&)> with_real_waits = nullptr;
};

Explored explore(const ExploreJob& job, const ExploreStores& stores);  // a lock of the catalogue
Explored explore(const ExploreJob& job, const LockType& type, const ExploreStores& stores);

// Runs words once, in plain names; what is violated, and the trace. Throws BadInput when they do not fit the lock.
Counterexample replay(const ExploreSettings& settings, const std::vector<Word>& words, const ExploreStores& stores);

nlohmann::json to_json(const ExploreSettings&);
ExploreSettings settings_from_json(const nlohmann::json&);
nlohmann::json to_json(const ExploreJob&);
ExploreJob job_from_json(const nlohmann::json&);
nlohmann::json to_json(const Explored&);

}  // namespace holdfast
