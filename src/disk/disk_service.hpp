// The process that is the disk: it shows a PowerDisk as a file system, and loses what is not synced when it is told so.
//
//   holdfast disk --device 3 --orders 4      // started by server_disk.cpp, which has mounted the device's end
//
// It serves until nobody holds the other end of the orders. Needs libfuse3; where the program was built without it,
// `missing_disk_service` says what to do.
//
// What the file system does with each way to make bytes durable:
//
// - fsync, fdatasync, msync(MS_SYNC), and each write to a file opened with O_SYNC or O_DSYNC (or RWF_DSYNC): durable,
//   with all that was written to that file before. fsync of a folder: its names.
// - write, truncate, fallocate: seen at once, durable at the next sync of the file.
// - mmap: shared pages that were written reach the disk when the kernel writes them back, by msync or munmap at the
//   latest; like every write they are durable once the file is synced. Those that the kernel still had are lost, too.
// - sync(2) and syncfs(2) do not reach a file system of this kind: they make nothing durable here.
//
// After a loss, whoever still has a file open gets EIO for each use of it: no process outlives the power.
#pragma once

#include <cstdint>
#include <string>

namespace holdfast {

// Over a socket that keeps messages apart, one answer an order.
enum class DiskOrder : std::uint8_t { sync_all, lose, tell };

struct DiskAnswer {
  std::uint64_t bytes = 0;   // lost
  std::uint64_t names = 0;   // lost, or, of `tell`, all that there are
  std::uint64_t losses = 0;  // so far
};

std::string missing_disk_service();  // why there is none, and the remedy; empty: there is one

// Descriptors of the open device and of the orders. Returns when the orders end.
void run_disk(int device, int orders);

}  // namespace holdfast
