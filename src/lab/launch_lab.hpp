// Controls a lab from outside: starts a command in it, interrupts and ends it, and reports its end.
//
//   LabOrder order{folder};                 // a trial; `order.part = "explorer"`: another command
//   const LabEnd end = launch_lab(order, {.interrupted = &interrupted, .limit_ms = 60'000});
//   if (end.exit_code != 0) throw HarnessError(end.last_words);
//
// A lab is a process `holdfast lab`, which ends with this process in all cases. If root starts it, it runs as nobody
// (namespaces.hpp), provided that an empty lab with the same servers and adapter shows that this works. Its output goes
// to its folder, including its log, lab.log; at its end the files belong to the caller. Thread-safe: it forks only to
// exec.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "artifact/time_mode.hpp"

namespace holdfast {

struct LabOrder {
  std::string folder;
  std::string part = "trial";  // the command of this program that runs inside
  TimeMode time = TimeMode::real;
  std::string sabotage = {};              // "act", "heal", "fail", "undo_early", "time": for the harness's own tests
  std::vector<std::string> servers = {};  // "mysqld=PATH": replaces the installed one
  std::string target = {};  // a server of the user's own, without its password; empty: the lab has its own
  // For programs on other hosts: "HOST:PORT" each, the server as reached from there, or "-".
  std::vector<std::string> hosts = {};
  std::vector<std::string> adapter = {};                // flags for the lock's adapter; empty: none
  std::map<std::string, std::string> environment = {};  // for the lab's processes; names begin with HOLDFAST_
};

// The order, without its part, as command-line words; cli/trial_processes.cpp parses them.
std::vector<std::string> words_of(const LabOrder& order);

// All fields are optional.
struct LabWatch {
  const std::atomic<bool>* interrupted = nullptr;  // ends the lab
  std::int64_t limit_ms = 0;                       // maximum duration
  std::function<void()> look = {};                 // called repeatedly while it runs, and once after its end
  // called first on an interrupt; the lab then has a few seconds to end by itself
  std::function<void()> ask_to_end = {};
};

struct LabEnd {
  int exit_code = 0;
  bool late = false;       // ended by the limit
  std::string last_words;  // its last message, readable; only after a failure
  double seconds = 0;
  double cpu_seconds = 0;
};

LabEnd launch_lab(const LabOrder& order, const LabWatch& watch = {});

// The last messages of a process of this program in its log.
//
//   last_words(folder + "/client-0.log").own   // "the journal cannot be created: Too many open files; ..."
struct LastWords {
  std::string own;  // its own message without the program's name; empty: none
  std::string any;  // the very last line, also from its child processes
};

LastWords last_words(const std::string& log);

}  // namespace holdfast
