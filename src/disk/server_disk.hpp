// The disk of one server of a lab, as the trial has it: a file system of our own on a folder in the lab, which can lose
// what was not synced (power_disk.hpp), and the process that serves it (disk_service.hpp).
//
//   ServerDisk disk(folder + "/lab/disk-0", log);    // throws Unavailable where this machine has no such file systems
//   ... start the server on it, prepare it ...
//   disk.sync_all();                                 // as if it had run for a while
//   const PowerLoss loss = disk.lose();              // after a kill: the power is gone, and back
//
// It is mounted in the lab's mount namespace by the caller, who is its administrator there; nothing of it can be seen
// outside, and the kernel ends it with the lab. Without privileges from then on: the process that serves has none.
//
// Each loss is tried on a file of our own on the same disk, of which one word was synced and another not. So what the
// disk does is seen by reading, whatever the server does on it.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>

#include "disk/disk_service.hpp"
#include "lab/process.hpp"

namespace holdfast {

struct PowerLoss {
  std::uint64_t times = 0;     // that this disk lost power
  std::uint64_t bytes = 0;     // lost the last time; those of our own file are not counted
  std::uint64_t names = 0;     // lost the last time
  std::uint64_t files = 0;     // and folders, that the server had on it then
  bool synced_kept = false;    // of our own file: the word that was synced is there,
  bool unsynced_lost = false;  // and the other is not
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
  void watch();  // HarnessError when its process has ended

 private:
  void start(const std::string& log);
  DiskAnswer ask(DiskOrder order);
  std::string mark_file() const { return folder_ + "/.holdfast"; }

  std::string folder_;
  int orders_ = -1;
  Process process_;
  mutable std::mutex mutex_;  // faults ask from threads of their own
  PowerLoss last_;
};

}  // namespace holdfast
