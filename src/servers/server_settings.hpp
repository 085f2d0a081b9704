// How a scenario sets up a lock's server: the keys of `server`, of which each kind has its own (ServerType::settings).
// A scenario for locks on several kinds may have keys of each; a kind reads its own and passes over the others'.
#pragma once

#include "artifact/scenario.hpp"
#include "servers/server_type.hpp"

namespace holdfast {

// An object with those of the kind's own keys that are set.
JsonNode settings_for(const ServerType& type, const ServerSettings& settings);

// Throws BadInput, naming file and line: a key that no kind knows, or a value that its kind does not take.
void check_server_settings(const ServerSettings& settings);

}  // namespace holdfast
