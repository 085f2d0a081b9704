// The folder of a run, and in it what became of each trial.
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

// The folder of a run: its name, and whether servers bear a path as long as those of the trials in it.
//
//   expect_short_enough("runs", longest_trial_folder(options));
//   const std::string folder = new_run_folder("runs");

// runs/20260131T120000Z-1a2b, below `root`; also points root/latest at it.
std::string new_run_folder(const std::string& root, bool latest = true);

// Takes back the folders that this process made with new_run_folder, for an input that was refused: `latest` points
// where it did before, and a root that was made for them goes, too. A folder that has a result stays.
void take_back_run_folders();

// Of a folder that was made without: points `latest` beside it at it.
void point_latest(const std::string& folder);

// Refuses (BadInput) a root in which a trial's folder would have a longer path than servers bear. `inside`: how much of
// it is below the run's folder. new_run_folder asks this for commands whose names are not known before.
void expect_short_enough(const std::string& root, std::size_t inside);
std::size_t longest_trial_folder(const SuiteOptions& options);

// What became of one trial, in its folder as soon as it ended (result.json): what a run that is resumed takes over. The
// run's own verdict.json has all of them, but only at the end.
//
//   store_result("runs/x", "cells/insert_lease/pause/1", ended);
//   if (auto stored = stored_result("runs/x", "cells/insert_lease/pause/1")) ...
//
// Where something else than a plain file is in the place of one, NotPlain says so: no trial of ours leaves that.
// A trial that was interrupted has none, and is run again from its beginning.
//
// The files that a result stands on (what the trial was asked for, what happened, what the runner saw, the verdict) are
// on the disk before it, and the result has the sum of each, so that one that was cut off, emptied by a machine that
// lost its power, or changed since is noticed by whoever relies on the result.
//
//   check_evidence(run, "cells/insert_lease/pause/1", stored.sums, Extant::whole);   // BadInput names the file
//
// The sums (SHA-256) are OpenSSL's, which a server's client library needs anyway. They are no signature: who changes
// the files on purpose can write new ones.

// The SHA-256 of a file, as hexadecimal digits.
std::string sum_of(const RunDirectory& run, const std::string& name);

// By the file's name in the trial's folder.
using Sums = std::map<std::string, std::string>;

struct StoredResult {
  TrialResult result;
  std::string server;       // that it met; empty: none answered
  std::int64_t stalls = 0;  // how often the machine stood still meanwhile
  bool alone = false;       // it was the second attempt, with nothing beside it
  Sums sums;                // of the files that it stands on; made as it is stored

  static const JsonForm<StoredResult>& form();
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

enum class MissingFiles : std::uint8_t { refused, allowed };  // runs are tidied up: then a file may be gone

void check_evidence(const RunDirectory& run, const std::string& trial, const Sums& sums, MissingFiles missing);

}  // namespace holdfast
