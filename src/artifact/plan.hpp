// A plan: one lock under one scenario with every random choice already made. The same plan is the same trial, but for
// the operating system's timing. Written as plan.json into the trial's folder; the runner reads nothing else.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "artifact/scenario.hpp"

namespace holdfast {

struct ClientPlan {
  std::uint32_t client = 0;
  std::uint32_t node = 0;  // clients on one node share its address
  std::uint64_t seed = 0;  // of the client's own choices: key, hold, pause
  bool spare = false;      // not started with the others: takes the place of a client that a fault ended
};

struct Plan {
  std::string lock;     // with its variant: "upsert_lease+found_rows"
  std::string adapter;  // of a lock that is one: its manifest, in one form; compared, and never executed
  std::string scenario;
  std::uint64_t seed = 0;  // of this trial
  Load load;
  ServerSettings server;
  std::vector<ClientPlan> clients;
  std::vector<FaultSpec> faults;
  CoverageMinima minima;
};

nlohmann::json to_json(const Plan&);
Plan load_plan(const InputFile& file);  // throws BadInput

}  // namespace holdfast
