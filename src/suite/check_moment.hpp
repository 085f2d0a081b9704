// Whether a moment of a scenario can come at all: its point is one that clients of the lock pass, and those whom the
// fault is meant for come there. One that cannot would only show when the trial is over.
//
//   {"fault": "pause", "target": "waiter", "at": {"phase": "granted"}}   // refused: who is granted waits no longer
#pragma once

#include <cstdint>
#include <string>

#include "artifact/scenario.hpp"

namespace holdfast {

// `node` is the moment in the file. Both throw BadInput with file, line, key path and remedy.
void check_moment(const Load& load, const std::string& lock, const Moment& moment, const JsonNode& node);
void check_moment_of_target(const Load& load, const FaultSpec& fault);

void check_client(const Load& load, std::uint64_t client, const JsonNode& place);

}  // namespace holdfast
