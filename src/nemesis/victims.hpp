// Whom a fault strikes, at its moment: the clients, or the server, that its target names.
#pragma once

#include <optional>

#include "nemesis/fault.hpp"

namespace holdfast {

// `arrived`: the client that was stopped at the fault's point. Empty: there is no such client just now (nobody holds).
// Throws BadInput for a target that can never be.
Victims pick_victims(const Candidates& all, const FaultSpec& spec, std::optional<std::uint32_t> arrived);

// Whose passing of the fault's point counts: "holder" or "waiter", where that is its target; empty: anybody's.
std::string whose_arrival(const FaultSpec& spec);

}  // namespace holdfast
