// The flaw that a load of a generated suite points at: where only the load with keys that look alike breaks, the lock
// takes two keys for one.
//
//   load_flaw({"keys_alike", "keys_apart"})   "it takes keys for one that differ in case, trailing blanks, ..."
//   load_flaw({"keys_alike", "zones"})        "", since one flaw may show in both
#pragma once

#include <string>
#include <vector>

namespace holdfast {

// In a whole sentence; empty where the loads point at different flaws, or at none.
std::string load_flaw(const std::vector<std::string>& scenarios);

// Returns true for a load, with a fault or without one, that breaks where several clients count as one owner.
bool shows_shared_owner(const std::string& scenario);

// Returns true if the flaw shows, too, where a fault stops a client for a while.
bool also_when_stopped(const std::string& scenario);

}  // namespace holdfast
