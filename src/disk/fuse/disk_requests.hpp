// Answers the kernel's file system requests from a PowerDisk.
#pragma once

#define FUSE_USE_VERSION 314
#include <fuse_lowlevel.h>

#include <cstdint>
#include <mutex>

#include "disk/power_disk.hpp"

namespace holdfast {

// Shared by both threads of the service; `mutex` protects all of it.
struct SharedDisk {
  std::mutex mutex;
  PowerDisk disk;
  std::uint64_t losses = 0;
};

// For a session whose user data is a SharedDisk.
fuse_lowlevel_ops disk_requests();

}  // namespace holdfast
