#include "runner/capabilities/lab_server_processes.hpp"

#include <csignal>

#include "control/control_page.hpp"
#include "runner/capabilities/lab_probe.hpp"

namespace holdfast {

bool LabServerProcesses::signal(std::uint32_t server, int number) {
  const std::int64_t own = number_of_server(server);
  if (number == SIGSTOP) stops_.signalled(own, number, monotonic_ns());
  const bool sent = process(server).signal(number);
  if (number == SIGCONT) stops_.signalled(own, number, monotonic_ns());
  return sent;
}

// From its own node, so that a cut of a client's node is none of the server's.
bool LabServerProcesses::answers(std::uint32_t server) const {
  return probe(lab_.server_node(server), kLockAddress, lab_.lock_server(server).readiness(), kProbe_ms) >= 0;
}

}  // namespace holdfast
