// What a run was asked for, in its folder from the beginning (run.json): whatever ends the run, `run --resume` can go
// on with the same scenarios, seeds and plans.
//
//   const RunManifest manifest = new_manifest(flags, options);
//   write_manifest(manifest, folder);
//   const OrderLock lock(folder);          // one run at a time works in a folder; the kernel lets go of it
//
// It holds the scenarios themselves: one that was changed since is refused, since its old trials would be of another.
#pragma once

#include <map>
#include <string>

#include "cli/run_flags.hpp"

namespace holdfast {

struct RunManifest {
  RunFlags flags;         // of the run, without what only changes how it is shown
  std::string directory;  // in which its paths are to be read
  std::string started_utc;
  std::string scenarios;                        // all of them, as one JSON text
  std::map<std::string, std::string> adapters;  // by lock: what its manifest said; compared, never executed
  std::string replay_of;                        // the trial whose plan it repeats; empty: it is a run of scenarios
  std::string command;                          // that runs it again; not kept, since it depends on how we were called
};

RunManifest new_manifest(const RunFlags& flags, const SuiteOptions& options, const std::string& started_utc);
void write_manifest(const RunManifest& manifest, const std::string& folder);
RunManifest stored_manifest(const std::string& folder);  // throws BadInput where there is none, or another program's

// Throws BadInput naming the first scenario, or adapter, that is not as it was.
void check_unchanged(const RunManifest& manifest, const SuiteOptions& options);

class OrderLock {
 public:
  explicit OrderLock(const std::string& folder);  // throws BadInput when another process works there
  ~OrderLock();
  OrderLock(const OrderLock&) = delete;
  OrderLock& operator=(const OrderLock&) = delete;

 private:
  int fd_;
};

}  // namespace holdfast
