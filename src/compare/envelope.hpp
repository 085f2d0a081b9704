// Looks for safety envelopes: for each lock and direction the largest amount of a fault under which the lock keeps its
// promise, n of n trials at each amount. The trials are those of `run`, side by side; a search goes on once all trials
// of its amounts are judged.
//
//   EnvelopeRun found = find_envelopes(order, progress, interrupted);
//
// What the trials leave is in order.folder, a folder a lock and direction. It says nothing of amounts beyond the
// largest that was tried, and nothing of other jobs, numbers of clients or moments than those of its scenario.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "artifact/envelope.hpp"
#include "artifact/scenario.hpp"
#include "compare/compare.hpp"
#include "compare/envelope_scenario.hpp"

namespace holdfast {

struct EnvelopeOrder {
  std::vector<std::string> locks;
  FaultAmount amount;
  std::vector<std::int64_t> leases_ms{2000};
  std::vector<std::pair<std::string, std::string>> settings;
  std::vector<Scenario> scenario;  // the user's own; empty: one is made
  std::string property;            // empty: all that are about safety
  std::int64_t most = 0;           // 0: three leases, or 300 %
  std::int64_t step = 0;           // 0: a fortieth of the lease, or 5 %
  std::uint64_t seed = 1;
  int repeat = 3;
  int jobs = 1;
  std::string folder;
  std::vector<std::string> servers;  // this and the next: as SuiteOptions has them
  Sandbox* target = nullptr;
};

// Throws BadInput when something cannot be run as ordered.
void check_order(const EnvelopeOrder& order);

EnvelopeRun find_envelopes(const EnvelopeOrder& order, const std::function<void(const CompareProgress&)>& progress,
                           const std::atomic<bool>& interrupted);

// 130; where no trial at all was judged 4 when none could run here, 5 when the harness failed; 3 when a bracket has
// nothing that holds or is open; 0.
int exit_code_of(const EnvelopeRun& run);

}  // namespace holdfast
