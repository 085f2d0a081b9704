// Generates a suite for any lock from its description and one trial.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "artifact/enumeration.hpp"
#include "artifact/facts.hpp"
#include "artifact/input_file.hpp"
#include "artifact/run_verdict.hpp"
#include "artifact/scenario.hpp"
#include "history/history_source.hpp"
#include "lock/lock.hpp"

namespace holdfast {

// Facts about a lock from one trial: the statements of its attempts, their order, and how the attempts end.
//
//   const LockFacts facts = read_facts("runs/latest/cells/my_lock/lapses/1/history.jsonl");
//   for (const auto& attempt : facts.of(Situation::granted)) ...   // {"select", "insert"}, {"select", "take_over"}
//
// Statements come from the history, where the client's session recorded them, so the lock's code is not inspected.
// Attempts with other results (no answer, a conflict, a failed release) are left out.

// Result of an attempt: an acquire granted or refused, a renewal, a release.
enum class Situation : std::uint8_t { granted, refused, renewed, released };
inline constexpr std::array kSituations{Situation::granted, Situation::refused, Situation::renewed,
                                        Situation::released};
static_assert(kSituations.size() == kEnumerators<Situation>);
const char* to_text(Situation situation);

struct AttemptShape {
  Situation situation = Situation::granted;
  std::vector<std::string> statements;  // in sending order
  std::int64_t seen = 0;                // number of such attempts
};

struct LockFacts {
  std::vector<AttemptShape> shapes;  // without duplicates; the most frequent of each situation first
  // By situation: largest number of requests seen in an attempt, for locks without named statements; 0: none.
  std::array<std::int64_t, kEnumerators<Situation>> requests{};
  bool looks_at_deadline = false;  // a job stopped because the client's own check found its lease over

  std::vector<AttemptShape> of(Situation situation) const;
  std::int64_t requests_of(Situation situation) const { return requests.at(static_cast<std::size_t>(situation)); }
};

// `requests`: those counted in the trial (artifact/facts.hpp).
LockFacts read_facts(HistorySource& history, const std::vector<SentRequest>& requests = {});
LockFacts read_facts(const InputFile& file,
                     const std::vector<SentRequest>& requests);  // throws BadInput as the reader does

// Generates a suite for any lock from its description and one trial, so that its author need not write scenarios or
// expectations.
//
//   const auto first = first_scenarios("my_lock");                // run these, once: `lapses` is one of them
//   const GeneratedSuite suite = generate_suite("my_lock", read_facts(HISTORY));
//
// The scenarios strike every statement of the lock (pause, kill, lost reply, cut; before and after; when it is granted,
// refused, renews and releases), and use the lock in ways in which published locks failed: other drivers, addresses,
// leases, zones, isolation levels, clocks, similar keys and owners, several leases at once, two threads.
//
// Every promise of the lock is expected to hold. What no lease can prevent (a holder stopped or cut off beyond its
// lease without knowing) is allowed if the lock has no token for the resource to check. A scenario that shows nothing
// new is left out, with the reason. The most dangerous scenario comes first, since a run may not have time for all.
//
// It runs nothing. Pure: equal facts give equal suites.

inline constexpr const char* kGenerated = "generated";  // the suite's name
inline constexpr const char* kLapses = "lapses";        // the first scenario, which provides the facts

struct GeneratedSuite {
  std::vector<Scenario> scenarios;  // most dangerous first; all of one lock
  std::vector<NotTried> left_out;
};

// The first scenario: holders are stopped beyond their lease and one is killed, so that leases run out, every path of
// an acquire is taken, and a lock's own deadline check becomes visible. `lock` may have a variant
// ("my_lock+found_rows"). Throws BadInput for an unknown lock.
//
// `lease_ms`, here and below: the requested lease; 0: as short as the lock's interface allows. Loads and faults are
// extended accordingly.
Scenario lapses_scenario(const std::string& lock, std::int64_t lease_ms = 0);

// That scenario, plus those that need no facts: the most frequent faults in production on a client that has been
// granted the lock, the abilities that its author declares, and the uses of a lock that show most mistakes.
std::vector<Scenario> first_scenarios(const std::string& lock, std::int64_t lease_ms = 0);

// The suite as known before any trial, for listing or selecting cells.
struct ForeseenSuite {
  std::vector<Scenario> sure;      // certain; lapses_scenario is the first
  std::vector<Scenario> possible;  // only if the lock is seen to send the struck statement
  std::vector<NotTried> left_out;  // certain
};
ForeseenSuite foresee_suite(const std::string& lock, std::int64_t lease_ms = 0);

// All other scenarios, and the first ones again except lapses_scenario.
GeneratedSuite generate_suite(const std::string& lock, const LockFacts& facts, std::int64_t lease_ms = 0);

}  // namespace holdfast
