// A suite for any lock, made from what the lock says of itself and from what one trial showed of it: nobody has to
// write a scenario, or to guess what to expect.
//
//   const Scenario first = lapses_scenario("my_lock");            // run this one, once
//   const GeneratedSuite suite = generate_suite("my_lock", read_facts(HISTORY));
//
// The scenarios strike every statement of the lock (pause, kill, lost reply, cut; before and after; when it is granted,
// refused, renews and releases), and use the lock in ways that published locks broke in: other drivers, addresses,
// leases, zones, isolation levels, clocks, keys and owners that look alike, several leases at once, two threads.
//
// What is expected: that every promise of the lock is kept. What no lease can prevent (a holder that is stopped or cut
// off past its lease and does not know) is allowed, where the lock has no token that the resource could check.
// A scenario that could not show anything that another does not show is left out, with the reason.
//
// What it does not do: it runs nothing. Pure: the same facts give the same suite, most dangerous scenario first.
#pragma once

#include <string>
#include <vector>

#include "artifact/run_verdict.hpp"
#include "artifact/scenario.hpp"
#include "generate/lock_facts.hpp"
#include "lock/lock.hpp"

namespace holdfast {

inline constexpr const char* kGenerated = "generated";  // the suite's name
inline constexpr const char* kLapses = "lapses";        // its first scenario, which shows the facts

struct GeneratedSuite {
  std::vector<Scenario> scenarios;  // most dangerous first; all of one lock
  std::vector<NotTried> left_out;
};

// The first scenario: holders that are stopped past their lease, and one that is killed, so that leases run out, every
// path of an acquire is taken, and a lock that looks at a deadline of its own shows it. `lock` may have a variant
// ("my_lock+found_rows"). Throws BadInput for an unknown lock.
Scenario lapses_scenario(const std::string& lock);

GeneratedSuite generate_suite(const std::string& lock, const LockFacts& facts);

}  // namespace holdfast
