// Whether a cluster fell apart by itself. A machine that is too busy can stop a server for longer than the cluster
// waits for it; then a trial without that fault is one of a cluster in pieces, and says nothing about what was planned.
//
//   ClusterWatch cluster(plan.faults, server);    // before the load
//   if (auto text = cluster.fell_apart()) ...     // a harness error
//
// Silent where the lock service is no cluster, and where a fault of the plan parts it: its servers change then as they
// are meant to, and which change was whose cannot be told.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "servers/lock_server.hpp"

namespace holdfast {

class ClusterWatch {
 public:
  ClusterWatch(const std::vector<FaultSpec>& faults, LockServer& server);
  std::optional<std::string> fell_apart();

 private:
  std::uint64_t changes();  // HarnessError when there is no answer

  Cluster* cluster_;  // null: nothing to watch
  std::uint64_t before_ = 0;
};

}  // namespace holdfast
