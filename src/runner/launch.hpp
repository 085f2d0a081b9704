// Starts a trial in a lab of its own and waits for its end. Safe to call from several threads at once: it forks only to
// exec, and whatever happens to this process, the lab ends with it.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace holdfast {

struct Launched {
  int exit_code = 0;                // ExitCode
  std::string error;                // one line, when exit_code is not 0
  std::vector<std::string> faults;  // what the nemesis could not do or prove: a harness error
  std::string server;               // "MariaDB 10.11.19"
  std::int64_t stalls = 0;          // how often the machine stood still meanwhile
  double seconds = 0;
  double cpu_seconds = 0;
};

struct LaunchOptions {
  std::string folder;    // of the trial, with plan.json in it
  std::string sabotage;  // "", "act", "heal", "fail": for the harness's own tests
  int timeout_ms = 0;
  std::vector<std::string> servers;  // "mysqld=PATH": in place of the installed ones
  std::string target;                // a server of the user's own, without its password; empty: the lab has one
};

// Ends the lab early when `interrupted` becomes true.
Launched launch_trial(const LaunchOptions& options, const std::atomic<bool>& interrupted);

}  // namespace holdfast
