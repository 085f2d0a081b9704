// Searches for safety envelopes: for each lock and direction, the largest amount of a fault with which the lock keeps
// its promise in n of n trials. Trials are those of `run`, in parallel; the search continues when all trials of a batch
// are judged.
//
//   EnvelopeRun found = find_envelopes(order, progress, interrupted);
//
// Trials are stored in order.folder, one subfolder per lock and direction. The result does not cover amounts beyond the
// largest one tried, or jobs, numbers of clients or times other than its scenario's.
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
  std::vector<Scenario> scenario;  // the user's own; empty: generated
  std::string property;            // empty: all safety properties
  std::int64_t most = 0;           // 0: three leases, or 300 %
  std::int64_t step = 0;           // 0: a fortieth of the lease, or 5 %
  std::uint64_t seed = 1;
  int repeat = 3;
  int jobs = 1;
  std::string folder;
  std::vector<std::string> servers;  // this and the next: as in SuiteOptions
  Sandbox* target = nullptr;
};

// Throws BadInput if something cannot be run.
void check_order(const EnvelopeOrder& order);

EnvelopeRun find_envelopes(const EnvelopeOrder& order, const std::function<void(const CompareProgress&)>& progress,
                           const std::atomic<bool>& interrupted);

// 130 if interrupted; if no trial was judged, 4 if none could run here or 5 if the harness failed; 3 if a bracket is
// open or nothing holds; else 0.
int exit_code_of(const EnvelopeRun& run);

}  // namespace holdfast
