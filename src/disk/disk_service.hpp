// The process that serves a PowerDisk as a file system and, on order, loses what is not synced.
//
//   holdfast disk --device 3 --orders 4      // started by server_disk.cpp, which has mounted the device
//
// It runs until the other end of the orders' socket is closed. Needs libfuse3; in a build without it,
// `missing_disk_service` returns the remedy.
//
// Effect of each way to make data durable:
//
// - fsync, fdatasync, msync(MS_SYNC), and each write to a file opened with O_SYNC or O_DSYNC (or RWF_DSYNC): durable,
//   with all that was written to that file before. fsync of a folder: its names.
// - write, truncate, fallocate: visible immediately, durable at the next sync of the file.
// - mmap: written shared pages reach the disk when the kernel writes them back, at the latest on msync or munmap; like
//   every write they are durable once the file is synced. Pages still in the kernel are lost, too.
// - sync(2) and syncfs(2) do not reach this kind of file system and make nothing durable here.
//
// After a loss, using a file opened before gives EIO: processes do not survive a power loss.
#pragma once

#include <cstdint>
#include <string>

namespace holdfast {

// Messages on a seqpacket socket, one answer per order.
enum class DiskOrder : std::uint8_t { sync_all, lose, tell };

struct DiskAnswer {
  std::uint64_t bytes = 0;   // lost
  std::uint64_t names = 0;   // lost; for `tell`: all existing names
  std::uint64_t losses = 0;  // so far
};

std::string missing_disk_service();  // reason and remedy if the build has no disk service; else empty

// Serves the open device and the orders, given as descriptors. Returns at the end of the orders.
void run_disk(int device, int orders);

}  // namespace holdfast
