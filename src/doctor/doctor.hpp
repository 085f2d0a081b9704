// Examines this machine, including trials that check servers and faults.
#pragma once

#include <atomic>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "artifact/scenario.hpp"
#include "doctor/examination.hpp"

namespace holdfast {

// The trials for servers and faults: each server without a fault, then each fault of the catalogue once, on the first
// lock service whose servers it can strike. They are short ordinary trials, so that what works here works in a suite.
//
//   for (const auto& trial : doctor_trials(folder)) ...     // {"fault", "partition", scenario, "insert_lease"}
//
// There is no separate list: faults, with a small case of each, come from their catalogue, and suite/check_names.hpp
// decides which combinations are valid, as for a user's scenario.
struct DoctorTrial {
  std::string part;  // server | fault
  std::string name;
  Scenario scenario;
  std::string lock;
};

// Writes the scenarios into `folder`, which must exist. Throws HarnessError for a fault without a valid combination.
std::vector<DoctorTrial> doctor_trials(const std::string& folder);

// Returns what the scenarios need, by trial name, and `packet filter` if a fault drops packets.
std::set<std::string> needs_of(const std::vector<Scenario>& scenarios);

inline constexpr const char* kPacketFilter = "packet filter";

// Examines whether this machine can run a suite, and which faults work, by trying everything once.
//
//   Diagnosis found = diagnose(options, [](int done, int of) { ... }, interrupted);
//   std::puts(diagnosis_text(found).c_str());
//
// In this order: a lab and its parts (lab_probe.hpp), room (resources.hpp), then each server and each fault in a short
// trial, some in parallel. A trial with a harness error is repeated alone, since many labs on few processors can cause
// stalls.
//
// Limits: it does not judge locks, or find how many parallel trials this machine can run.

struct DoctorOptions {
  std::string suite;  // as the user named it
  std::vector<Scenario> scenarios;
  std::string folder;  // for the trials; must exist
  std::string runs;    // folder for results
  int jobs = 1;
  std::string sabotage;      // "act", "heal", "fail", "undo_early": for the doctor's own tests
  bool only_needed = false;  // skips what the suite does not need
};

using DoctorProgress = std::function<void(int done, int of)>;

Diagnosis diagnose(const DoctorOptions& options, const DoctorProgress& progress, const std::atomic<bool>& interrupted);

}  // namespace holdfast
