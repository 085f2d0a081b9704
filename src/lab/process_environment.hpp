// The environment of a process that is started: what it is given by name, and of ours only what is known to be harmless
// to it. A user's MYSQL_TCP_PORT or LD_PRELOAD would otherwise change a server under test.
#pragma once

#include <string>
#include <vector>

#include "lab/process.hpp"

namespace holdfast {

// Whether a variable of ours is handed on; `itself`: to another process of this program.
bool is_handed_on(const std::string& name, bool itself);

// "NAME=value" of each; what the Spawn names comes before what it inherits.
std::vector<std::string> environment_of(const Spawn& spawn, bool itself);

}  // namespace holdfast
