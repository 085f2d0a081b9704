// What examines this machine, and the trials by which it examines servers and faults.
#pragma once

#include <atomic>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "artifact/scenario.hpp"
#include "doctor/examination.hpp"

namespace holdfast {

// The trials by which the doctor examines servers and faults: each server with no fault, then each fault of the
// catalogue once, on the first lock service whose servers it can strike. Short trials of the ordinary kind, so that
// what works here works in a suite.
//
//   for (const auto& trial : doctor_trials(folder)) ...     // {"fault", "partition", scenario, "insert_lease"}
//
// No list of its own: faults, with a small case of each, come from their catalogue, and what can be put together with
// what is asked of the same rules that a user's scenario meets (suite/check_names.hpp).
struct DoctorTrial {
  std::string part;  // server | fault
  std::string name;
  Scenario scenario;
  std::string lock;
};

// Writes the scenarios into `folder`, which is there. Throws HarnessError for a fault that no rule lets through.
std::vector<DoctorTrial> doctor_trials(const std::string& folder);

// What the scenarios need, by the names of the trials, and `packet filter` where a fault drops packets.
std::set<std::string> needs_of(const std::vector<Scenario>& scenarios);

inline constexpr const char* kPacketFilter = "packet filter";

// Examines this machine: whether it can run a suite, and which faults it can do, by doing it all once.
//
//   Diagnosis found = diagnose(options, [](int done, int of) { ... }, interrupted);
//   std::puts(diagnosis_text(found).c_str());
//
// In this order: a lab and its parts (lab_probe.hpp), room (resources.hpp), then every server and every fault in a
// short trial of its own, some side by side. A trial that the harness failed in is tried once more,
// alone, since many labs on few processors make stalls of their own.
//
// What it does not do: judge locks, or say how many trials side by side this machine can bear.

struct DoctorOptions {
  std::string suite;  // as the user named it
  std::vector<Scenario> scenarios;
  std::string folder;  // for the trials; it is there
  std::string runs;    // where results would go
  int jobs = 1;
  std::string sabotage;      // "act", "heal", "fail", "undo_early": for the doctor's own tests
  bool only_needed = false;  // leaves out what the suite does not need
};

using DoctorProgress = std::function<void(int done, int of)>;

Diagnosis diagnose(const DoctorOptions& options, const DoctorProgress& progress, const std::atomic<bool>& interrupted);

}  // namespace holdfast
