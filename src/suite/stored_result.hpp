// What became of one trial, in its folder as soon as it ended (result.json): what a run that is resumed takes over. The
// run's own verdict.json has all of them, but only at the end.
//
//   store_result("runs/x", "cells/insert_lease/pause/1", ended);
//   if (auto stored = stored_result("runs/x", "cells/insert_lease/pause/1")) ...
//
// A trial that was interrupted has none, and is run again from its beginning.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "artifact/run_verdict.hpp"
#include "suite/evidence.hpp"

namespace holdfast {

struct StoredResult {
  TrialResult result;
  std::string server;       // that it met; empty: none answered
  std::int64_t stalls = 0;  // how often the machine stood still meanwhile
  bool alone = false;       // it was the second attempt, with nothing beside it
  Sums sums;                // of the files that it stands on; made as it is stored
};

// Brings to the disk what the result stands on, then the result. Where that fails the trial has failed: nobody could
// tell later that it passed.
void store_result(const std::string& run_folder, const std::string& trial, StoredResult& ended);

// Throws BadInput where it is damaged, or says that it is of another folder.
std::optional<StoredResult> stored_result(const std::string& run_folder, const std::string& trial);

// Judges the trial's history again, as a trial that is taken over must have been judged: a result that says otherwise,
// or a verdict.json beside it, is BadInput. What could not be judged then was no pass, and stays as it is.
void check_result(const std::string& run_folder, const std::map<std::string, std::string>& expected,
                  StoredResult& stored);

// Whether it says nothing of the lock: the harness failed, or this machine could not run it.
bool failed(const TrialResult& result);

}  // namespace holdfast
