// A suite for any lock, made from what the lock says of itself and from what one trial showed of it.
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

// What one trial showed of a lock: which statements its attempts send, in which order, and how they end.
//
//   const LockFacts facts = read_facts("runs/latest/cells/my_lock/lapses/1/history.jsonl");
//   for (const auto& shape : facts.of(Situation::granted)) ...   // {"select", "insert"}, {"select", "take_over"}
//
// The statements come from the history, where the client's session recorded them: so nothing is asked of the lock's
// code. Attempts that came to nothing of these (no answer, a conflict, a failed release) are left out.

// What an attempt came to: an acquire that was granted or refused, a renewal, a release.
enum class Situation : std::uint8_t { granted, refused, renewed, released };
inline constexpr std::array kSituations{Situation::granted, Situation::refused, Situation::renewed,
                                        Situation::released};
static_assert(kSituations.size() == kEnumerators<Situation>);
const char* to_text(Situation situation);

struct AttemptShape {
  Situation situation = Situation::granted;
  std::vector<std::string> statements;  // in the order in which they were sent
  std::int64_t seen = 0;                // how many attempts were so
};

struct LockFacts {
  std::vector<AttemptShape> shapes;  // each once; of a situation the most frequent first
  // By situation: the most requests that an attempt was seen to send, of a lock whose statements have no names; 0:
  // none.
  std::array<std::int64_t, kEnumerators<Situation>> requests{};
  bool looks_at_deadline = false;  // a job was given up because the client's own look said that its lease is over

  std::vector<AttemptShape> of(Situation situation) const;
  std::int64_t requests_of(Situation situation) const { return requests.at(static_cast<std::size_t>(situation)); }
};

// `requests`: those that the trial counted (artifact/facts.hpp).
LockFacts read_facts(HistorySource& history, const std::vector<SentRequest>& requests = {});
LockFacts read_facts(const InputFile& file,
                     const std::vector<SentRequest>& requests);  // throws BadInput as the reader does

// A suite for any lock, made from what the lock says of itself and from what one trial showed of it: nobody has to
// write a scenario, or to guess what to expect.
//
//   const auto first = first_scenarios("my_lock");                // run these, once: `lapses` is one of them
//   const GeneratedSuite suite = generate_suite("my_lock", read_facts(HISTORY));
//
// The scenarios strike every statement of the lock (pause, kill, lost reply, cut; before and after; when it is granted,
// refused, renews and releases), and use the lock in ways that published locks broke in: other drivers, addresses,
// leases, zones, isolation levels, clocks, keys and owners that look alike, several leases at once, two threads.
//
// What is expected: that every promise of the lock is kept. What no lease can prevent (a holder that is stopped or cut
// off past its lease and does not know) is allowed, where the lock has no token that the resource could check.
// A scenario that could not show anything that another does not show is left out, with the reason. The most dangerous
// scenario is first, since a run may have time for some of them only.
//
// What it does not do: it runs nothing. Pure: the same facts give the same suite.

inline constexpr const char* kGenerated = "generated";  // the suite's name
inline constexpr const char* kLapses = "lapses";        // its first scenario, which shows the facts

struct GeneratedSuite {
  std::vector<Scenario> scenarios;  // most dangerous first; all of one lock
  std::vector<NotTried> left_out;
};

// The first scenario: holders that are stopped past their lease, and one that is killed, so that leases run out, every
// path of an acquire is taken, and a lock that looks at a deadline of its own shows it. `lock` may have a variant
// ("my_lock+found_rows"). Throws BadInput for an unknown lock.
//
// `lease_ms`, here and below: the lease that the lock is asked for; 0: as short as its interface allows. Loads and
// faults last as much longer.
Scenario lapses_scenario(const std::string& lock, std::int64_t lease_ms = 0);

// That one, and beside it, as far as they need no facts: the faults that production has most often, on a client that
// has been granted the lock, and the ways of using the lock in which most mistakes show.
std::vector<Scenario> first_scenarios(const std::string& lock, std::int64_t lease_ms = 0);

// What is known of the suite before any trial: for whoever lists its cells, or asks for some of them.
struct ForeseenSuite {
  std::vector<Scenario> sure;      // whatever the trial shows; lapses_scenario is the first
  std::vector<Scenario> possible;  // one of its statements is struck: if the lock is seen to send it then
  std::vector<NotTried> left_out;  // whatever the trial shows
};
ForeseenSuite foresee_suite(const std::string& lock, std::int64_t lease_ms = 0);

// All others, and the first ones but lapses_scenario once more.
GeneratedSuite generate_suite(const std::string& lock, const LockFacts& facts, std::int64_t lease_ms = 0);

}  // namespace holdfast
