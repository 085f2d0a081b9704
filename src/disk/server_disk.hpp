// The disk of one server in a trial's lab: a file system on a folder that can lose unsynced data (power_disk.hpp), and
// the process that serves it (disk_service.hpp).
//
//   ServerDisk disk(folder + "/lab/disk-0", log);    // throws Unavailable if the machine does not support it
//   ... start the server on it, prepare it ...
//   disk.sync_all();                                 // as if the server had run for a while
//   const PowerLoss loss = disk.lose();              // after a kill: the power fails and returns
//
// The caller mounts it in the lab's mount namespace, where it is administrator; the mount is invisible outside and ends
// with the lab. The serving process has no privileges.
//
// Each loss is verified with a test file on the same disk, in which one word was synced and another was not. So the
// disk's behaviour is proved by reading, independently of the server.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>

#include "disk/disk_service.hpp"
#include "lab/process.hpp"

namespace holdfast {

struct PowerLoss {
  std::uint64_t times = 0;     // losses of this disk
  std::uint64_t bytes = 0;     // lost the last time, without the test file
  std::uint64_t names = 0;     // lost the last time
  std::uint64_t files = 0;     // files and folders of the server on it at that time
  bool synced_kept = false;    // the synced word of the test file survived
  bool unsynced_lost = false;  // the unsynced word did not
};

class ServerDisk {
 public:
  ServerDisk(const std::string& folder, const std::string& log);
  ~ServerDisk();
  ServerDisk(const ServerDisk&) = delete;
  ServerDisk& operator=(const ServerDisk&) = delete;

  const std::string& folder() const { return folder_; }
  void sync_all();
  void lose();
  PowerLoss last_loss() const;
  void watch();  // throws HarnessError if its process has ended

 private:
  void start(const std::string& log);
  DiskAnswer ask(DiskOrder order);
  std::string mark_file() const { return folder_ + "/.holdfast"; }

  std::string folder_;
  int orders_ = -1;
  Process process_;
  mutable std::mutex mutex_;  // faults call from their own threads
  PowerLoss last_;
};

}  // namespace holdfast
