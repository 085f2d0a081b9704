// A server of the user's own as the lock's: it is there, and no process of ours. It is asked what any user of it may
// ask, and its sessions of our clients can be ended; what a fault of servers would do to it is never asked for, because
// such cells are unavailable on a target (src/suite/target_limits.hpp).
//
//   auto server = make_target_server(target);   // target.prefix: what the trial's names begin with
//   server->prepare("insert_lease");            // makes the lock's table there, of a name that nobody has yet
#pragma once

#include <memory>

#include "runner/lock_server.hpp"
#include "store/target.hpp"

namespace holdfast {

std::unique_ptr<LockServer> make_target_server(const Target& target);

}  // namespace holdfast
