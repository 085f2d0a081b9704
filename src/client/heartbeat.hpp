// A client's heartbeat: a thread that does nothing but notice when the client did not run. Whoever stops a process from
// outside (a signal, a debugger, a frozen control group) leaves no trace in it but this gap.
#pragma once

#include <thread>

#include "control/control_page.hpp"

namespace holdfast {

// Beats until it is destroyed; the gaps are shown in the control page.
std::jthread start_heartbeat(Heartbeat& shown);

}  // namespace holdfast
