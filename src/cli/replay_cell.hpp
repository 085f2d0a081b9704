// A cell of an earlier run once more: the stored plan of one of its trials, k times, under its stored scenario.
//
//   holdfast replay runs/latest nowait_lease/skew --repeat 5
//   reproduced 4 of 5: lease_exclusion:client_skew 4/5
//
// The plan is the same each time; the operating system's timing is not. Reproduced is a trial in which every property
// that was violated then is violated again, of the same kind; where nothing was violated, one with the same judgement.
// A trial that could not be judged reproduces nothing. The result is a run of its own, whose exit code compares with
// what the scenario expects, as that of any run.
#pragma once

#include <string>

#include "cli/server_flags.hpp"

namespace holdfast {

struct ReplayCell {
  std::string folder;  // of the run
  std::string cell;    // LOCK/SCENARIO
  int trial = 0;       // 0: the first in which something was violated, else the first
  int repeat = 1;
  int jobs = 0;  // trials side by side; 0: as run
  std::string out = "runs";
  bool json = false;
  ServerFlags on;  // as they were given now; must be what the earlier run had
};

int replay_cell(const ReplayCell& asked);  // throws BadInput

}  // namespace holdfast
