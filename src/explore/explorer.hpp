// Explores one lock: creates its worlds (each a real server with simulated clients), searches them, repeats every find
// with readable names, and returns the result.
//
//   Explored e = explore(job, servers.stores_of(job.settings));
//   if (e.verdict() == "violated") std::puts(columns(e.finds.front().trace, 120).c_str());
//
// It runs no trial: it executes the locks' own files through its own Session (simulated_client.hpp), so its finds are
// true of the code that client processes run. Its clients make the same calls in the same order but write to no
// resource: tokens show whether a write would be refused.
//
// A find that does not occur again is a harness error: something in the world is not deterministic, and the search's
// results for that lock are not reliable. A find in which statements wait for row locks is run once more with real
// waits; if an answer differs then, the find is reported but does not count.
//
// Each cause is reported once, with its cheapest schedule. The cause of a find is determined by removing words from its
// schedule for as long as the violation stays the same: the story of the remaining words is the cause (story.hpp). So a
// find that contains a cheaper find has the same cause. Known causes (`except`) are skipped.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "explore/explore_settings.hpp"
#include "explore/memoized_store.hpp"
#include "explore/search.hpp"
#include "explore/trace.hpp"
#include "explore/traced_world.hpp"
#include "lock/lock.hpp"
#include "servers/stepped_store.hpp"

namespace holdfast {

// A known find: a violating schedule that stands for all finds with its cause.
struct KnownFind {
  std::string name;  // of its file, or the schedule as given
  ExploreSettings settings;
  std::vector<Word> words;

  static const JsonForm<KnownFind>& form();
};

struct ExploreJob {
  ExploreSettings settings;
  SearchLimits limits;
  int jobs = 1;
  std::vector<KnownFind> except{};

  static const JsonForm<ExploreJob>& form();
};

struct Counterexample {
  Violation violation;
  std::vector<Word> words;
  Cost cost;
  Trace trace;
  std::string cause;                     // empty if the violation is not severe
  std::string flaw{};                    // for two holders without a fault: the lock's mistake, in sentences
  bool waits = false;                    // it depends on row locks
  std::string real_waits = "not tried";  // if statements wait: "the same", or the difference with real waits
  bool counts() const { return violation.severe && (!waits || real_waits == "the same"); }
};

// A known find that is skipped, and whether this search found it.
struct PassedOver {
  std::string name;
  std::string invariant;
  std::string cause;
  bool seen = false;  // this search found it

  static const JsonForm<PassedOver>& form();
};

// Counters of a search that steps a lock by its requests (request_explore).
struct RequestsExplored {
  std::string at;  // "at the requests of redis-py 5.0.1 on Redis 7.0.15"
  std::uint64_t requests = 0;
  std::uint64_t restarts = 0;  // of adapters
  std::uint64_t replayed = 0;  // positions that were reached again by replaying words
  std::uint64_t retried = 0;   // of these, replayed twice, because a different request came the first time
  std::uint64_t diverged = 0;  // of these, abandoned
  std::string last_divergence{};
  std::uint64_t died = 0;  // schedules that were abandoned because an adapter ended by itself
  std::string last_death{};

  bool too_often() const { return diverged * 100 > replayed; }
  static const JsonForm<RequestsExplored>& form();
};

struct Explored {
  ExploreJob job;
  SearchResult numbers;
  std::vector<Counterexample> finds;  // one per cause; those of an invariant with the cheapest first
  std::uint64_t grants = 0;           // in all schedules; 0: nothing was tested
  StatementCounts statements{};
  bool lock_keeps_nothing = true;      // between attempts, in its object
  std::int64_t promised_lease_ms = 0;  // longer than the requested lease if the lock uses whole seconds
  bool lease = true;                   // grants end by themselves
  std::vector<PassedOver> passed_over{};
  std::optional<RequestsExplored> at_requests{};
  // Number of finds whose cause is unknown: the time was over, or, with an adapter, they did not occur again.
  std::size_t untold = 0;

  // holds | violated | undecided | known; `known`: only the finds that are skipped occurred.
  std::string verdict() const;
};

Explored explore(const ExploreJob& job, const ExploreStores& stores);  // a lock of the catalogue
Explored explore(const ExploreJob& job, const LockType& type, const ExploreStores& stores);

// The steps of explore(), for other kinds of world. search_worlds searches; tell_causes adds the finds with their
// causes, except those in `passed_over`. `real_waits` returns the result of the last schedule with real waits; null:
// none are tried.
using WaitsTried = std::function<std::string()>;
Explored search_worlds(const ExploreJob& job, const LockType& type, const std::vector<TracedWorld*>& worlds);
void tell_causes(TracedWorld& world, Explored& explored, const WaitsTried& real_waits = nullptr);
PassedOver passed_over(TracedWorld& world, const KnownFind& known);  // throws BadInput if its words violate nothing
Counterexample replay_in(TracedWorld& world, const std::vector<Word>& words, const WaitsTried& real_waits = nullptr);

// Runs the words once with plain names; returns the violation and the trace. Throws BadInput if the words do not fit
// the lock.
Counterexample replay(const ExploreSettings& settings, const std::vector<Word>& words, const ExploreStores& stores);

}  // namespace holdfast
