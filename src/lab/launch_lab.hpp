// A lab from outside: what is started in it, how it is interrupted and ended, and how its end is told.
//
//   LabOrder order{folder};                 // a trial; `order.part = "explorer"`: something else
//   const LabEnd end = launch_lab(order, {.interrupted = &interrupted, .limit_ms = 60'000});
//   if (end.exit_code != 0) throw HarnessError(end.last_words);
//
// A lab is `holdfast lab` in a process of its own, which ends with us, however we end. Where root starts it, it is
// nobody's (namespaces.hpp), if a first empty lab shows that this works here. What it writes is in its folder, with its
// own log, lab.log; when it has ended the files are the caller's. Safe to call from several threads at once: it forks
// only to exec.
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
  std::string part = "trial";  // which command of this program runs inside
  TimeMode time = TimeMode::real;
  std::string sabotage = {};              // "act", "heal", "fail", "undo_early", "time": for our own tests
  std::vector<std::string> servers = {};  // "mysqld=PATH": in place of the installed ones
  std::string target = {};  // a server of the user's own, without its password; empty: the lab has its own
  // Other hosts, on which the clients' programs run: "HOST:PORT" each, the server as it is reached from there, or "-".
  std::vector<std::string> hosts = {};
  std::vector<std::string> adapter = {};                // of the lock: as words of the command line; empty: it has none
  std::map<std::string, std::string> environment = {};  // for the lab's processes; names that begin with HOLDFAST_
};

// The order, but for the part, in words of a command line; cli/trial_processes.cpp reads them.
std::vector<std::string> words_of(const LabOrder& order);

// All may be left out.
struct LabWatch {
  const std::atomic<bool>* interrupted = nullptr;  // ends the lab
  std::int64_t limit_ms = 0;                       // the longest that it may take
  std::function<void()> look = {};                 // again and again while it runs, and once when it has ended
  std::function<void()> ask_to_end = {};  // at an interrupt, first: the lab has a few seconds to end by itself then
};

struct LabEnd {
  int exit_code = 0;
  bool late = false;       // it was ended by the limit
  std::string last_words;  // the last thing that it said, as people are to read it; only of one that failed
  double seconds = 0;
  double cpu_seconds = 0;
};

LabEnd launch_lab(const LabOrder& order, const LabWatch& watch = {});

// What a process of this program said last, in the log that it was started with.
//
//   last_words(folder + "/client-0.log").own   // "the journal cannot be created: Too many open files; ..."
struct LastWords {
  std::string own;  // its own complaint, without the program's name; empty: it made none
  std::string any;  // the last line of all, of whatever it started too
};

LastWords last_words(const std::string& log);

}  // namespace holdfast
