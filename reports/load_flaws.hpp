// The flaw that a load of a generated suite points at: where only the load with keys that look alike breaks, the lock
// takes two keys for one.
//
//   load_flaw({"keys_alike", "keys_apart"})   "it takes keys for one that differ in case, trailing blanks, ..."
//   load_flaw({"keys_alike", "zones"})        "", since one flaw may show in both
#pragma once

#include <string>
#include <vector>

namespace holdfast {

// The load in which statements of two clients overlap inside the server, and the flaw if no order of whole statements
// breaks the lock.
inline constexpr const char* kOverlappingLoad = "slow_commits";
inline constexpr const char* kOverlapFlaw =
    "two acquires that run in the server at the same time interfere, since no order of whole statements breaks the "
    "lock (all were searched, within bounds). One waits for the other's row, and then changes it. A part of its "
    "condition (a subquery, or rows that did not exist yet) is not evaluated again. Lock the row where it is found "
    "(FOR UPDATE), or repeat the condition on the row that is changed.";

// The flaw of a lock that stays stuck after a kill, without another fault.
inline constexpr const char* kLeftByTheDead =
    "what a client that died left behind is never removed: its grant, or its entry among the waiters. Give it an end "
    "that the server's clock decides, in the request that writes it, and let others remove it after that; or tie it to "
    "a session that the server ends.";

// The flaw that a load with a fault of its own shows by this kind of violation, in a whole sentence; empty: none.
std::string struck_load_flaw(const std::string& scenario, const std::string& kind);

// Returns true if that flaw explains cells with the same faults, too: a client that is killed elsewhere starts again as
// well.
bool is_named_by_all(const std::string& scenario);

// In a whole sentence; empty where the loads point at different flaws, or at none.
std::string load_flaw(const std::vector<std::string>& scenarios);

// Returns true for a load, with a fault or without one, that breaks where several clients count as one owner.
bool shows_shared_owner(const std::string& scenario);

// Returns true for a load that points at a flaw although a fault strikes in it.
bool names_a_flaw(const std::string& scenario);

// Returns true if the flaw shows, too, where a fault stops a client for a while.
bool also_when_stopped(const std::string& scenario);

}  // namespace holdfast
