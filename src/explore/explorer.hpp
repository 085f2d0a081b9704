// Explores one lock: makes its worlds, searches them, runs every find again as people will read it, and says what came
// of it.
//
//   Explored e = explore(job, servers.stores_of(job.settings));
//   if (e.verdict() == "violated") std::puts(columns(e.finds.front().trace, 120).c_str());
//
// It is a trial of another kind, not a stage of one: it runs the locks' own files through a Session of its own
// (simulated_client.hpp), so that what it finds is true of the code that the client processes run. Its clients make the
// same calls in the same order, and write to no resource: whether a write would be refused follows from the tokens.
//
// A find that does not come out again is an error of the harness: something in the world is not as determined as it
// must be, and what the search says of that lock cannot be believed. One in which statements wait for row locks is run
// once more with waits that are real; where an answer is then another one, it is told and counts for nothing.
//
// Of what is found, each cause is told once, by the cheapest schedule that the search has of it: words are left out as
// long as it stays the same violation, and the story of what is left is the cause (story.hpp). So a find that holds a
// cheaper one within itself has that one's cause. A cause that is known already (`except`) is passed over.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "explore/explore_settings.hpp"
#include "explore/memoized_store.hpp"
#include "explore/search.hpp"
#include "explore/told_world.hpp"
#include "explore/trace.hpp"
#include "lock/lock.hpp"
#include "servers/stepped_store.hpp"

namespace holdfast {

// A find that is known: a schedule that violates the lock, and by its cause stands for all that do it alike.
struct KnownFind {
  std::string name;  // of its file, or the schedule as it was given
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
  std::string cause;                     // of a severe one
  bool waits = false;                    // row locks matter in it
  std::string real_waits = "not tried";  // where they do: "the same", or what was otherwise when waits were real
  bool counts() const { return violation.severe && (!waits || real_waits == "the same"); }
};

// What became of a known find.
struct PassedOver {
  std::string name;
  std::string invariant;
  std::string cause;
  bool seen = false;  // this search found it, too

  static const JsonForm<PassedOver>& form();
};

// Of a lock that was stepped by its requests (request_explore): where, and how often a schedule that was taken again
// went another way than before.
struct RequestsExplored {
  std::string at;  // "at the requests of redis-py 5.0.1 on Redis 7.0.15"
  std::uint64_t requests = 0;
  std::uint64_t restarts = 0;  // of adapters
  std::uint64_t replayed = 0;  // places of schedules that were gone back to
  std::uint64_t retried = 0;   // ... twice, since another request came the first time
  std::uint64_t diverged = 0;  // ... and given up
  std::string last_divergence{};
  std::uint64_t died = 0;  // schedules that were given up because an adapter ended by itself
  std::string last_death{};

  bool too_often() const { return diverged * 100 > replayed; }
  static const JsonForm<RequestsExplored>& form();
};

struct Explored {
  ExploreJob job;
  SearchResult numbers;
  std::vector<Counterexample> finds;  // one a cause; those of one invariant with the cheapest first
  std::uint64_t grants = 0;           // in all schedules; where there is none, nothing was tried
  StatementCounts statements{};
  bool lock_keeps_nothing = true;      // from one attempt to the next, in its object
  std::int64_t promised_lease_ms = 0;  // longer than the lease of the settings where the lock takes whole seconds
  bool lease = true;                   // its grants end by themselves
  std::vector<PassedOver> passed_over{};
  std::optional<RequestsExplored> at_requests{};
  // Stories without a cause: the time for telling them apart was over, or, of an adapter, they did not come again.
  std::size_t untold = 0;

  // holds | violated | undecided; `known`: what was to be passed over was found, and within the bounds nothing else.
  std::string verdict() const;
};

Explored explore(const ExploreJob& job, const ExploreStores& stores);  // a lock of the catalogue
Explored explore(const ExploreJob& job, const LockType& type, const ExploreStores& stores);

// The steps of it, for any worlds that people can be shown: the search; and its finds with their causes, of which those
// in `passed_over` are left out. `real_waits`: the result of the last schedule with waits that are real; null: none.
using WaitsTried = std::function<std::string()>;
Explored search_worlds(const ExploreJob& job, const LockType& type, const std::vector<ToldWorld*>& worlds);
void tell_causes(ToldWorld& world, Explored& explored, const WaitsTried& real_waits = nullptr);
PassedOver passed_over(ToldWorld& world, const KnownFind& known);  // throws BadInput: it violates nothing
Counterexample replay_in(ToldWorld& world, const std::vector<Word>& words, const WaitsTried& real_waits = nullptr);

// Runs words once, in plain names; what is violated, and the trace. Throws BadInput when they do not fit the lock.
Counterexample replay(const ExploreSettings& settings, const std::vector<Word>& words, const ExploreStores& stores);

}  // namespace holdfast
