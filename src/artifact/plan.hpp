// A plan: one lock under one scenario with every random choice made. Equal plans are equal trials except for the
// operating system's timing. Stored as plan.json in the trial's folder; the runner reads nothing else.
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
  std::uint64_t seed = 0;  // for the client's random choices: key, hold, pause
  bool spare = false;      // starts later: replaces a client ended by a fault
};

struct Plan {
  std::string lock;     // including its variant: "upsert_lease+found_rows"
  std::string adapter;  // canonical manifest of an adapter lock; compared, never executed
  std::string scenario;
  std::uint64_t seed = 0;  // seed of this trial
  Load load;
  ServerSettings server;
  std::vector<ClientPlan> clients;
  std::vector<FaultSpec> faults;
  CoverageMinima minima;
};

nlohmann::json to_json(const Plan&);
Plan load_plan(const InputFile& file);  // throws BadInput

}  // namespace holdfast
