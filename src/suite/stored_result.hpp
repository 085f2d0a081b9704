// The folder of a run, with the result of each trial.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "artifact/run_directory.hpp"
#include "artifact/run_verdict.hpp"
#include "suite/suite.hpp"

namespace holdfast {

// The folder of a run: its name, and a check that the trials' paths are short enough for servers.
//
//   expect_short_enough("runs", longest_trial_folder(options));
//   const std::string folder = new_run_folder("runs");

// runs/20260131T120000Z-1a2b, below `root`; also points root/latest at it.
std::string new_run_folder(const std::string& root, bool latest = true);

// Removes the folders made by this process with new_run_folder, after refused input: restores `latest`, and removes a
// root made for them. A folder with a result stays.
void take_back_run_folders();

// For a folder made without: points `latest` beside it to it.
void point_latest(const std::string& folder);

// Throws BadInput for a root in which a trial's path would be too long for servers. `inside`: the part of its length
// below the run's folder. new_run_folder does this check for commands whose names are not known before.
void expect_short_enough(const std::string& root, std::size_t inside);
std::size_t longest_trial_folder(const SuiteOptions& options);

// The result of one trial, stored in its folder immediately (result.json) and reused by a resumed run. The run's own
// verdict.json has all results, but only at the end.
//
//   store_result("runs/x", "cells/insert_lease/pause/1", ended);
//   if (auto stored = stored_result("runs/x", "cells/insert_lease/pause/1")) ...
//
// Something other than a plain file in its place throws NotPlain: no trial of holdfast leaves that. An interrupted
// trial has no result and is run again from the beginning.
//
// The files behind a result (the trial's order, its history, the runner's record, the verdict) are synced before it,
// and the result has their checksums, so that a file that was truncated, emptied by a power loss, or changed is
// detected before the result is used.
//
//   check_evidence(run, "cells/insert_lease/pause/1", stored.sums, MissingFiles::refused);   // BadInput names the file
//
// The checksums (SHA-256) use OpenSSL, which a server's client library needs anyway. They are not signatures:
// deliberate changes can include new checksums.

// Call it before threads share the memory: OpenSSL crashes if memory ends while it prepares itself. Throws bad_alloc.
void prepare_sums();

// The SHA-256 of a file, as hexadecimal digits.
std::string sum_of(const RunDirectory& run, const std::string& name);

// By the file's name in the trial's folder.
using Sums = std::map<std::string, std::string>;

struct StoredResult {
  TrialResult result;
  std::string server;       // used server; empty: none answered
  std::int64_t stalls = 0;  // stalls of the machine during the trial
  bool alone = false;       // it was the second attempt, with no other trial in parallel
  Sums sums;                // of the files behind it; computed when it is stored

  static const JsonForm<StoredResult>& form();
};

// Syncs the files behind the result, then stores the result. If that fails, the trial has failed, since its pass could
// not be proved later.
void store_result(const std::string& run_folder, const std::string& trial, StoredResult& ended);

// Throws BadInput if it is damaged, or belongs to another folder.
std::optional<StoredResult> stored_result(const std::string& run_folder, const std::string& trial);

// Judges the trial's history again as it must have been judged; throws BadInput if the result, or a verdict.json beside
// it, differs. A trial that could not be judged was not a pass, and stays so.
void check_result(const std::string& run_folder, const std::map<std::string, std::string>& expected,
                  StoredResult& stored);

// Compares the plan in a trial's folder, if there is one, with the plan that results from the scenario and the seed:
// a trial with another seed is detected, whatever its folder claims. Throws BadInput.
void check_plan(const RunDirectory& run, const std::string& trial, const Plan& wanted);

// Returns true if it shows nothing about the lock: the harness failed, or this machine could not run it.
bool failed(const TrialResult& result);

enum class MissingFiles : std::uint8_t { refused, allowed };  // `allowed`: a cleaned-up run may lack files

void check_evidence(const RunDirectory& run, const std::string& trial, const Sums& sums, MissingFiles missing);

}  // namespace holdfast
