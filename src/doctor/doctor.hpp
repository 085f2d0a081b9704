// Examines this machine: whether it can run a suite, and which faults it can do, by doing it all once.
//
//   Diagnosis found = diagnose(options, [](int done, int of) { ... }, interrupted);
//   std::puts(diagnosis_text(found).c_str());
//
// In this order: a lab and its parts (lab_probe.hpp), room (resources.hpp), then every server and every fault in a
// short trial of its own (doctor_trials.hpp), some side by side. A trial that the harness failed in is tried once more,
// alone, since many labs on few processors make stalls of their own.
//
// What it does not do: judge locks, or say how many trials side by side this machine can bear.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "artifact/scenario.hpp"
#include "doctor/examination.hpp"

namespace holdfast {

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
