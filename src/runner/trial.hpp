// One trial: network, server, tables, clients, nemesis, final phase and history. It is the process `holdfast trial`,
// inside the lab that launch_lab.hpp starts.
//
// A trial has a load phase (duration_ms), after which all faults are healed, and a final phase, which shows that the
// lock works again. The final phase begins when everything is healed and a client waits, because progress is judged
// only while a client waits. It ends when every key has been granted again, or after final_phase_ns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "artifact/plan.hpp"
#include "artifact/time_mode.hpp"
#include "control/control_page.hpp"
#include "lock/lock.hpp"
#include "nemesis/nemesis.hpp"
#include "servers/target.hpp"

namespace holdfast {

// Maximum length of the final phase: the time that a correct lock may need for a new grant, plus a margin.
std::int64_t final_phase_ns(const Plan& plan, const LockType& type);

struct TrialOrder {
  std::string folder;                 // of the trial
  TimeMode time = TimeMode::real;     // time mode of this process
  Sabotage sabotage = {};             // only for the harness's own tests
  std::optional<Target> target = {};  // the user's own server, used for the lock; names created there have its prefix
  // Hosts that run the clients' programs: for each the server's address as seen from there; "-": the target's own.
  std::vector<std::string> hosts = {};
};

// Carries out one plan inside a lab. Reads folder/plan.json, writes folder/history.jsonl and folder/facts.json. Throws
// HarnessError or Unavailable.
void run_trial(const TrialOrder& order);

}  // namespace holdfast
